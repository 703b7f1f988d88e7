// The reporters that `--reporter` can name: each turns a report into the text of one file.
import { didYouMean } from '../nearest.ts';
import { UsageError } from '../settings.ts';
import type { RunResult } from './model.ts';

export interface Reporter {
  /** The file's name inside the folder of reports. */
  readonly file: string;
  render(result: RunResult): string;
}

export const reporters: Readonly<Record<string, Reporter>> = {
  json: { file: 'report.json', render: ({ report }) => `${JSON.stringify(report, null, 2)}\n` },
};

/** Named for completeness: the terminal is always written to, unless `--quiet`. */
const implied = 'terminal';

/**
 * The reporters that a run writes: `json` always, the others as named.
 * @throws UsageError on a name that is none of ours.
 */
export function chosenReporters(names: readonly string[]): Reporter[] {
  const known = [implied, ...Object.keys(reporters)];
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new UsageError(
      `No reporter is called ${JSON.stringify(name)} (--reporter)${didYouMean(name, known)} There are ${known.join(', ')}.`,
    );
  }
  return Object.entries(reporters).flatMap(([name, reporter]) =>
    name === 'json' || names.includes(name) ? [reporter] : [],
  );
}
