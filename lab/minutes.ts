// How long a run takes under the document's limits, in virtual time, beside the least time that its requests need.
import type { Effort } from '../lib/configuration/settings.ts';
import type { Report } from '../lib/result.ts';
import { examine } from './examine.ts';
import type { Limits } from './reference/index.ts';

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
  /** COVENANT_API_KEY alone, and not every credential. */
  readonly keyAlone?: true;
}

export interface Timed {
  readonly report: Report;
  readonly wallMs: number;
  /** What was accepted, by account and class, divided by the limits: no plan is faster. */
  readonly leastMs: number;
  /** Refusals that no case asked for. */
  readonly unplanned: number;
  /** Records that stay behind, by kind. */
  readonly stays: Readonly<Record<string, number>>;
}

const countBy = <T>(items: readonly T[], name: (item: T) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[name(item)] = (counts[name(item)] ?? 0) + 1;
  return counts;
};

/** A minute admits a limit's worth; the first of them at once. */
function leastOf({ budget, run }: Report, refused: number): number {
  const minutes = budget.map(({ class: rate, sent, limit }) => {
    const accepted = rate === 'validate' ? sent - refused : sent;
    return Math.floor((accepted - 1) / limit);
  });
  return Math.max(...minutes) * run.minute_ms;
}

export async function timed({
  effort,
  exhaustion,
  latencyMs = 0,
  limits = documented,
  keyAlone,
}: TimedRun): Promise<Timed> {
  const { report, transcript } = await examine({
    settings: { effort, exhaustion },
    reference: { tiers: { starter: limits, standard: limits, business: limits } },
    wrap: (honest, clock) => async (request) => {
      await clock.inside.sleep(latencyMs);
      return honest(request);
    },
    ...(keyAlone ? { env: ({ COVENANT_API_KEY: key = '' }) => ({ COVENANT_API_KEY: key }) } : {}),
  });
  return {
    report,
    wallMs: report.run.duration_ms,
    leastMs: leastOf(report, transcript.filter(({ response }) => response.status === 429).length),
    unplanned: report.budget.reduce((sum, { throttled }) => sum + throttled, 0),
    stays: countBy(report.residue, ({ kind }) => kind),
  };
}
