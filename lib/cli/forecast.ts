// `covenant run --plan`: what the run would cost.
import type { Configuration } from '../configuration/target.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { planTimes } from '../gate/repeat.ts';
import { planText } from '../report/terminal/plan.ts';
import { counted } from '../runtime/text.ts';
import { type GuardedConsole, styleOf } from './console.ts';
import type { Parts } from './parts.ts';

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
