// Exceeds the read and the write limit within a minute, and sends again after the wait; the rules judge the replies.
import {
  type Context,
  conforms,
  createNote,
  type Fixtures,
  NotTested,
  type Reply,
  type RequirementId,
} from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import { orLost } from '../shared/attempt.ts';
import * as tokens from '../shared/invalid-tokens.ts';
import { revokedName } from '../shared/keys.ts';
import { allowanceOf, type Burst, bursts, ensureShown, isRefused, leaveOpen, type Send } from './burst.ts';
import type { Allowance } from './counted.ts';
import { accepting, controlOf, firstPage, keepRoom, nextPage, noOther, othersThan, readLooks } from './reads.ts';
import { wordIds } from './refusal-rules.ts';
import { algorithmAnswer, countedAnswer, headersAnswer, judgeDoubtful, recover, retryAfterAnswer } from './refusals.ts';
import { besideSpentAgain, whileSpent } from './spent.ts';
import { Writer } from './writes.ts';

const ids = [
  'rate-limits-read-allowed',
  'rate-limits-read-enforced',
  'rate-limits-write-allowed',
  'rate-limits-write-enforced',
  ...wordIds,
  'rate-limits-refused-effect',
  'rate-limits-refused-recovery',
  'rate-limits-read-write-apart',
  'rate-limits-accounts-apart',
  'rate-limits-every-operation',
  'rate-limits-refused-retry-after',
  'rate-limits-headers',
  'rate-limits-algorithm',
  'rate-limits-refused-counted',
  'rate-limits-health',
] as const satisfies readonly RequirementId[];
const needs = ['exhaustible', 'exhaustibleCompany', 'exhaustibleNote', 'exhaustibleTargets', 'spare'] as const;
const wants = ['secondary', 'session'] as const;
type LimitsContext = Context<(typeof ids)[number], (typeof needs)[number]> &
  Partial<Pick<Fixtures, (typeof wants)[number]>>;

type Rate = 'read' | 'write';

/** Requirements that stay untested where a class cannot be exceeded. */
const shownBy = {
  read: ['rate-limits-read-allowed', 'rate-limits-read-enforced', 'rate-limits-read-write-apart'],
  write: ['rate-limits-write-allowed', 'rate-limits-write-enforced'],
} as const;
const shownByEach = [...wordIds, 'rate-limits-refused-recovery', 'rate-limits-every-operation'] as const;

/** Runs the work of one class. If it cannot be tested, its requirements get that reason and the other class goes on. */
async function attempt<T>(rate: Rate, { check }: LimitsContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotTested)) throw error;
    for (const id of [...shownBy[rate], ...shownByEach]) await leaveOpen(check, id, error);
    return undefined;
  }
}

/** The exceeded limit, the last burst, and the replies while the class was spent. */
interface Exceeded {
  readonly allowance: Allowance;
  readonly last: Burst;
  readonly answers: readonly (Reply | undefined)[];
}

/** Reads of each other account; two, as two nodes may answer in turn. */
const plain = ['GET /me', 'GET /companies'] as const;
/** From this write limit on, one more write hardly matters. */
const manyWrites = 10;

/** While the reads are spent: the health check, writes of this account, and reads of other accounts. Returns the first reply. */
async function besideReads(writer: Writer, read: Send, allowance: Allowance, context: LimitsContext) {
  const { limits, exhaustible, spare, secondary, session, effort, check } = context;
  const all = [context.api.credential, spare, ...(effort === 'quick' ? [] : [secondary, session])];
  const others = othersThan(exhaustible, all);
  const theirs = others.flatMap((one) => plain.map((operation) => accepting(context.api.as(one), operation)));
  const isFew = effort === 'quick' || (limits.reported(exhaustible, 'write') ?? 0) < manyWrites;
  const writes = isFew ? [writer.edit] : [writer.edit, writer.create];
  const looks = [accepting(context.api.as(exhaustible), 'GET /health'), ...writes, ...theirs];
  const leave = await keepRoom(limits, others, 'read');
  const [health] = await besideSpentAgain(read, allowance, looks, context).finally(leave);
  if (others.length === 0) await leaveOpen(check, 'rate-limits-accounts-apart', noOther);
  return health;
}

async function exceedReads(writer: Writer, read: Send, context: LimitsContext): Promise<Exceeded> {
  const { clock, limits, random, exhaustible, effort, check, observe } = context;
  const api = context.api.as(exhaustible);
  const allowance = allowanceOf(limits, exhaustible, 'read');
  const { company, targets } = writer.records;
  const quiet = () => limits.quiet([exhaustible], 'read');
  await quiet();
  // Shows that writes are accepted before the reads are spent.
  await controlOf(writer.edit, context);
  const page = effort === 'quick' ? undefined : await orLost(firstPage(api, company)());
  const tried = await bursts(read, allowance, { clock, quiet, begun: page ? [page] : [] });
  await ensureShown(check, ['rate-limits-read-allowed', 'rate-limits-read-enforced'], tried);
  const health = await besideReads(writer, read, allowance, context);
  if (health) observe('rate-limits-health', isRefused(health) ? answerOf(health) : 'served', health);
  // Every read, with any parameters and headers, which are drawn anew each time.
  const looks = () => readLooks(api, company, random, targets.slug);
  const again = Array.from({ length: effort === 'thorough' ? 4 : 1 }, looks).flat();
  const all = [...looks(), ...nextPage(api, company, page), ...again.filter((_, place) => place % 2 === 1)];
  return { allowance, last: tried.last, answers: await whileSpent(read, allowance, all) };
}

/** Forged requests before the first writes of each burst; few enough not to look like an attack. */
const forgedMax = 40;

/** Adds valid writes with altered or revoked keys of the account to a burst: they must not count against its limit. */
function amidForged(
  send: Send,
  { records: { company, targets } }: Writer,
  context: LimitsContext,
): { readonly send: Send; readonly begin: () => void } {
  const { api, exhaustible, make, effort } = context;
  const dead = targets.dead?.credential.token;
  const gone = dead === undefined ? [] : [context.invalid(revokedName, dead)];
  const bad = effort === 'quick' ? [] : [...tokens.alteredKeys(context, exhaustible), ...gone];
  let turn = 0;
  const amid: Send = async () => {
    turn += 1;
    const credential = bad[turn % Math.max(1, bad.length)];
    if (credential && turn <= forgedMax) {
      const call = { path: { company_id: company.id }, body: { text: make.name('write of nobody') } };
      await orLost(accepting(api.as(credential), createNote, call)());
    }
    return send();
  };
  const begin = (): void => {
    turn = 0;
  };
  return { send: amid, begin };
}

/** Writes sent while the reads were spent belong to this minute, which was quiet before them. */
async function exceedWrites(writer: Writer, context: LimitsContext): Promise<Exceeded> {
  const { clock, limits, exhaustible, check } = context;
  const allowance = allowanceOf(limits, exhaustible, 'write');
  const begun = writer.written.filter(({ sentAt }) => sentAt > clock.now() - limits.minuteMs);
  const amid = amidForged(writer.varied(Math.floor(allowance.limit / 2)), writer, context);
  const quiet = async () => {
    await limits.quiet([exhaustible], 'write');
    writer.begin();
    amid.begin();
  };
  const tried = await bursts(amid.send, allowance, { clock, quiet, begun });
  await ensureShown(check, ['rate-limits-write-allowed', 'rate-limits-write-enforced'], tried);
  const answers = await whileSpent(writer.edit, allowance, [...writer.looks(), writer.retried]);
  return { allowance, last: tried.last, answers };
}

/** After recovery: reads the records that refused writes named. */
async function aftermath({ records: { company, targets } }: Writer, { api: primary, exhaustible }: LimitsContext) {
  const api = primary.as(exhaustible);
  const path = { company_id: company.id };
  const query = { limit: 150 };
  await api.send('GET /companies/{company_id}', { path });
  await api.send('GET /companies/{company_id}/notes', { path, query });
  for (const list of ['GET /companies', 'GET /contacts', 'GET /api-keys'] as const) await api.send(list, { query });
  for (const { credential } of targets.keys) await api.as(credential).send('GET /me');
}

function observeReads(exceeded: Exceeded | undefined, refused: Reply | undefined, { observe }: LimitsContext): void {
  const seen = exceeded && refused ? { ...exceeded, refused } : undefined;
  const answers = {
    'rate-limits-refused-retry-after': seen && retryAfterAnswer(seen.refused),
    'rate-limits-headers': seen && headersAnswer(seen.last),
    'rate-limits-algorithm': seen && algorithmAnswer(seen.last, seen.allowance),
    'rate-limits-refused-counted': seen && countedAnswer(seen.last, seen.refused),
  } as const;
  for (const id of Object.keys(answers) as (keyof typeof answers)[])
    observe(id, answers[id] ?? 'cannot be seen', ...(refused ? [refused] : []));
}

const sends = { writes: 110, reads: [437, 444, 510], refused: [0, 40, 40] } as const;

/** Reads first: the writes sent while they are spent begin the burst of writes. */
export const limitsExceeded = conforms(ids, { needs, wants, ...sends, exhausts: true }, async (context) => {
  const {
    exhaustible,
    exhaustibleCompany: company,
    exhaustibleNote: note,
    exhaustibleTargets: targets,
    limits,
    effort,
    observe,
  } = context;
  const api = context.api.as(exhaustible);
  const read = accepting(api, 'GET /me');
  const writer = new Writer(api, context, { company, note, targets });
  await limits.quiet([exhaustible], 'write');
  const reads = await attempt('read', context, () => exceedReads(writer, read, context));
  if (!reads) observe('rate-limits-health', 'cannot be seen');
  const writes = await attempt('write', context, () => exceedWrites(writer, context));
  const refused = [reads, writes].flatMap((one) => (one ? [...one.last.refused, ...one.answers] : []));
  await judgeDoubtful(refused, context);

  const recovered = (rate: Rate, send: Send, exceeded: Exceeded | undefined, looks: readonly Send[], after = send) => {
    if (!exceeded) return undefined;
    const { allowance } = exceeded;
    return attempt(rate, context, () => recover({ send, allowance, looks, after }, context));
  };
  const [last] = await Promise.all([
    recovered('read', read, reads, readLooks(api, company, context.random, targets.slug)),
    recovered('write', writer.edit, writes, writer.idle(), writer.retried),
  ]);
  observeReads(reads, last, context);
  // Repeats a write that was first refused and then accepted; the rules judge the reply.
  if (writes && effort !== 'quick') await orLost(writer.repeated());
  if (writes) await aftermath(writer, context);
});
