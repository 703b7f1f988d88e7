// `--format`, and `--json` as the short form of one: alike in all commands that print something for programs.
import type { Command } from 'commander';
import { didYouMean } from '../configuration/nearest.ts';
import { UsageError } from '../configuration/settings.ts';

export interface FormatOptions {
  readonly format?: string;
  readonly json?: boolean;
}

export const textOrJson = ['text', 'json'] as const;

/** `more` says what is printed for programs, where that is not the result. */
export const addFormat = (command: Command, formats: readonly string[] = textOrJson, more = ''): Command =>
  command
    .option('--format <format>', `${formats.join(', ').replace(/, (?=\w+$)/, ' or ')}; ${formats[0]} by default${more}`)
    .option('--json', 'short for --format json');

/** @throws UsageError on a format that is none of these, and on two of them. */
export function formatFrom<T extends string>({ format, json }: FormatOptions, formats: readonly [T, ...T[]]): T {
  if (json && format !== undefined && format !== 'json')
    throw new UsageError(`--json is short for --format json; leave it off, or --format ${format}.`);
  const name = json ? 'json' : (format ?? formats[0]);
  const found = formats.find((one) => one === name);
  if (found !== undefined) return found;
  throw new UsageError(
    `No format is called ${JSON.stringify(name)} (--format)${didYouMean(name, formats)} There are ${formats.join(', ')}.`,
  );
}
