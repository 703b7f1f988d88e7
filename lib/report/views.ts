// Every view of a result by the name that `--reporter` knows it by: pure functions from a result to the text of one file.
import { oneOf } from '../configuration/checked.ts';
import type { RunResult } from '../result.ts';
import { documentText } from '../schema/schema.ts';
import { htmlPage } from './html/page.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { Context } from './wording.ts';

export interface View {
  /** The file's name inside the folder of reports. */
  readonly file: string;
  render(result: RunResult, context?: Context): string;
}

const table = {
  html: { file: 'report.html', render: htmlPage },
  junit: { file: 'junit.xml', render: junit },
  markdown: { file: 'summary.md', render: markdown },
} as const satisfies Readonly<Record<string, View>>;

export type ViewName = keyof typeof table;
export const views: Readonly<Record<ViewName, View>> = table;

const reporters: Readonly<Record<string, View>> = {
  json: { file: 'report.json', render: ({ report }) => documentText('report', report) },
  ...views,
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
  for (const name of names) oneOf(name, known, 'reporter', ' (--reporter)');
  const wanted = (name: string): boolean => [...always, ...names].some((one) => one === name || one === everything);
  return Object.entries(reporters).flatMap(([name, reporter]) => (wanted(name) ? [reporter] : []));
}
