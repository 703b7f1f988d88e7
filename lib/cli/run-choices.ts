// What the options of `covenant run` say: which do not go together, and what --plan prints.
import type { KeyObject } from 'node:crypto';
import { wholeNumber } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import type { Configuration, RunFlags } from '../configuration/target.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { planTimes } from '../gate/merge.ts';
import { planText } from '../report/terminal/plan.ts';
import { counted } from '../runtime/text.ts';
import { type GuardedConsole, styleOf } from './console.ts';
import { type FormatOptions, formatFrom, textOrJson } from './options.ts';
import type { Parts } from './parts.ts';
import { signingKey } from './sign.ts';

interface RunChoices extends RunFlags, FormatOptions {
  readonly repeat?: string;
  readonly evidence?: boolean;
  readonly sign?: string | true;
  readonly plan?: boolean;
  readonly resume?: boolean;
}

/** @throws UsageError where one option leaves the other nothing to do. */
export function refuseContradictions({ plan, bail, evidence, resume, ...format }: RunChoices): void {
  if (plan && formatFrom(format, textOrJson) === 'json')
    throw new UsageError('--plan sends nothing, so there is no event for --json; leave one of them off.');
  for (const [option, isGiven] of [
    ['--bail', bail !== undefined],
    ['--resume', resume],
  ] as const)
    if (isGiven && evidence) throw new UsageError(`--evidence records a whole run; leave ${option} off.`);
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

interface Forecast {
  readonly parts: Parts;
  readonly console: GuardedConsole;
  readonly configured: Configuration;
  readonly options: { readonly verbose?: boolean };
  readonly times: number;
}

/** Lines of the costliest cases. */
const dearestMax = 25;

/** Sends nothing; `bundledMinuteMs` is the minute of the bundled reference where none is configured. */
export function forecast({ parts, console, configured, options, times }: Forecast, bundledMinuteMs: number): number {
  const { target, settings, minuteMs = bundledMinuteMs } = configured;
  const [least, most] = parts.bounds(settings, target, target?.minuteMs ?? minuteMs);
  console.stdout(`${planText([planTimes(least, times), planTimes(most, times)], styleOf(console))}\n`);
  if (options.verbose) {
    const lines = parts
      .dearest(settings)
      .slice(0, dearestMax)
      .map(({ title, writes, validations }) => {
        const also = validations > 0 ? `, ${counted(validations, 'validation')}` : '';
        return `  ${counted(writes, 'write')}${also}: ${title}\n`;
      });
    console.stdout(`The costliest cases\n${lines.join('')}\n`);
  }
  return exitCodes.conformant;
}
