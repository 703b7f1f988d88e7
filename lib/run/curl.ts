// How each failure is seen again: the steps that lead to it, and lines of curl; made from exchanges without secrets.
import { commands } from '../reproduce/commands.ts';
import type { Recipes } from '../reproduce/request.ts';
import { Slicer, stepsOf } from '../reproduce/slice.ts';
import type { Failure, Report, ReportedExchange, RequirementResult } from '../result.ts';

/** The report with steps and lines in every failure, and with the recipes that its failures use. */
export function withSteps(report: Report, transcript: readonly ReportedExchange[], recipes: Recipes): Report {
  const slicer = new Slicer(transcript, recipes);
  const known = new Map<string, Pick<Failure, 'curl' | 'steps'>>();
  const shownBy = (failure: Failure, whole: boolean): Pick<Failure, 'curl' | 'steps'> => {
    const slice = slicer.slice(failure.exchanges, whole ? report.run.minute_ms : undefined);
    const steps = whole ? stepsOf(slice) : slice.map(({ id }) => ({ exchange: id }));
    const shown = transcript.filter(({ id }) => failure.exchanges.includes(id));
    return { curl: commands(shown, slicer.origins, recipes), steps };
  };
  const stepped = (failure: Failure, { area }: RequirementResult): Failure => {
    // What is refused for its number depends on everything that was sent before.
    const whole = area === 'rate-limits';
    const name = `${whole} ${failure.exchanges}`;
    const found = known.get(name) ?? shownBy(failure, whole);
    known.set(name, found);
    return { ...failure, ...found };
  };
  const requirements = report.requirements.map((row) => ({
    ...row,
    cases: row.cases.map((one) => (one.failure === undefined ? one : { ...one, failure: stepped(one.failure, row) })),
  }));
  const failed = requirements.some(({ verdict }) => verdict === 'failed');
  return { ...report, requirements, ...(failed && Object.keys(recipes).length > 0 ? { tokens: recipes } : {}) };
}
