// A report in sentences: its verdict, what was selected, what rules out a certificate, and why something was not tested.
import { documentedMinuteMs } from '../catalogue/operations.ts';
import { defaultProfile } from '../catalogue/profiles.ts';
import type { Ruling } from '../catalogue/requirement.ts';
import { failedStrictly } from '../gate/exit-code.ts';
import type { JudgedTotals, Report, ReportedExchange, RequirementResult } from '../result.ts';
import { grouped } from '../runtime/grouped.ts';
import { counted, duration, visible } from '../runtime/text.ts';

export const sumOf = (totals: JudgedTotals): number =>
  totals.passed + totals.failed + totals.not_tested + totals.inconclusive;

/** How long a run took by the clock on the wall; of one whose clock stood still while it worked, how long it waited. */
export const took = ({ duration_ms, clock_rate }: Report['run']): string =>
  clock_rate === undefined ? duration(duration_ms) : `${duration(duration_ms / clock_rate)} of waiting`;

/** MUST requirements that say neither yes nor no. */
export const undecided = (totals: JudgedTotals): number => totals.not_tested + totals.inconclusive;

/** `server-to-server profile`, where the target does not declare the whole interface. */
export const profileOf = ({ run: { options } }: Report): string | undefined =>
  options.profile === defaultProfile ? undefined : `${options.profile} profile`;

/** What a command line needs to ask in the same profile; begins with a blank. */
export const profileOption = (report: Report): string =>
  profileOf(report) === undefined ? '' : ` --profile ${report.run.options.profile}`;

/** The verdict in a word, and under which profile. */
export function verdictWord(report: Report): string {
  const profile = profileOf(report);
  return profile === undefined ? report.verdict : `${report.verdict} (${profile})`;
}

/** What the profile leaves out by declaration: `28 requirements, 20 of them MUST`; undefined where there is nothing. */
export function outOfScope({ out_of_scope: rows = [] }: Report): string | undefined {
  const musts = rows.filter(({ level }) => level === 'must').length;
  return rows.length === 0 ? undefined : `${counted(rows.length, 'requirement')}, ${musts} of them MUST`;
}

/** `27 of 229 selected MUST requirements hold, 16 failed and 186 are open`: never one of the numbers without the others. */
function numbers(report: Report): string {
  const { must } = report.totals;
  const open = undecided(must);
  const profile = profileOf(report);
  const of = profile === undefined ? '' : ` of the ${profile}`;
  const held = `${must.passed} of ${counted(sumOf(must), 'selected MUST requirement')}${of} ${must.passed === 1 ? 'holds' : 'hold'}`;
  return `${held}, ${must.failed || 'none'} failed and ${open || 'none'} ${open === 1 || open === 0 ? 'is' : 'are'} open`;
}

/** The verdict in one sentence, with the numbers that carry it. */
export function verdictSentence(report: Report): string {
  if (report.verdict === 'aborted' && report.reason === 'interrupted')
    return 'The run was interrupted before it had judged everything; covenant run --resume goes on with it.';
  if (report.verdict === 'aborted')
    return `The run could not judge the target${report.reason === undefined ? '.' : `: ${visible(report.reason)}`}`;
  const left = outOfScope(report);
  const scope = left === undefined ? '' : ` Out of its scope by declaration: ${left}.`;
  if (sumOf(report.totals.must) > 0) return `${numbers(report)}.${scope}`;
  if (report.own) return `Nothing of the document was selected, so nothing can be said of it.${scope}`;
  return scope === ''
    ? 'Nothing was selected, so nothing can be said.'
    : `Nothing was selected that the ${profileOf(report)} includes, so nothing can be said.${scope}`;
}

/** With `--strict`: that failed recommendations fail the gate, and how many did. */
export function strictSentence(report: Report): string | undefined {
  if (report.run.options.strict !== true || report.verdict === 'aborted') return undefined;
  const count = failedStrictly(report).length;
  return count === 0
    ? 'With --strict a failed recommendation fails the gate, and none failed.'
    : `With --strict a failed recommendation fails the gate: ${counted(count, 'SHOULD requirement')} failed.`;
}

const were = ({ length }: readonly string[]): string => (length === 1 ? 'was' : 'were');

/** What the flags left out, one phrase each; empty where everything was selected. */
export function filters(report: Report): readonly string[] {
  const { options } = report.run;
  return [
    options.area === null
      ? []
      : [
          `only the ${options.area.length === 1 ? 'area' : 'areas'} ${options.area.join(', ')} ${were(options.area)} selected`,
        ],
    options.requirement === null
      ? []
      : [`only ${counted(options.requirement.length, 'requirement')} ${were(options.requirement)} selected`],
    options.shard
      ? [`only shard ${options.shard.index} of ${options.shard.of} was run, which covenant merge joins`]
      : [],
    options.read_only ? ['nothing that writes was selected, nor what only a write makes observable (--read-only)'] : [],
    options.exhaustion ? [] : ['nothing that exceeds a limit was selected (--no-exhaustion)'],
    options.effort === 'quick'
      ? ['the search was shortened, and what is only observed by further writes was left out (--effort quick)']
      : [],
  ].flat();
}

/** What rules out a certificate; empty where nothing does. */
export function certificateObstacles(report: Report): readonly string[] {
  const { must } = report.totals;
  return [
    report.verdict === 'conformant' ? [] : [`the verdict is ${report.verdict}`],
    report.verdict === 'conformant' && undecided(must) > 0
      ? [`${counted(undecided(must), 'MUST requirement')} could not be judged`]
      : [],
    filters(report),
    report.run.minute_ms === documentedMinuteMs
      ? []
      : [`the target's rate-limit minute was set to ${report.run.minute_ms} ms, not ${documentedMinuteMs} ms`],
  ].flat();
}

const byCount = <K>(groups: ReadonlyMap<K, readonly RequirementResult[]>) =>
  [...groups].sort(([, one], [, other]) => other.length - one.length);

/** The requirements that failed and stand before others, with those that wait for them; the most first. */
export function rootCauses({ requirements }: Report): readonly (readonly [string, readonly RequirementResult[]])[] {
  const waiting = requirements.filter((row) => row.waits_for !== undefined);
  return byCount(grouped(waiting, ({ waits_for: cause = '' }) => cause));
}

/** `29 requirements wait for envelope-data-present, which does not hold` */
export const waitingSentence = (cause: string, rows: readonly RequirementResult[]): string =>
  `${counted(rows.length, 'requirement')} ${rows.length === 1 ? 'waits' : 'wait'} for ${cause}, which does not hold`;

/** Requirements that were not judged and wait for no other, together by their reason, the commonest first. */
export function unjudgedByReason(report: Report): readonly (readonly [string, readonly RequirementResult[]])[] {
  const unjudged = report.requirements.filter(
    ({ verdict, waits_for }) => (verdict === 'not-tested' || verdict === 'inconclusive') && waits_for === undefined,
  );
  const reasonOf = ({ reason, cases }: RequirementResult): string =>
    reason ?? cases.find((one) => one.reason !== undefined)?.reason ?? 'no reason was given';
  return byCount(grouped(unjudged, reasonOf));
}

/** Requirements by their heading, in the order of the report. */
export const byArea = (report: Report): ReadonlyMap<RequirementResult['area'], readonly RequirementResult[]> =>
  grouped(report.requirements, ({ area }) => area);

/** Those that others wait for first. */
export function failedAt(report: Report, level: RequirementResult['level']): readonly RequirementResult[] {
  const waiting = new Map(rootCauses(report).map(([cause, rows]) => [cause, rows.length]));
  const failed = report.requirements.filter((row) => row.level === level && row.verdict === 'failed');
  return failed.toSorted((one, other) => (waiting.get(other.id) ?? 0) - (waiting.get(one.id) ?? 0));
}

/** The target's host, or its whole address where that cannot be read as one. */
export const hostOf = ({ target }: Report): string =>
  URL.canParse(target.base_url) ? new URL(target.base_url).host : target.base_url;

/** What was examined, in words that a person knows it by. */
export const targetOf = ({ target, run }: Report): string =>
  run.clock_rate === undefined ? target.base_url : 'the bundled implementation';

const longest = 400;

/** Of a long one beginning and end, because the end often says as much. */
export function compact(text: string): string {
  if (text.length <= longest) return text;
  const half = longest / 2;
  return `${text.slice(0, half)} … ${text.slice(-half)} (${text.length} characters, in full in report.json)`;
}

/** The `request_id` of a reply's body, where it has one: what a server's owner looks up in the logs. */
export function requestId(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null || !('request_id' in parsed)) return undefined;
    return typeof parsed.request_id === 'string' ? parsed.request_id : undefined;
  } catch {
    return undefined;
  }
}

/** The path with its query, without the target's own address. */
export const pathOf = ({ request }: ReportedExchange, { target }: Pick<Report, 'target'>): string =>
  request.url.startsWith(target.base_url) ? request.url.slice(target.base_url.length) : request.url;

export const credentialOf = ({ request }: ReportedExchange): string =>
  request.credential === 'none' ? 'without credentials' : `as ${request.credential}`;

const requestsShown = 12;

/** The last requests of these, equal ones together, and how many lines stood before them. */
export function sentLines(exchanges: readonly ReportedExchange[], report: Report) {
  const groups = grouped(exchanges, (one) => `${one.request.method} ${pathOf(one, report)}\n${credentialOf(one)}`);
  const lines = [...groups].map(([key, all]) => {
    const [request = '', by = ''] = key.split('\n');
    return { request, by, count: all.length };
  });
  return { lines: lines.slice(-requestsShown), more: Math.max(0, lines.length - requestsShown) };
}

/** What a rule of one's own found: its answer, why it was not judged, what failed. */
export function foundBy(
  { id, reason, cases }: RequirementResult,
  { observations }: NonNullable<Report['own']>,
): string {
  const answer = observations.find((one) => one.id === id)?.answer;
  return [answer, reason, ...new Set(cases.flatMap(({ failure }) => failure?.message ?? []))]
    .filter(Boolean)
    .join('; ');
}

export type Rulings = Readonly<Record<string, Ruling>>;

/** The command line that examines a requirement again, as it works where this one was started. */
export type Again = (requirement: string, seed: number) => string;

export interface Context {
  /** The report that this one is compared with. */
  readonly baseline?: Report;
  /** How ambiguous places are read, by the identifiers that requirements name. */
  readonly rulings?: Rulings;
  readonly again?: Again;
}
