// The reporters that `--reporter` can name: each turns a result into the text of one file.
import { didYouMean } from '../configuration/nearest.ts';
import { UsageError } from '../configuration/settings.ts';
import { documentText } from '../schema/document.ts';
import { scripts } from './scripts.ts';
import { type View, views } from './views.ts';

const reporters: Readonly<Record<string, View>> = {
  json: { file: 'report.json', render: ({ report }) => documentText('report', report) },
  ...views,
  script: { file: 'failures', render: scripts },
};

/** Named for completeness: the terminal is always written to, unless `--quiet`. */
const implied = 'terminal';
const everything = 'all';
/** Nothing that is not named: also no page where something failed. */
export const none = 'none';

/**
 * The reporters that are named, and those that are `always` written.
 * @throws UsageError on a name that is none of ours.
 */
export function chosenReporters(names: readonly string[], always: readonly string[] = ['json']): View[] {
  const known = [implied, everything, none, ...Object.keys(reporters)];
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new UsageError(
      `No reporter is called ${JSON.stringify(name)} (--reporter)${didYouMean(name, known)} There are ${known.join(', ')}.`,
    );
  }
  const wanted = (name: string): boolean => [...always, ...names].some((one) => one === name || one === everything);
  return Object.entries(reporters).flatMap(([name, reporter]) => (wanted(name) ? [reporter] : []));
}
