// Bad credentials on every protected operation, in calls that are valid in everything else; they cost no allowance.
import {
  at,
  type Call,
  type Case,
  type Context,
  type Credential,
  conforms,
  everyReply,
  expectCode,
  expectUnauthorized,
  identifierOf,
  isObject,
  itemsOf,
  type OperationId,
  type Reply,
} from '../../lib/index.ts';
import { dutyIds as errorDuties } from '../errors/duties.ts';
import { answered } from '../shared/answered.ts';
import { onRecords, plainReads, protectedIds, readsById } from '../shared/groups.ts';
import * as tokens from './bad-tokens.ts';

/** What a kind of bad token is made from. */
type TokenSource = 'session' | 'expiredSession' | 'revokedKey';
type BadTokenId =
  | 'authentication-missing'
  | 'authentication-key-unknown'
  | 'authentication-key-altered'
  | 'authentication-malformed'
  | 'authentication-tampered-signature'
  | 'authentication-tampered-payload'
  | 'authentication-alg-none'
  | 'authentication-expired'
  | 'authentication-revoked';
type ObservedRefusal = 'authentication-refused-message' | 'authentication-refused-challenge';
type RefusedContext = Context<BadTokenId | ObservedRefusal, TokenSource>;

interface BadTokenKind {
  readonly id: BadTokenId;
  readonly source?: TokenSource;
  /** With `source` present only that one of the sources may be drawn from. */
  readonly tokens: (context: Pick<RefusedContext, 'api' | 'invalid' | 'random' | TokenSource>) => readonly Credential[];
}

const kinds: readonly BadTokenKind[] = [
  { id: 'authentication-missing', tokens: tokens.missing },
  { id: 'authentication-key-unknown', tokens: tokens.unknownKeys },
  { id: 'authentication-key-altered', tokens: (context) => tokens.alteredKeys(context, context.api.credential) },
  { id: 'authentication-malformed', tokens: tokens.malformedTokens },
  {
    id: 'authentication-tampered-signature',
    source: 'session',
    tokens: (context) => tokens.tamperedSignatures(context, context.session),
  },
  {
    id: 'authentication-tampered-payload',
    source: 'session',
    tokens: (context) => tokens.tamperedPayloads(context, context.session),
  },
  {
    id: 'authentication-alg-none',
    source: 'session',
    tokens: (context) => tokens.unsignedTokens(context, context.session),
  },
  { id: 'authentication-expired', source: 'expiredSession', tokens: ({ expiredSession }) => [expiredSession] },
  {
    id: 'authentication-revoked',
    source: 'revokedKey',
    tokens: ({ invalid, revokedKey }) => [invalid('a revoked key', revokedKey.credential.token ?? '')],
  },
];

const protectedReads = plainReads.filter((id) => protectedIds.includes(id));
const messageOf = (reply: Reply): string => String(at(reply.json, 'error', 'message'));

/** A quick run tries a few operations with each kind, all of them only without credentials. */
const sampled = (
  all: readonly OperationId[],
  id: BadTokenId,
  { effort, random }: Pick<RefusedContext, 'effort' | 'random'>,
) => (effort === 'quick' && id !== 'authentication-missing' ? random.shuffled(all).slice(0, 4) : all);

async function refuseOn(
  all: readonly OperationId[],
  { id, tokens: tokensOf }: BadTokenKind,
  context: RefusedContext,
  callFor: (operation: OperationId) => Call,
): Promise<readonly Reply[]> {
  const { api, check } = context;
  const bad = tokensOf(context);
  const replies: Reply[] = [];
  for (const operation of sampled(all, id, context)) {
    await check(
      id,
      async () => {
        const call = callFor(operation);
        for (const credential of bad) {
          const reply = await answered(api.as(credential).send(operation, call), () => api.send('GET /me'));
          replies.push(reply);
          expectUnauthorized(reply);
        }
      },
      operation,
    );
  }
  return replies;
}

/** Reads apart, on a company that is there already, so that they are tried in runs that write nothing too. */
const casesOf = (kind: BadTokenKind): readonly Case[] => {
  const needs = kind.source === undefined ? [] : [kind.source];
  const writes = kind.source === 'revokedKey' ? ({ writes: true } as const) : {};
  // The errors that every protected operation has, whatever the target offers.
  const errors = kind.id === 'authentication-missing' ? errorDuties : [];
  const feeds = ['authentication-refused-code', ...errors] as const;
  return [
    conforms<BadTokenId | ObservedRefusal, TokenSource>(
      [kind.id, 'authentication-refused-message', 'authentication-refused-challenge'],
      { needs, feeds, visits: [...protectedReads, ...readsById], ...writes },
      async (context) => {
        const companies = await context.api.send('GET /companies', { query: { limit: 1 } });
        const company = identifierOf('company', itemsOf(companies)[0]);
        const reads = company === undefined ? protectedReads : [...protectedReads, ...readsById];
        const call: Call = company === undefined ? {} : { path: { company_id: company } };
        const replies = await refuseOn(reads, kind, context, (id) => (readsById.includes(id) ? call : {}));
        const name = kind.id.replace('authentication-', '');
        const messages = [...new Set(replies.map(messageOf))].sort();
        context.observe('authentication-refused-message', `${name}: ${messages.join(' / ')}`, ...replies.slice(0, 1));
        const challenges = new Set(replies.map(({ headers }) => headers['www-authenticate']?.split(' ')[0] ?? 'none'));
        context.observe('authentication-refused-challenge', [...challenges].sort().join(', '), ...replies.slice(0, 1));
      },
    ),
    conforms<BadTokenId, TokenSource | 'callFor'>(
      kind.id,
      { needs: [...needs, 'callFor'], feeds, visits: onRecords, writes: true },
      async ({ callFor, ...context }) => {
        await refuseOn(onRecords, kind, context, callFor);
      },
    ),
  ];
};

export const refused = [
  everyReply(
    'authentication-refused-code',
    { over: protectedIds, applies: ({ status, json }) => status === 401 && isObject(at(json, 'error')) },
    (reply) => expectCode(reply, 'UNAUTHORIZED'),
  ),
  ...kinds.flatMap(casesOf),
];
