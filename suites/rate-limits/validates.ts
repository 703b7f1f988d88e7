// Exceeds the limit of key validations, which are counted separately.
import {
  type Api,
  anonymous,
  type Context,
  type Credential,
  conforms,
  createNote,
  deleteNote,
  editNote,
  type Fixtures,
  idempotencyKeyOf,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { orLost } from '../shared/attempt.ts';
import { keyPrefix } from '../shared/keys.ts';
import { unknownIds } from '../shared/unknown.ts';
import { allowanceOf, bursts, ensureShown, isRefused, type Send } from './burst.ts';
import type { Allowance } from './counted.ts';
import { readLate } from './late.ts';
import { accepting, controlOf, readLooks, sameReads } from './reads.ts';
import { wordIds } from './refusal-rules.ts';
import { judgeDoubtful } from './refusals.ts';
import { besideSpentAgain, whileSpent } from './spent.ts';
import { idleWrites } from './writes.ts';

const validate = 'POST /auth/validate-api-key';
const of = (api: Api, token: string): Send => accepting(api, validate, { body: { api_key: token } });

const ids = [
  'rate-limits-validate-allowed',
  'rate-limits-validate-enforced',
  ...wordIds,
  'rate-limits-validate-apart',
  'rate-limits-validate-charged',
] as const;
const exhausted = ['exhaustibleTargets', 'exhaustibleCompany', 'exhaustibleNote', 'sibling'] as const;
const wants = [...exhausted, 'callFor'] as const;
type ValidatesContext = Context<(typeof ids)[number], 'exhaustible'> & Partial<Pick<Fixtures, (typeof wants)[number]>>;

/** The keys created for this account that are still accepted, without the last: it is revoked later. */
async function livingKeys(api: Api, context: ValidatesContext): Promise<readonly Credential[]> {
  const { exhaustible, exhaustibleTargets: targets, limits } = context;
  const keys = (targets?.keys ?? []).slice(0, -1).map(({ credential }) => credential);
  await limits.room(exhaustible, 'read', keys.length);
  const replies = await Promise.all(keys.map((one) => orLost(accepting(api.as(one), 'GET /me')())));
  return keys.filter((_, place) => {
    const reply = replies[place];
    return reply !== undefined && wasAccepted(reply);
  });
}

/** Requests that may come right before a validation; none creates anything new. */
function happenings(api: Api, context: ValidatesContext): readonly Send[] {
  const { exhaustibleTargets: targets, exhaustibleNote: note, random, invalid } = context;
  const bad = api.as(invalid('a key that nobody holds', `${keyPrefix}${random.uuid()}`));
  const always = [accepting(bad, 'GET /me'), accepting(api, 'POST /companies', { body: {} })];
  if (targets === undefined || note === undefined) return always;
  const { company: company_id, id: note_id, reply, text } = note;
  const key = idempotencyKeyOf(reply);
  const repeated = { path: { company_id }, text: reply.request.body ?? '' };
  const deletions = targets.notes
    .slice(-1)
    .map((one) => accepting(api, deleteNote, { path: { company_id: one.company, note_id: one.id } }));
  const revocations = targets.keys
    .slice(-1)
    .map(({ id }) => accepting(api, 'DELETE /api-keys/{key_id}', { path: { key_id: id } }));
  return [
    ...always,
    accepting(api, editNote, { path: { company_id, note_id }, body: { text } }),
    ...(key === undefined ? [] : [accepting(api, createNote, { ...repeated, key })]),
    ...deletions,
    ...revocations,
  ];
}

/** The first validations of a quiet minute, each after another request; the rules of every reply judge them. */
async function begin(send: Send, allowance: Allowance, before: readonly Send[]): Promise<Reply[]> {
  const begun: (Reply | undefined)[] = [await orLost(send())];
  for (const happening of before.slice(0, Math.floor(allowance.limit / 2))) {
    await orLost(happening());
    begun.push(await orLost(send()));
  }
  return begun.filter((reply) => reply !== undefined);
}

/** Several, as nodes may answer in turn. */
const healthAsked = 3;

/** Shares of the account's limits; the rest is left to others. */
const shares = { read: 0.7, write: 0.3 } as const;

/** Reads and writes of the key, an equal key and the sibling, for when validations are spent; the writes change nothing. */
function besides(api: Api, living: readonly Credential[], context: ValidatesContext): readonly (readonly Send[])[] {
  const { exhaustible, exhaustibleCompany: company, exhaustibleNote: note, limits, random } = context;
  const { exhaustibleTargets: targets, sibling } = context;
  if (company === undefined) return [];
  const some = (rate: 'read' | 'write', all: readonly Send[]): readonly Send[] =>
    random.shuffled(all).slice(0, Math.floor((limits.reported(exhaustible, rate) ?? 0) * shares[rate]));
  const callers = [...(sibling ? [sibling] : []), ...living.slice(0, 1)];
  const theirs = callers.flatMap((one) => sameReads([api.as(one)], company.id, random, 4).flat());
  const health = Array.from({ length: healthAsked }, () => accepting(api, 'GET /health'));
  const reads = some('read', [...health, ...readLooks(api, company, random, targets?.slug), ...theirs]);
  return [reads, some('write', idleWrites(api, company.id, random, { slug: targets?.slug, note }))];
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
    const { exhaustible, clock, limits, random, effort, check, observe } = context;
    const allowance = allowanceOf(limits, exhaustible, 'validate');
    const { token } = exhaustible;
    if (token === undefined) throw new NotTested(`${exhaustible.name} is not a key that could be validated`);
    const api = context.api.as(exhaustible);
    const unauthenticated = context.api.as(anonymous);
    const send = of(api, token);
    const [company, note] = unknownIds(random, []);
    const read = accepting(api, 'GET /me');
    const write = accepting(api, deleteNote, { path: { company_id: company, note_id: note } });
    const living = effort === 'quick' ? [] : await livingKeys(api, context);
    await limits.room(exhaustible, 'read', 2);
    await limits.room(exhaustible, 'write', 2);
    // Show that both are accepted before the validations are spent.
    await controlOf(read, context);
    await controlOf(write, context);
    const quiet = () => limits.quiet([exhaustible], 'validate');
    const before = effort === 'quick' ? [] : random.shuffled(happenings(api, context));
    if (before.length > 0) await quiet();
    const begun = before.length > 0 ? await begin(send, allowance, before) : [];
    const tried = await bursts(send, allowance, { clock, quiet, begun });
    await ensureShown(check, ['rate-limits-validate-allowed', 'rate-limits-validate-enforced'], tried);
    await judgeDoubtful(tried.last.refused, context);

    const [moreReads = [], moreWrites = []] = effort === 'quick' ? [] : besides(api, living, context);
    const reads = [read, ...moreReads];
    const room = async (looks: readonly Send[]) => {
      const count = looks.filter((look) => reads.includes(look)).length;
      await limits.room(exhaustible, 'read', count);
      await limits.room(exhaustible, 'write', looks.length - count);
    };
    await besideSpentAgain(send, allowance, [...reads, write, ...moreWrites], context, room);

    const validated = await whileSpent(send, allowance, [
      of(unauthenticated, token),
      of(unauthenticated, context.api.credential.token ?? ''),
      of(unauthenticated, `${keyPrefix}${random.uuid()}`),
    ]);
    const words = (reply: Reply | undefined) => (reply && isRefused(reply) ? 'refused' : 'served');
    const [same, other, unknown] = validated.map(words);
    observe(
      'rate-limits-validate-charged',
      `while the validations of a key are spent: the same key without credentials is ${same}, another key ${other}, an unknown key ${unknown}`,
      ...validated.filter((reply) => reply !== undefined),
    );
    // An account that has just been exhausted has no requests left.
    if (effort !== 'quick' && exhaustible.name !== context.api.credential.name) await readLate(context);
  },
);
