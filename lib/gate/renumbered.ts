// Several runs in one report: the exchanges of each keep numbers of their own, and whatever points at them follows.
import type { Failure, Report, ReportedExchange, RequirementResult, Spending } from '../result.ts';

/** Exchanges of the runs after the first get numbers of their own. */
const stride = 1_000_000;

const failureOf = (failure: Failure, by: number): Failure => ({
  ...failure,
  exchanges: failure.exchanges.map((id) => id + by),
  ...(failure.steps && { steps: failure.steps.map((step) => ({ ...step, exchange: step.exchange + by })) }),
});

/** The requirement as run number `run` found it, counted from 0. */
export const renumbered = (row: RequirementResult, run: number): RequirementResult => ({
  ...row,
  cases: row.cases.map((one) =>
    one.failure === undefined ? one : { ...one, failure: failureOf(one.failure, run * stride) },
  ),
});

/** The exchanges of run number `run`; `after` is compared with their numbers, so it moves along. */
export const shifted = (some: readonly ReportedExchange[], run: number): ReportedExchange[] =>
  some.map((one) => ({
    ...one,
    id: one.id + run * stride,
    ...(one.after === undefined ? {} : { after: one.after + run * stride }),
  }));

/** What all runs sent, by account and class. */
export function spendingOf(reports: readonly Pick<Report, 'budget'>[]): Spending[] {
  const budgets = new Map<string, Spending>();
  for (const one of reports.flatMap(({ budget }) => budget)) {
    const key = `${one.class} ${one.account}`;
    const before = budgets.get(key) ?? { ...one, sent: 0, throttled: 0 };
    budgets.set(key, { ...one, sent: before.sent + one.sent, throttled: before.throttled + one.throttled });
  }
  return [...budgets.values()];
}

/** The report with other names for the tokens that it made up: another run has others under the same names. */
export function withTokensNamed(report: Report, named: (name: string) => string): Report {
  const tokens = Object.entries(report.tokens ?? {});
  if (tokens.length === 0) return report;
  const renamed = tokens.reduce(
    (text, [name]) => text.replaceAll(`<${name}>`, `<${named(name)}>`),
    JSON.stringify(report.exchanges),
  );
  return {
    ...report,
    exchanges: JSON.parse(renamed),
    tokens: Object.fromEntries(tokens.map(([name, recipe]) => [named(name), recipe])),
  };
}
