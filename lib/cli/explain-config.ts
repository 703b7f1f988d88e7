// `covenant doctor --explain-config`: where each setting comes from; sends nothing and shows no secret.
import { explained } from '../configuration/explain.ts';
import { configuration } from '../configuration/target.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { inert, type Style } from '../report/terminal/layout.ts';
import { defined } from '../runtime/defined.ts';
import { type GuardedConsole, styleOf } from './console.ts';
import type { Parts } from './parts.ts';
import { sourcesFrom } from './sources.ts';
import type { TargetOptions } from './target-options.ts';

type Row = ReturnType<typeof explained>[number];

function line({ name, value, where }: Row, width: number, { colors }: Style): string {
  const from = where === 'not set' || where === 'default' ? where : `from ${where}`;
  const words = [value, value === '' ? from : `(${from})`].filter(Boolean).join(' ');
  const text = `  ${name.padEnd(width)}  ${inert(words)}\n`;
  return where === 'not set' ? colors.dim(text) : text;
}

/**
 * Prints one row a setting, whether or not they go together, and then what does not.
 * @throws UsageError on the first setting that cannot be used.
 */
export async function explainConfig(
  options: TargetOptions,
  asJson: boolean,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const sources = await sourcesFrom(options, console, parts);
  const { environment, envFile, profile } = sources;
  const settings = explained({ environment, ...defined({ envFile, profile, flags: options }) });
  if (asJson) console.stdout(`${JSON.stringify({ format: 'covenant-configuration/1', settings }, null, 2)}\n`);
  else {
    const width = Math.max(...settings.map(({ name }) => name.length));
    const style = styleOf(console);
    console.stdout(settings.map((row) => line(row, width, style)).join(''));
  }
  for (const notice of configuration(sources).notices) console.stderr(`note: ${notice}\n`);
  return exitCodes.conformant;
}
