// How each failure is seen again: the steps that lead to it, and lines of curl; made from exchanges without secrets.
import type { Failure, Report, ReportedExchange, RequirementResult } from '../result.ts';
import { type Origins, usesOf } from './origins.ts';
import { address, keyAssignments, options, type Recipes, routeParts, type Variables } from './request.ts';
import { comment } from './shell.ts';
import { rounds, Slicer, stepsOf } from './slice.ts';

const method = ({ request }: ReportedExchange): string =>
  request.method === 'HEAD' ? '--head' : `-X ${request.method}`;

const line = (exchange: ReportedExchange, variables: Variables): string =>
  ['curl -sS -i', method(exchange), ...options(exchange, variables), address(routeParts(exchange, variables))].join(
    ' ',
  );

/** Equal requests at the same moment as a loop, others side by side. */
function together(lines: readonly string[]): string {
  const [first] = lines;
  if (lines.every((one) => one === first)) {
    return `for i in ${lines.map((_, index) => index + 1).join(' ')}; do\n  ${first} &\ndone; wait`;
  }
  return `${lines.map((one) => `${one} &`).join('\n')}\nwait`;
}

/** Records and keys of the run, which are gone: the lines alone do not make them again. */
const rests = (shown: readonly ReportedExchange[], origins: Origins): boolean =>
  shown.some((one) => usesOf(one).some(({ key }) => !key.startsWith('cursor ') && origins.has(key)));

const gone =
  'The run took back what this uses. A script that makes its own: covenant report report.json --reporter script';

/** Credentials are variables named like their settings. Where the requests rest on records of the run, a comment says so. */
function commands(shown: readonly ReportedExchange[], origins: Origins, recipes: Recipes): readonly string[] {
  const { keys, lines } = keyAssignments(shown, '$(uuidgen)');
  const variables: Variables = { origins: new Map(), recipes, keys };
  return [
    ...(rests(shown, origins) ? [comment(gone)] : []),
    ...lines,
    ...rounds(shown).map((round) => {
      const [first, ...others] = round.map((exchange) => line(exchange, variables));
      return first !== undefined && others.length === 0 ? first : together([first ?? '', ...others]);
    }),
  ];
}

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
