// How often a run is done, from --repeat.
import { wholeNumber } from '../configuration/numbers.ts';
import { UsageError } from '../configuration/settings.ts';

interface RepeatOptions {
  readonly repeat?: string;
  readonly requirement?: readonly string[];
  readonly evidence?: boolean;
  readonly shard?: string;
}

/** @throws UsageError where everything would be repeated: that is a matter of requirements known to be unstable. */
export function timesFrom({ repeat, requirement, evidence, shard }: RepeatOptions): number {
  if (repeat === undefined) return 1;
  if (shard !== undefined) throw new UsageError('--repeat and --shard do not go together; leave one of them off.');
  if (evidence) throw new UsageError('--evidence records one run; leave --repeat off, or --evidence.');
  if (requirement === undefined) {
    throw new UsageError('--repeat is for requirements known to be unstable; name them with --requirement.');
  }
  return wholeNumber({ value: repeat, where: '--repeat' }, 2, 100);
}
