// What shows a failure, as lines of curl to copy: what was under way together is sent together, and what was made up is made again.
import type { ReportedExchange } from '../result.ts';
import { type Origins, usesOf } from './origins.ts';
import { address, keyAssignments, options, type Recipes, routeParts, type Variables } from './request.ts';
import { comment } from './shell.ts';
import { rounds } from './slice.ts';

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
export function commands(shown: readonly ReportedExchange[], origins: Origins, recipes: Recipes): readonly string[] {
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
