// Exceeds the limit of key validations, which are counted separately; then reads late in the run.
import {
  type Api,
  anonymous,
  type Context,
  conforms,
  createNote,
  deleteNote,
  editNote,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { protectedIds } from '../shared/groups.ts';
import * as tokens from '../shared/invalid-tokens.ts';
import { keyPrefix } from '../shared/keys.ts';
import { optionalHeaders } from '../shared/optional-headers.ts';
import { trickyCall } from '../shared/tricky-texts.ts';
import { unknownIds } from '../shared/unknown.ts';
import { unlessUndecided } from '../shared/unless.ts';
import { callOn } from '../walk/reads.ts';
import { allowanceOf, exceed, isThrottled, type Send } from './burst.ts';
import { accepting, controlOf, readWays, sameReads } from './reads.ts';
import { judgeDoubtful } from './refusals.ts';
import { wordIds } from './rules.ts';
import { sendUnaffected, whileSpent } from './spent.ts';
import { idleWrites, repetitionOf } from './writes.ts';

const of = (api: Api, token: string): Send =>
  accepting(api, 'POST /auth/validate-api-key', { body: { api_key: token } });

const ids = [
  'rate-limits-validate-allowed',
  'rate-limits-validate-enforced',
  ...wordIds,
  'rate-limits-validate-apart',
  'rate-limits-validate-charged',
] as const;
const wants = ['exhaustibleTargets', 'exhaustibleCompany', 'exhaustibleNote', 'sibling', 'callFor'] as const;
type ValidatesContext = Context<(typeof ids)[number], 'exhaustible', (typeof wants)[number]>;

/** Requests that may come right before a validation; none creates anything new. */
function requestsBefore(api: Api, context: ValidatesContext): readonly Send[] {
  const { exhaustibleTargets: targets, exhaustibleNote: note, random, invalid } = context;
  const bad = api.as(invalid('a key that nobody holds', `${keyPrefix}${random.uuid()}`));
  const always = [accepting(bad, 'GET /me'), accepting(api, 'POST /companies', { body: {} })];
  if (targets === undefined || note === undefined) return always;
  const onNote = { company_id: note.company, note_id: note.id };
  const [lastNote, lastKey] = [targets.notes.at(-1), targets.keys.at(-1)];
  return [
    ...always,
    accepting(api, editNote, { path: onNote, body: { text: note.text } }),
    accepting(api, createNote, repetitionOf(note.company, note.reply)),
    ...(lastNote ? [accepting(api, deleteNote, { path: { ...onNote, note_id: lastNote.id } })] : []),
    ...(lastKey ? [accepting(api, 'DELETE /api-keys/{key_id}', { path: { key_id: lastKey.id } })] : []),
  ];
}

/** The first validations of a quiet minute, each after another request; the rules of every reply judge them. */
async function begin(send: Send, limit: number, api: Api, context: ValidatesContext): Promise<readonly Reply[]> {
  const before = context.random.shuffled(requestsBefore(api, context)).slice(0, Math.floor(limit / 2));
  await context.limits.quiet([context.exhaustible], 'validate');
  const begun = [await unlessUndecided(send())];
  for (const happening of before) {
    await unlessUndecided(happening());
    begun.push(await unlessUndecided(send()));
  }
  return begun.filter((reply) => reply !== undefined);
}

/** Shares of the account's limits; the rest is left to others. */
const shares = { read: 0.7, write: 0.3 } as const;

/** Reads and writes of the key, an equal key and the sibling, for when validations are spent; the writes change nothing. */
function otherClasses(api: Api, context: ValidatesContext): Readonly<Record<keyof typeof shares, readonly Send[]>> {
  const { exhaustible, exhaustibleCompany: company, exhaustibleNote: note, limits, random, effort } = context;
  const { exhaustibleTargets: targets, sibling } = context;
  if (effort === 'quick' || company === undefined) return { read: [], write: [] };
  const slug = targets?.slug;
  const some = (rate: keyof typeof shares, all: readonly Send[]): readonly Send[] =>
    random.shuffled(all).slice(0, Math.floor((limits.reported(exhaustible, rate) ?? 0) * shares[rate]));
  // Of the keys that were made, the bursts of writes revoked the first, and the last is revoked later.
  const equal = targets?.keys.at(1)?.credential;
  const theirs = [sibling, equal].flatMap((one) => (one ? sameReads([{ api: api.as(one) }], company.id, random) : []));
  // Several, as nodes may answer in turn.
  const health = Array.from({ length: 3 }, () => accepting(api, 'GET /health'));
  return {
    read: some('read', [...health, ...readWays(api, company, random, slug).flat(), ...theirs]),
    write: some('write', idleWrites(api, company.id, random, slug, note)),
  };
}

export const validatesExhausted = conforms(
  ids,
  {
    needs: ['exhaustible'],
    wants,
    writes: [2, 16, 16],
    reads: [2, 146, 146],
    refused: [0, 60, 60],
    validates: [79, 120, 120],
    leaves: { companies: 1 },
    exhausts: true,
  },
  async (context) => {
    const { exhaustible, limits, random, effort, observe } = context;
    const { limit } = allowanceOf(limits, exhaustible, 'validate');
    const { token } = exhaustible;
    if (token === undefined) throw new NotTested(`${exhaustible.name} is not a key that could be validated`);
    const api = context.api.as(exhaustible);
    const unauthenticated = context.api.as(anonymous);
    const send = of(api, token);
    const [company_id, note_id] = unknownIds(random, []);
    const read = accepting(api, 'GET /me');
    const write = accepting(api, deleteNote, { path: { company_id, note_id } });
    await limits.room(exhaustible, 'read', 2);
    await limits.room(exhaustible, 'write', 2);
    // Show that both are accepted before the validations are spent.
    await controlOf(read, context);
    await controlOf(write, context);
    const begun = effort === 'quick' ? [] : await begin(send, limit, api, context);
    const { allowance, last } = await exceed('validate', async () => send, context, begun);
    await judgeDoubtful(last.refused, context);

    const more = otherClasses(api, context);
    const [reads, writes] = [
      [read, ...more.read],
      [write, ...more.write],
    ];
    await limits.room(exhaustible, 'read', reads.length);
    await limits.room(exhaustible, 'write', writes.length);
    await sendUnaffected(send, allowance, [...reads, ...writes], context);

    const validated = await whileSpent(send, allowance, [
      of(unauthenticated, token),
      of(unauthenticated, context.api.credential.token ?? ''),
      of(unauthenticated, `${keyPrefix}${random.uuid()}`),
    ]);
    const [same, other, unknown] = validated.map((reply) => (isThrottled(reply) ? 'refused' : 'served'));
    observe(
      'rate-limits-validate-charged',
      `while the validations of a key are spent: the same key without credentials is ${same}, another key ${other}, an unknown key ${unknown}`,
      ...validated.filter((reply) => reply !== undefined),
    );
    // An account that has just been exhausted has no requests left.
    if (effort !== 'quick' && exhaustible.name !== context.api.credential.name) await readLate(context);
  },
);

/**
 * After some minutes replies may have changed: bad tokens on every operation but those of API keys, as the account may
 * have no key to name, and reads. Concurrent, so that slow replies cost little time; the rules judge the replies.
 */
async function readLate({ api, callFor, sibling, ...tools }: ValidatesContext): Promise<void> {
  const { random, make } = tools;
  const altered = [...tokens.unknownKeys(tools), ...tokens.alteredKeys(tools, api.credential)];
  const bad = [...altered, ...tokens.malformedTokens(tools)];
  const addHeaders = optionalHeaders(random, []);
  const operations = callFor ? protectedIds.filter((id) => !id.includes('/api-keys')) : [];
  // Bad tokens belong to no account. Where something limits them all the same, this is no time to wait for it.
  await Promise.all(
    random.shuffled(operations).flatMap((operation, place) => {
      const call = trickyCall(operation, callFor?.(operation, make) ?? {}, random);
      const credential = bad[place % bad.length] ?? anonymous;
      return [anonymous, credential].map((one) =>
        unlessUndecided(accepting(api.as(one), operation, addHeaders(operation, call))()),
      );
    }),
  );
  const callers = [api, ...(sibling ? [api.as(sibling)] : [])];
  await Promise.all(
    callers.map((one, place) => unlessUndecided(callOn({ api: one }, random.derive(`late ${place}`), false))),
  );
}
