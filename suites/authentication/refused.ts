// Sends bad credentials to every protected operation in otherwise valid requests, which count for no account.
import {
  at,
  type Call,
  type Case,
  type Context,
  type Credential,
  conforms,
  everyReply,
  expectCode,
  idempotencyKeyOf,
  identifierOf,
  isObject,
  itemsOf,
  listNotes,
  type OperationId,
  type Reply,
  wordOf,
} from '../../lib/index.ts';
import { answered, firstMessages, slugsInMe } from '../shared/answer.ts';
import {
  collections,
  errorDuties,
  protectedIds,
  protectedReads,
  readsById,
  recordOperations,
} from '../shared/groups.ts';
import * as tokens from '../shared/invalid-tokens.ts';
import { revokedName } from '../shared/keys.ts';
import { optionalHeaders } from '../shared/optional-headers.ts';
import { trickyCall } from '../shared/tricky-texts.ts';
import { type Attack, attacksByOperation, forgedSessions, malformedHeaders, missingBehind } from './attacks.ts';
import type { BadTokenId } from './rules.ts';

/** What a kind of bad token is made from. */
type TokenSource = 'session' | 'expiredSession' | 'revokedKey';
type ObservedRefusal = 'authentication-refused-message' | 'authentication-refused-challenge';
type RefusedContext = Context<BadTokenId | ObservedRefusal, TokenSource>;

/** Derives the tokens from the credential of the kind, by default the primary key. */
type Forge<One> = (kit: Pick<RefusedContext, 'invalid' | 'random'>, credential: Credential) => readonly One[];

interface BadTokenKind {
  readonly id: BadTokenId;
  readonly source?: TokenSource;
  readonly tokens: Forge<Credential>;
  /** The number of these tokens, for the plan. */
  readonly usual: number;
  /** More tokens; each operation gets a few. */
  readonly further?: Forge<tokens.Forged>;
  /** Sent to one operation each. */
  readonly attacks?: Forge<Attack>;
  /** About how many attacks there are, for the plan. */
  readonly attacked?: number;
}

export const badTokens: readonly BadTokenKind[] = [
  { id: 'authentication-missing', usual: 1, tokens: tokens.missing, attacked: 3, attacks: () => missingBehind },
  { id: 'authentication-key-unknown', usual: 1, tokens: tokens.unknownKeys, further: tokens.furtherUnknownKeys },
  { id: 'authentication-key-altered', usual: 4, tokens: tokens.alteredKeys, further: tokens.furtherAlteredKeys },
  {
    id: 'authentication-malformed',
    usual: 3,
    tokens: tokens.malformedTokens,
    further: tokens.furtherMalformedTokens,
    attacked: 13,
    attacks: () => malformedHeaders,
  },
  {
    id: 'authentication-tampered-signature',
    source: 'session',
    usual: 2,
    tokens: tokens.tamperedSignatures,
    further: tokens.furtherTamperedSignatures,
    attacked: 26,
    attacks: forgedSessions,
  },
  {
    id: 'authentication-tampered-payload',
    source: 'session',
    usual: 2,
    tokens: tokens.tamperedPayloads,
    further: tokens.furtherTamperedPayloads,
  },
  {
    id: 'authentication-alg-none',
    source: 'session',
    usual: 3,
    tokens: tokens.unsignedTokens,
    further: tokens.furtherUnsignedTokens,
  },
  { id: 'authentication-expired', source: 'expiredSession', usual: 1, tokens: (_, expired) => [expired] },
  {
    id: 'authentication-revoked',
    source: 'revokedKey',
    usual: 1,
    tokens: ({ invalid }, { token = '' }) => [invalid(revokedName, token)],
  },
];

function credentialOf({ source }: BadTokenKind, context: RefusedContext): Credential {
  if (source === undefined) return context.api.credential;
  return source === 'revokedKey' ? context.revokedKey.credential : context[source];
}

const quickOperations = 2;
const messageOf = (reply: Reply): string => wordOf(at(reply.json, 'error', 'message'));

/** How often an operation gets the only token of its kind, each time with other headers. */
const aloneMax = { quick: 1, standard: 1, thorough: 12 } as const;
const furtherMax = { quick: 4, standard: 33, thorough: 64 } as const;
/** How many of `tokens` and of `further` each operation gets. */
const each = { quick: [1, 1], standard: [4, 1], thorough: [4, 3] } as const;
const companiesMax = 50;

/** The operation at `index` gets the next `many`. */
const turnsOf = (turns: readonly Credential[], index: number, many: number): readonly Credential[] =>
  [...turns, ...turns].slice((index * many) % Math.max(1, turns.length)).slice(0, Math.min(many, turns.length));

/** Calls of lists: from the beginning, and every second time from a cursor. */
async function placed({ api, effort }: RefusedContext): Promise<(operation: OperationId) => Call> {
  const cursors = new Map<OperationId, unknown>();
  for (const operation of effort === 'quick' ? [] : collections) {
    const first = await api.send(operation, { query: { limit: 1 } });
    cursors.set(operation, at(first.json, 'pagination', 'next_cursor'));
  }
  let turn = 0;
  return (operation) => {
    turn += 1;
    const cursor = cursors.get(operation);
    return typeof cursor === 'string' && turn % 2 === 0 ? { query: { cursor } } : {};
  };
}

async function refuseOn(
  all: readonly OperationId[],
  kind: BadTokenKind,
  context: RefusedContext,
  callFor: (operation: OperationId) => Call,
  usedKey?: string,
): Promise<readonly Reply[]> {
  const { api, check, random, effort } = context;
  const { id } = kind;
  const credential = credentialOf(kind, context);
  // Both in random order; the operations use them in turn.
  const forged = random.shuffled(kind.further?.(context, credential) ?? []).slice(0, furtherMax[effort]);
  const turns = forged.map((one) => tokens.forgedCredential(one, context));
  const usual = random.shuffled(kind.tokens(context, credential));
  // Sessions only: with a key a target may judge X-Active-Account before the key.
  const slugs = kind.source === 'session' || kind.source === 'expiredSession' ? await slugsInMe(api) : [];
  const addHeaders = optionalHeaders(random, slugs.slice(0, 2), usedKey === undefined ? [] : [usedKey]);
  const replies: Reply[] = [];
  // Few in a quick run, unless no token is sent: gateways count refused tokens by address.
  const isFew = effort === 'quick' && id !== 'authentication-missing';
  const tried = isFew ? random.shuffled(all).slice(0, quickOperations) : all;
  const [usualEach, furtherEach] = each[effort];
  for (const [index, operation] of tried.entries()) {
    const first = turnsOf(usual, index, usualEach);
    const further = turnsOf(turns, index, furtherEach);
    // Rules do not see a missing reply.
    await check(
      id,
      async () => {
        // A repeat of an accepted creation must be the same request.
        const isRepetition = operation === 'POST /companies' || effort === 'quick';
        const callOf = () => {
          const call = callFor(operation);
          return isRepetition ? call : trickyCall(operation, call, random);
        };
        const times = usual.length === 1 && operation !== 'POST /companies' ? aloneMax[effort] : 1;
        for (let time = 1; time <= times; time += 1) {
          // At once: none depends on another.
          const answers = await Promise.all(
            [...first, ...(time === 1 ? further : [])].map((credential) =>
              answered(api.as(credential).send(operation, addHeaders(operation, callOf())), () => api.send('GET /me')),
            ),
          );
          replies.push(...answers);
        }
      },
      operation,
    );
  }
  return replies;
}

/** A quick run sends some attacks, and tries a few operations unless it sends no token at all. */
function plannedOf({ id, usual, further }: BadTokenKind, operations: number, attacks = 0) {
  const tokensOf = (effort: keyof typeof each): number => {
    const [usualMax, furtherEach] = each[effort];
    return (usual === 1 ? aloneMax[effort] : Math.min(usual, usualMax)) + (further ? furtherEach : 0);
  };
  const tried = id === 'authentication-missing' ? operations : quickOperations;
  return [
    tokensOf('quick') * tried + Math.min(attacks, 2),
    tokensOf('standard') * operations + attacks,
    tokensOf('thorough') * operations + attacks,
  ] as const;
}

/** The first case only reads, so that a read-only run has it, too. */
const casesOf = (kind: BadTokenKind): readonly Case[] => {
  const needs = kind.source === undefined ? [] : [kind.source];
  const writes = kind.source === 'revokedKey' ? ({ writes: 0 } as const) : {};
  // The errors that every protected operation has, whatever the target offers.
  const errors = kind.id === 'authentication-missing' ? errorDuties : [];
  const feeds = ['authentication-refused-code', ...errors] as const;
  return [
    conforms<BadTokenId | ObservedRefusal, TokenSource>(
      [kind.id, 'authentication-refused-message', 'authentication-refused-challenge'],
      {
        needs,
        feeds,
        visits: [...protectedReads, ...readsById],
        refused: plannedOf(kind, protectedReads.length + readsById.length, kind.attacked),
        ...writes,
      },
      async (context) => {
        // Each read takes another company.
        const companies = itemsOf(await context.api.send('GET /companies', { query: { limit: companiesMax } }));
        const ids = context.random
          .derive('companies')
          .shuffled(companies.flatMap((one) => identifierOf('company', one) ?? []));
        let turn = 0;
        const onNext = (): Call => {
          turn += 1;
          return { path: { company_id: ids[turn % ids.length] ?? '' } };
        };
        const callOf = await placed(context);
        const reads = ids.length === 0 ? protectedReads : [...protectedReads, ...readsById];
        const replies = await refuseOn(reads, kind, context, (id) => (readsById.includes(id) ? onNext() : callOf(id)));
        const name = kind.id.replace('authentication-', '');
        const messages = firstMessages([...new Set(replies.map(messageOf))]);
        context.observe('authentication-refused-message', `${name}: ${messages.join(' / ')}`, ...replies.slice(0, 1));
        const challenges = new Set(replies.map(({ headers }) => headers['www-authenticate']?.split(' ')[0] ?? 'none'));
        context.observe('authentication-refused-challenge', [...challenges].sort().join(', '), ...replies.slice(0, 1));
        const attacks = kind.attacks?.(context, credentialOf(kind, context)) ?? [];
        const tools = { ...context, random: context.random.derive('attacks') };
        // Rules do not see a missing reply.
        for (const [operation, send] of attacksByOperation(attacks, tools))
          await context.check(kind.id, send, operation);
      },
    ),
    conforms<BadTokenId, TokenSource | 'callFor' | 'company'>(
      kind.id,
      {
        needs: [...needs, 'callFor', 'company'],
        feeds,
        visits: recordOperations,
        writes: 0,
        refused: plannedOf(kind, recordOperations.length),
      },
      async ({ callFor, company, ...context }) => {
        // A repeat under a used Idempotency-Key must not get the stored reply without a valid token.
        const callOf = (id: OperationId) => (id === 'POST /companies' ? { body: company.sent } : callFor(id));
        // The rules compare the lists: the refused deletions name a note of this company.
        const { api, effort } = context;
        const call: Call = { path: { company_id: company.id }, query: { limit: 200 } };
        const look = async () => void (effort === 'quick' || (await api.send(listNotes, call)));
        await look();
        await refuseOn(recordOperations, kind, context, callOf, idempotencyKeyOf(company.reply));
        await look();
      },
    ),
  ];
};

export const refused = [
  everyReply(
    'authentication-refused-code',
    {
      over: protectedIds,
      anyInput: true,
      applies: ({ status, json }) => status === 401 && isObject(at(json, 'error')),
    },
    (reply) => expectCode(reply, 'UNAUTHORIZED'),
  ),
  ...badTokens.flatMap(casesOf),
];
