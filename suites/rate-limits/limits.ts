// Exceeds the read and the write limit within a minute, and sends again after the wait; the rules judge the replies.
import {
  type Api,
  at,
  type Context,
  type Credential,
  conforms,
  createNote,
  editNote,
  listNotes,
  NotTested,
  type Reply,
  type RequirementId,
} from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import * as tokens from '../shared/invalid-tokens.ts';
import { revokedName } from '../shared/keys.ts';
import { unlessUndecided } from '../shared/unless.ts';
import type { Caller } from '../walk/reads.ts';
import { allowanceOf, exceed, isThrottled, leaveOpen, type Send } from './burst.ts';
import { accepting, controlOf, othersThan, readWays, sameReads } from './reads.ts';
import { choicesIn, judgeDoubtful, type Retry, recover } from './refusals.ts';
import { wordIds } from './rules.ts';
import { sendUnaffected, whileSpent } from './spent.ts';
import { idleWrites, type Writer, writerOf } from './writes.ts';

/** What stays untested where a class cannot be exceeded. */
const shownByEach = [
  ...wordIds,
  ...(['rate-limits-refused-recovery', 'rate-limits-every-operation', 'rate-limits-keys-together'] as const),
] as const;
const shownBy = {
  read: ['rate-limits-read-allowed', 'rate-limits-read-enforced', 'rate-limits-read-write-apart', ...shownByEach],
  write: ['rate-limits-write-allowed', 'rate-limits-write-enforced', ...shownByEach],
} as const;
const observed = [
  'rate-limits-refused-retry-after',
  'rate-limits-headers',
  'rate-limits-algorithm',
  'rate-limits-refused-counted',
] as const;
const ids = [
  ...[...shownBy.read, 'rate-limits-write-allowed', 'rate-limits-write-enforced', 'rate-limits-refused-effect'],
  ...['rate-limits-accounts-apart', ...observed, 'rate-limits-health'],
] as const satisfies readonly RequirementId[];
const needs = ['exhaustible', 'exhaustibleCompany', 'exhaustibleNote', 'exhaustibleTargets', 'spare'] as const;
const wants = ['secondary', 'session', 'memberships', 'sibling'] as const;
type LimitsContext = Context<(typeof ids)[number], (typeof needs)[number], (typeof wants)[number]>;

type Rate = keyof typeof shownBy;

/** Runs the work of one class. If it cannot be tested, its requirements get that reason and the other class goes on. */
async function attempt<T>(rate: Rate, { check }: LimitsContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotTested)) throw error;
    for (const id of shownBy[rate]) await leaveOpen(check, id, error);
    return undefined;
  }
}

/** Who else shares the allowance: the sibling, a key made by the exhausted one, and a session that has stored this account. */
function sharersOf({ api, exhaustibleTargets, session, memberships, sibling }: LimitsContext): readonly Caller[] {
  const { keys, slug } = exhaustibleTargets;
  const others = [sibling, keys.at(-1)?.credential].flatMap((one): Caller[] => (one ? [{ api: api.as(one) }] : []));
  const isOnAccount = slug !== undefined && memberships?.active?.slug === slug;
  return session && isOnAccount ? [...others, { api: api.as(session), under: { account: slug } }] : others;
}

/** Few: if they do not count here, they must not use up a limit of their own. */
const sharedWrites = [editNote, createNote, 'POST /companies', 'POST /contacts'] as const;

/** From this write limit on, one more write hardly matters. */
const manyWrites = 10;

/** Also says whether the health check is served while the reads are spent. */
async function exceedReads(writer: Writer, read: Send, sharers: readonly Caller[], context: LimitsContext) {
  const { limits, random, exhaustible, exhaustibleCompany: company, effort, observe } = context;
  const { spare, secondary, session } = context;
  const isQuick = effort === 'quick';
  const api = context.api.as(exhaustible);
  await limits.quiet([exhaustible], 'read');
  // Shows that writes are accepted before the reads are spent.
  await controlOf(writer.edit, context);
  const path = { company_id: company.id };
  const page = isQuick ? undefined : await unlessUndecided(accepting(api, listNotes, { path, query: { limit: 1 } })());
  const cursor = at(page?.json, 'pagination', 'next_cursor');
  const next = typeof cursor === 'string' ? [accepting(api, listNotes, { path, query: { limit: 1, cursor } })] : [];
  const exceeded = await exceed('read', async () => read, context, page ? [page] : []);

  const others = othersThan(exhaustible, [context.api.credential, spare, ...(isQuick ? [] : [secondary, session])]);
  // Two of each, as two nodes may answer in turn.
  const theirs = others.flatMap((one) =>
    (['GET /me', 'GET /companies'] as const).map((operation) => accepting(context.api.as(one), operation)),
  );
  const isFew = isQuick || (limits.reported(exhaustible, 'write') ?? 0) < manyWrites;
  const writes = isFew ? [writer.edit] : [writer.edit, writer.create];
  const unaffected = [accepting(api, 'GET /health'), ...writes, ...theirs];
  const [health] = await sendUnaffected(read, exceeded.allowance, unaffected, context, others);
  if (health) observe('rate-limits-health', isThrottled(health) ? answerOf(health) : 'served', health);

  // Every read, with any parameters and headers, which are drawn anew each time.
  const ways = () => readWays(api, company, random, context.exhaustibleTargets.slug).flat();
  const profiles = sharers.map((one) => accepting(one.api, 'GET /me', one.under));
  const shared = isQuick ? profiles : [...profiles, ...sameReads([{ api }, ...sharers], company.id, random)];
  const all = [...ways(), ...next, ...(effort === 'thorough' ? ways() : []), ...shared];
  return { ...exceeded, answers: await whileSpent(read, exceeded.allowance, all) };
}

/** Writes sent while the reads were spent belong to this minute, which was quiet before them. */
async function exceedWrites(writer: Writer, shared: readonly Send[], context: LimitsContext) {
  const { api, clock, limits, make, effort, exhaustible, exhaustibleCompany: company, exhaustibleTargets } = context;
  const { limit } = allowanceOf(limits, exhaustible, 'write');
  const begun = writer.written.filter(({ sentAt }) => sentAt > clock.now() - limits.minuteMs);
  const dead = exhaustibleTargets.dead?.credential.token;
  const gone = dead === undefined ? [] : [context.invalid(revokedName, dead)];
  const bad = effort === 'quick' ? [] : [...tokens.alteredKeys(context, exhaustible), ...gone];
  const path = { company_id: company.id };
  const forge = (credential: Credential): Promise<Reply> =>
    accepting(api.as(credential), createNote, { path, body: { text: make.name('write of nobody') } })();
  // Valid writes with altered or revoked keys of the account, before each burst, must not count against its limit.
  const start = async (): Promise<Send> => {
    await Promise.all([...bad, ...bad].map((one) => unlessUndecided(forge(one))));
    return writer.varied(Math.floor(limit / 2));
  };
  const exceeded = await exceed('write', start, context, begun);
  const looks = [...shared, writer.retried];
  return { ...exceeded, answers: await whileSpent(writer.edit, exceeded.allowance, looks) };
}

/** Reads the records that refused writes named, after the limits have recovered. */
async function readAfterRecovery({ api: primary, exhaustible, ...context }: LimitsContext) {
  const api = primary.as(exhaustible);
  const path = { company_id: context.exhaustibleCompany.id };
  const query = { limit: 150 };
  await api.send('GET /companies/{company_id}', { path });
  await api.send(listNotes, { path, query });
  for (const list of ['GET /companies', 'GET /contacts', 'GET /api-keys'] as const) await api.send(list, { query });
  for (const { credential } of context.exhaustibleTargets.keys) await api.as(credential).send('GET /me');
}

const sends = { writes: 110, reads: [437, 444, 510], refused: [0, 10, 10] } as const;

/** Reads first: the writes sent while they are spent begin the burst of writes. */
export const limitsExceeded = conforms(ids, { needs, wants, ...sends, exhausts: true }, async (context) => {
  const { exhaustible, exhaustibleCompany: company, exhaustibleNote: note, exhaustibleTargets: targets } = context;
  const { limits, random, effort, observe } = context;
  const api = context.api.as(exhaustible);
  const read = accepting(api, 'GET /me');
  const writerAs = (one: Api) => writerOf(one, context, { company, note, targets });
  const writer = writerAs(api);
  const sharers = sharersOf(context);
  const none = 'no second key can be made, and COVENANT_RATE_API_KEY_SIBLING is not set';
  const why = sharers.length === 0 ? new NotTested(none) : undefined;
  await leaveOpen(context.check, 'rate-limits-keys-together', why);
  const shared = sharers.flatMap((one) =>
    sharedWrites.map((operation) => writerAs(one.api).write(operation, one.under)),
  );
  await limits.quiet([exhaustible], 'write');
  const reads = await attempt('read', context, () => exceedReads(writer, read, sharers, context));
  if (!reads) observe('rate-limits-health', 'cannot be seen');
  const writes = await attempt('write', context, () => exceedWrites(writer, shared, context));
  const refused = [reads, writes].flatMap((one) => (one ? [...one.last.refused, ...one.answers] : []));
  await judgeDoubtful(refused, context);

  const recovered = (rate: Rate, exceeded: typeof reads, requests: Omit<Retry, 'allowance'>) =>
    exceeded && attempt(rate, context, () => recover({ ...exceeded, ...requests }, context));
  const idle = idleWrites(api, company.id, random, targets.slug);
  const [last] = await Promise.all([
    recovered('read', reads, { send: read, looks: readWays(api, company, random, targets.slug).flat() }),
    recovered('write', writes, { send: writer.edit, looks: idle, after: writer.retried }),
  ]);
  const choices = reads && last ? choicesIn(reads, last) : undefined;
  for (const id of observed) observe(id, choices?.[id] ?? 'cannot be seen', ...(last ? [last] : []));
  // Repeats a write that was first refused and then accepted; the rules judge the reply.
  if (writes && effort !== 'quick') await unlessUndecided(writer.repeat());
  if (writes) await readAfterRecovery(context);
});
