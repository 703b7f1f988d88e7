// What the commands of the laboratory share: seeds, numbers, and a report in full.
import { execFileSync } from 'node:child_process';
import { rulings } from '../lib/catalogue/index.ts';
import { type Console, styleOf } from '../lib/cli/console.ts';
import { UsageError } from '../lib/configuration/settings.ts';
import { terminal } from '../lib/report/terminal.ts';
import type { Report } from '../lib/result.ts';

/** Seeds below it are for development; the others are drawn by `--seed commit` only. */
const firstUnseen = 1_000;
const unseenSeeds = 3;

/** Three seeds that nobody has looked at before this commit was made. */
export function seedsOfCommit(hash: string): number[] {
  return Array.from(
    { length: unseenSeeds },
    (_, index) => firstUnseen + (Number.parseInt(hash.slice(8 * index, 8 * index + 8), 16) % 1_000_000),
  );
}

/** The hash of the commit; undefined outside a repository. */
export function commit(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** What `--seed` names. */
export function seedsOf(seed: string): number[] {
  if (/^\d{1,9}$/.test(seed)) return [Number(seed)];
  if (seed !== 'commit') throw new UsageError(`--seed ${seed} is not a seed: give a whole number, or the word commit.`);
  const hash = commit();
  if (hash === undefined) throw new UsageError('--seed commit needs a git repository: give a whole number instead.');
  return seedsOfCommit(hash);
}

/** A whole number above 0, of so many digits at most. */
export function countOf(option: string, number: string, digits: number): number {
  if (/^[1-9]\d*$/.test(number) && number.length <= digits) return Number(number);
  throw new UsageError(`--${option} ${number} is not possible: give a whole number from 1 to ${10 ** digits - 1}.`);
}

const rulingOf = (id: string): string | undefined => Object.entries(rulings).find(([name]) => name === id)?.[1].ruling;

/** Prints a report as its user would see it; `again`: the arguments that examine the server once more. */
export const showInFull = (report: Report, again: string, console: Console): void =>
  console.stdout(terminal(report, { ruling: rulingOf, again: () => `npm run lab -- ${again}` }, styleOf(console)));
