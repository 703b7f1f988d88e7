// `npm run lab -- --second-reading 400 --seed 0`: lawful servers of the second reading, examined and reported; or one of them in full.
import { catalogue, type RequirementId } from '../lib/catalogue/index.ts';
import type { Console } from '../lib/cli/console.ts';
import type { Effort } from '../lib/configuration/settings.ts';
import { wallClock } from '../lib/runtime/clock.ts';
import { countOf, seedsOf, showInFull } from './command-line.ts';
import { examine } from './examine.ts';
import { type Outcome, outcomeOf, type Unjudged } from './matrix/judgement.ts';
import { answersTo, outcomesOf } from './matrix/pool.ts';
import { secondReading } from './matrix/subject.ts';

/** Over HTTP a run mostly waits for the short minutes to pass. */
const waitingEach = 4;

const levelOf = (id: string): string => catalogue[id as RequirementId].level;
const isMust = (id: string): boolean => levelOf(id) === 'must';

/** The MUSTs that failed although the server is lawful. */
export const accusedOf = ({ failed }: Outcome): readonly string[] => failed.filter(isMust);

/** What was not judged although every credential of the contract was there. */
export const openOf = ({ untested, inconclusive }: Outcome): readonly Unjudged[] => [...untested, ...inconclusive];

const isFair = (outcome: Outcome): boolean => outcome.trouble === undefined && accusedOf(outcome).length === 0;
const isInOrder = (outcome: Outcome): boolean => isFair(outcome) && openOf(outcome).length === 0;

/** How often, and for which servers, the most frequent first. */
function tally(title: string, pairs: readonly (readonly [what: string, server: string])[]): string[] {
  const servers = new Map<string, string[]>();
  for (const [what, server] of pairs) servers.set(what, [...(servers.get(what) ?? []), server]);
  const rows = [...servers].sort(([, some], [, others]) => others.length - some.length);
  const lines = rows.map(([what, some]) => {
    const named = some.slice(0, 8).join(', ');
    return `  ${what}: ${some.length} (${named}${some.length > 8 ? ', ...' : ''})`;
  });
  return lines.length === 0 ? [] : ['', title, ...lines];
}

const seedOf = ({ subject }: Outcome): string => subject.replace(/^second-reading-/, '');

/** The outcome: counts, then the accusations, what stayed open and why, and recommendations not followed. */
export function reportOf(outcomes: readonly Outcome[], durationMs: number): string {
  const pairs = (some: (outcome: Outcome) => readonly string[]) =>
    outcomes.flatMap((outcome) => some(outcome).map((what) => [what, seedOf(outcome)] as const));
  const accused = outcomes.filter((one) => accusedOf(one).length > 0).length;
  const open = outcomes.filter((one) => openOf(one).length > 0).length;
  const requests = outcomes.reduce((sum, one) => sum + one.requests, 0);
  const lines = [
    `Lawful servers of the second reading: ${outcomes.length} examined, ${accused} accused, ${open} with something left open`,
    `${requests} requests in ${(durationMs / 1000).toFixed(1)} s`,
    ...tally('Accused, with the seeds:', pairs(accusedOf)),
    ...tally(
      'Left open, with the seeds:',
      pairs((one) => openOf(one).map(({ id, reason }) => `${id} (${reason})`)),
    ),
    ...tally(
      'Aborted, with the seeds:',
      pairs(({ trouble }) => (trouble === undefined ? [] : [trouble])),
    ),
    ...tally(
      'Recommendations not followed, which is lawful, with the seeds:',
      pairs(({ failed }) => failed.filter((id) => !isMust(id))),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

export interface SecondServersOptions {
  /** How many servers; 1: one in full. */
  readonly secondReading: string;
  /** The first seed, or `commit` for one of its hash. */
  readonly seed: string;
  readonly threads: number;
  readonly effort: Effort;
  /** Over a socket, with a short minute, in place of the virtual clock. */
  readonly overHttp?: true;
}

async function inFull(seed: number, effort: Effort, console: Console): Promise<number> {
  const { id, examination } = secondReading(seed);
  const { report, brief } = await examine({ ...examination, settings: { ...examination.settings, effort } });
  showInFull(report, `--second-reading 1 --seed ${seed} --effort ${effort}`, console);
  return isInOrder(outcomeOf(id, brief, effort)) ? 0 : 1;
}

/**
 * Examines so many servers from a seed on; the exit code is 0 where none is accused, aborted or left open. Over HTTP a
 * machine may be too slow for a burst within a short minute: what that leaves open is printed and fails nothing.
 */
export async function secondServers(
  { secondReading: number, seed, threads, effort, overHttp }: SecondServersOptions,
  console: Console,
): Promise<number> {
  const count = countOf('second-reading', number, 5);
  const [first = 0] = seedsOf(seed);
  if (count === 1 && !overHttp) return inFull(first, effort, console);
  const servers = Array.from({ length: count }, (_, place) => secondReading(first + place));
  const ids = servers.map(({ id }) => id);
  const started = wallClock.now();
  const progress = (finished: number) => {
    if (finished % 20 === 0) console.stderr(`${finished} of ${count} examined\n`);
  };
  const outcomes = overHttp
    ? await answersTo<Outcome>(
        ids,
        { work: 'second reading over HTTP', how: { effort }, count: threads * waitingEach },
        progress,
      )
    : await outcomesOf(servers, threads, { effort }, progress);
  console.stdout(reportOf(outcomes, wallClock.now() - started));
  return outcomes.every(overHttp ? isFair : isInOrder) ? 0 : 1;
}
