// The options of `covenant run` that do not go together, and what those say that do.
import type { KeyObject } from 'node:crypto';
import { wholeNumber } from '../configuration/numbers.ts';
import { UsageError } from '../configuration/settings.ts';
import type { RunFlags } from '../configuration/target.ts';
import type { GuardedConsole } from './console.ts';
import { type FormatOptions, formatFrom, textOrJson } from './format.ts';
import { signingKey } from './signing-key.ts';

interface RunChoices extends RunFlags, FormatOptions {
  readonly repeat?: string;
  readonly evidence?: boolean;
  readonly sign?: string | true;
  readonly plan?: boolean;
}

/** @throws UsageError where one option leaves the other nothing to do. */
export function refuseContradictions({ plan, bail, evidence, ...format }: RunChoices): void {
  if (plan && formatFrom(format, textOrJson) === 'json')
    throw new UsageError('--plan sends nothing, so there is no event for --json; leave one of them off.');
  if (bail !== undefined && evidence) throw new UsageError('--evidence records a whole run; leave --bail off.');
}

/** @throws UsageError where there is a key and nothing to sign, or no key that may be used. */
export async function keyFrom({ sign, evidence }: RunChoices, console: GuardedConsole): Promise<KeyObject | undefined> {
  if (sign === undefined) return undefined;
  if (!evidence) throw new UsageError('--sign signs the evidence of a run; add --evidence.');
  return signingKey(sign, console);
}

/**
 * How often a run is done.
 * @throws UsageError where everything would be repeated: that is a matter of requirements known to be unstable.
 */
export function timesFrom({ repeat, requirement, evidence, shard }: RunChoices): number {
  if (repeat === undefined) return 1;
  if (shard !== undefined) throw new UsageError('--repeat and --shard do not go together; leave one of them off.');
  if (evidence) throw new UsageError('--evidence records one run; leave --repeat off, or --evidence.');
  if (requirement === undefined) {
    throw new UsageError('--repeat is for requirements known to be unstable; name them with --requirement.');
  }
  return wholeNumber({ value: repeat, where: '--repeat' }, 2, 100);
}
