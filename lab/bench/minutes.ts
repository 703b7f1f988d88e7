// How long a run takes under the document's limits, in virtual time, beside the least time that its requests need.
import { type OperationId, operations } from '../../lib/catalogue/operations.ts';
import type { Effort } from '../../lib/configuration/settings.ts';
import type { Report, ReportedExchange } from '../../lib/result.ts';
import { costOf } from '../../lib/run/cost.ts';
import { validates } from '../../lib/run/plan.ts';
import { select } from '../../lib/run/selection.ts';
import { suites } from '../../suites/index.ts';
import { defaultSettings, examine } from '../examine.ts';
import type { Choices, Limits } from '../reference/index.ts';

export const documented: Limits = { read: 200, write: 30, validate: 10 };
export const higherTier: Limits = { read: 600, write: 120, validate: 60 };

export interface TimedRun {
  readonly name: string;
  readonly effort: Effort;
  readonly exhaustion: boolean;
  /** Milliseconds that each reply takes. */
  readonly latencyMs?: number;
  /** Of every account; the document's where absent. */
  readonly limits?: Limits;
  /** How the target counts; fixed windows where absent. */
  readonly limiter?: Choices['limiter'];
  /** COVENANT_API_KEY alone, and not every credential. */
  readonly keyAlone?: true;
  /** The session is of the user of COVENANT_API_KEY, and shares its account. */
  readonly oneUser?: boolean;
  /** What it takes at most, in milliseconds. */
  readonly maxMs: number;
  /** Of the least time; absent where it is as for most runs. */
  readonly shareMax?: number;
  /** What it is to take at most once its cases write less; absent where that is reached. */
  readonly goalMs?: number;
}

const minute = 60_000;

export const standard: TimedRun = {
  name: 'standard',
  effort: 'standard',
  exhaustion: true,
  maxMs: 251_000,
  goalMs: 3 * minute,
};

/** Held by lab/minutes.test.ts and printed by `npm run bench`. */
export const rows: readonly TimedRun[] = [
  standard,
  { name: 'standard --no-exhaustion', effort: 'standard', exhaustion: false, maxMs: 200_000 },
  { name: 'quick', effort: 'quick', exhaustion: true, maxMs: 130_000 },
  { name: 'quick --no-exhaustion', effort: 'quick', exhaustion: false, maxMs: 1.25 * minute },
  {
    name: 'standard with COVENANT_API_KEY alone',
    effort: 'standard',
    exhaustion: true,
    keyAlone: true,
    maxMs: 612_000,
    goalMs: 6 * minute,
  },
  {
    name: 'standard with a session of the user of COVENANT_API_KEY',
    effort: 'standard',
    exhaustion: true,
    oneUser: true,
    maxMs: 312_000,
    // The session writes one request after the other, between those of the key.
    shareMax: 1.2,
    goalMs: 4 * minute,
  },
];

export interface Timed {
  readonly report: Report;
  readonly wallMs: number;
  /** What was accepted, by account and class, divided by the limits: no plan is faster. */
  readonly leastMs: number;
  /** Every request, once. */
  readonly sent: number;
  /** Refusals that no case asked for. */
  readonly unplanned: number;
  /** Records that stay behind, by kind. */
  readonly stays: Readonly<Record<string, number>>;
  /** Cases that have keys validated, and do not say that they do. */
  readonly undeclared: readonly string[];
}

const countBy = <T>(items: readonly T[], name: (item: T) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[name(item)] = (counts[name(item)] ?? 0) + 1;
  return counts;
};

const rateOf = ({ operation }: ReportedExchange): string =>
  operation === undefined ? 'read' : operations[operation as OperationId].rate;

/** Where they are exceeded, those of one minute; what is served beside them counts against nobody's limit. */
function validationsIn(transcript: readonly ReportedExchange[], limit: number): number {
  const all = transcript.filter((one) => rateOf(one) === 'validate');
  const exceeding = new Set(all.filter(({ response }) => response.status === 429).map((one) => one.case));
  const others = all.filter((one) => !exceeding.has(one.case)).length;
  return exceeding.size > 0 ? others + limit : others;
}

/** A minute admits a limit's worth, the first of them at once; refusals are only met by what exceeds a limit. */
function leastOf({ budget, traffic, run }: Report, transcript: readonly ReportedExchange[]): number {
  const refused = countBy(
    transcript.filter(({ response }) => response.status === 429),
    rateOf,
  );
  const exceeded = budget.some(({ account }) => account === 'COVENANT_RATE_API_KEY')
    ? 'COVENANT_RATE_API_KEY'
    : 'COVENANT_API_KEY';
  const minutes = traffic.map(({ account, class: rate, sent: slices }) => {
    const limit = budget.find((one) => one.account === account && one.class === rate)?.limit;
    if (!limit) return 0;
    const sent = slices.reduce((sum, one) => sum + one, 0);
    const beside = account === exceeded ? sent - (refused[rate] ?? 0) : sent;
    const accepted = rate === 'validate' ? validationsIn(transcript, limit) : beside;
    return Math.floor((accepted - 1) / limit);
  });
  return Math.max(...minutes) * run.minute_ms;
}

/** Whoever exceeds the limit of validations waits only for cases that say so. */
function undeclaredIn(transcript: readonly ReportedExchange[], effort: Effort): readonly string[] {
  const { cases, titles } = select(suites, { ...defaultSettings, effort });
  const declared = new Set(
    cases.flatMap((one) => (validates(costOf(one, effort)) || one.exhausts ? (titles.get(one) ?? []) : [])),
  );
  const seen = transcript.filter((one) => rateOf(one) === 'validate').map((one) => one.case ?? '');
  const known = new Set(titles.values());
  return [...new Set(seen)].filter((title) => known.has(title) && !declared.has(title));
}

export async function timeOf({
  effort,
  exhaustion,
  latencyMs = 0,
  limits = documented,
  limiter = 'fixed',
  keyAlone,
  oneUser = false,
}: TimedRun): Promise<Timed> {
  const { report, transcript } = await examine({
    settings: { effort, exhaustion },
    reference: { tiers: { starter: limits, standard: limits, business: limits }, oneUser, choices: { limiter } },
    latencyMs,
    ...(keyAlone ? { env: ({ COVENANT_API_KEY: key = '' }) => ({ COVENANT_API_KEY: key }) } : {}),
  });
  return {
    report,
    wallMs: report.run.duration_ms,
    leastMs: leastOf(report, transcript),
    sent: report.budget.reduce((sum, { sent }) => sum + sent, 0),
    unplanned: report.budget.reduce((sum, { throttled }) => sum + throttled, 0),
    stays: countBy(report.residue, ({ kind }) => kind),
    undeclared: undeclaredIn(transcript, effort),
  };
}
