// Seeds as the laboratory takes them: a number, or drawn from the hash of the commit so that nobody has looked at them before.
import { execFileSync } from 'node:child_process';
import { UsageError } from '../lib/configuration/settings.ts';

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
