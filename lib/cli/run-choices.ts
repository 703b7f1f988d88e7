// The options of `covenant run` that do not go together, and what those say that do.
import type { KeyObject } from 'node:crypto';
import { UsageError } from '../configuration/settings.ts';
import type { RunFlags } from '../configuration/target.ts';
import type { GuardedConsole } from './console.ts';
import type { FormatOptions } from './format.ts';
import { signingKey } from './signing-key.ts';

interface RunChoices extends RunFlags, FormatOptions {
  readonly repeat?: string;
  readonly evidence?: boolean;
  readonly sign?: string | true;
  readonly plan?: boolean;
}

/** @throws UsageError where one option leaves the other nothing to do. */
export function refuseContradictions({ json, format, plan, bail, evidence }: RunChoices): void {
  if ((json || format === 'json') && plan)
    throw new UsageError('--plan sends nothing, so there is no event for --json; leave one of them off.');
  if (bail !== undefined && evidence) throw new UsageError('--evidence records a whole run; leave --bail off.');
}

/** @throws UsageError where there is a key and nothing to sign, or no key that may be used. */
export async function keyFrom({ sign, evidence }: RunChoices, console: GuardedConsole): Promise<KeyObject | undefined> {
  if (sign === undefined) return undefined;
  if (!evidence) throw new UsageError('--sign signs the evidence of a run; add --evidence.');
  return signingKey(sign, console);
}
