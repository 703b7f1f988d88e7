// Decides what became of a recorded failure once its cases ran again: fixed only if the same request was sent again, no
// sooner, and judged by the same rule.
import type { CaseResult, Report, ReportedExchange, RequirementResult, RunResult } from '../result.ts';
import { restsOn } from './slice.ts';

export type Outcome =
  | { readonly word: 'FIXED' }
  | { readonly word: 'STILL'; readonly failures: readonly CaseResult[] }
  | { readonly word: 'CANNOT'; readonly why: string };

export const failedIn = (row: RequirementResult | undefined): readonly CaseResult[] =>
  row?.cases.filter(({ verdict }) => verdict === 'failed') ?? [];

/** The exchanges that show a failure, and the earlier ones of the same cases that led to it. */
interface Shown {
  readonly shown: readonly ReportedExchange[];
  readonly steps: readonly ReportedExchange[];
}

const idsBehind = ({ failure }: CaseResult): readonly number[] => (failure ? restsOn(failure) : []);

function shownBy(one: CaseResult, { exchanges }: Report): Shown {
  const ids = new Set(idsBehind(one));
  const shown = exchanges.filter(({ id }) => one.failure?.exchanges.includes(id));
  const owners = new Set(shown.map((each) => each.case));
  return { shown, steps: exchanges.filter((each) => ids.has(each.id) && owners.has(each.case)) };
}

/** The cases to run again: those that judged it, and those that sent what led to it. */
export function casesOf(row: RequirementResult, { exchanges }: Report): ReadonlySet<string> {
  const failed = failedIn(row);
  const ids = new Set(failed.flatMap(idsBehind));
  const asked = exchanges.flatMap((one) => (ids.has(one.id) ? (one.case ?? []) : []));
  return new Set([...failed.flatMap((one) => one.case ?? []), ...asked]);
}

const sentAt = ({ at }: ReportedExchange): number => Date.parse(at);

const writesBefore = ({ id }: ReportedExchange, steps: readonly ReportedExchange[]): readonly ReportedExchange[] =>
  steps.filter((step) => step.id < id && step.request.method !== 'GET');

/** The time in milliseconds, and the number of replies, since the last of some writes. */
interface Since {
  readonly ms: number;
  readonly replies: number;
}

function sinceLast(shown: ReportedExchange, writes: readonly ReportedExchange[]): Since {
  const last = writes.at(-1);
  return last === undefined ? { ms: 0, replies: 0 } : { ms: sentAt(shown) - sentAt(last), replies: shown.id - last.id };
}

/** The longest wait for the reads at the end of a run, in milliseconds. */
const holdMsMax = 60_000;

/** How long the reads at the end must wait, in milliseconds: as long as they did after the writes. */
export function holdMsOf(row: RequirementResult, report: Report): number {
  const pauses = failedIn(row).flatMap((one) => {
    const { shown, steps } = shownBy(one, report);
    return shown.map((each) => sinceLast(each, writesBefore(each, steps)).ms);
  });
  return Math.min(holdMsMax, Math.max(0, ...pauses));
}

const membersIn = (body = ''): readonly string[] => [...body.matchAll(/"(\w+)"\s*:/g)].map(([, name = '']) => name);

/** The same request except for its values, with no fewer members; created keys have other numbers in every run. */
function isLike(one: ReportedExchange, then: ReportedExchange): boolean {
  const queryOf = ({ request }: ReportedExchange) => [...new URL(request.url).searchParams.keys()].join();
  const senderOf = ({ request }: ReportedExchange) => request.credential.replace(/\d+/g, '');
  const members = new Set(membersIn(one.request.body));
  return (
    one.case === then.case &&
    one.operation === then.operation &&
    senderOf(one) === senderOf(then) &&
    queryOf(one) === queryOf(then) &&
    membersIn(then.request.body).every((name) => members.has(name))
  );
}

/** Pacing may be a little faster. */
const slackMs = 1_000;

/**
 * A failure after a longer wait than any case has, in milliseconds, or after more replies, may be due to anything sent
 * meanwhile.
 */
const lateMs = 10_000;
const lateReplies = 100;

const isLate = ({ ms, replies }: Since): boolean => ms >= lateMs || replies >= lateReplies;

/**
 * The run has an equal request, after equals of all writes that led to it, no sooner, and after as many replies if it
 * came late.
 */
function wasAskedAgain(
  shown: ReportedExchange,
  steps: readonly ReportedExchange[],
  transcript: readonly ReportedExchange[],
): boolean {
  const writes = writesBefore(shown, steps);
  const likes = transcript.filter((other) => writes.some((write) => isLike(other, write)));
  const then = sinceLast(shown, writes);
  return transcript.some((one) => {
    if (!isLike(one, shown)) return false;
    const earlier = writesBefore(one, likes);
    const now = sinceLast(one, earlier);
    const isWhole = writes.every((write) => earlier.some((other) => isLike(other, write)));
    return isWhole && now.ms >= then.ms - slackMs && (!isLate(then) || now.replies >= then.replies);
  });
}

/** The verdict on the same question now. */
export function outcomeOf(then: RequirementResult, before: Report, { report, transcript }: RunResult): Outcome {
  if (report.verdict === 'aborted') return { word: 'CANNOT', why: report.reason ?? 'the run was aborted' };
  const now = report.requirements.find(({ id }) => id === then.id);
  const failures = failedIn(now);
  if (failures.length > 0) return { word: 'STILL', failures };
  const cases = now?.cases.filter(({ unseen }) => !unseen) ?? [];
  const open = cases.find(({ verdict }) => verdict === 'not-tested' || verdict === 'inconclusive');
  if (open) return { word: 'CANNOT', why: open.reason ?? 'it was not judged' };
  const failed = failedIn(then);
  const holdsIn = (title: string | undefined): boolean =>
    title !== undefined &&
    failed.some((one) => one.case === title) &&
    cases.some((one) => one.case === title && one.verdict === 'passed');
  const holds = (one: CaseResult): boolean => {
    const { shown, steps } = shownBy(one, before);
    const isAgain = (each: ReportedExchange): boolean => {
      // The case that sent it also judged it, and waits by itself as long as it did.
      const isJudged = holdsIn(one.case ?? each.case) && !isLate(sinceLast(each, writesBefore(each, steps)));
      return isJudged || wasAskedAgain(each, steps, transcript);
    };
    return (shown.length > 0 || holdsIn(one.case)) && shown.every(isAgain);
  };
  const missing = failed.find((one) => !holds(one));
  if (missing === undefined) return { word: 'FIXED' };
  const where = missing.operation === undefined ? '' : ` at ${missing.operation}`;
  return { word: 'CANNOT', why: `what showed it${where} was not asked again in the same way` };
}
