// Every view of a result by the name that `--reporter` knows it by: pure functions from a result to the text of one file.
import { oneOf } from '../configuration/checked.ts';
import { script } from '../reproduce/script.ts';
import type { RunResult } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { documentText } from '../schema/schema.ts';
import { htmlPage } from './html/page.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { type Context, failedAt } from './wording.ts';

export interface View {
  /** The file's name inside the folder of reports. */
  readonly file: string;
  /** The text of the file; or, where `file` is a folder, the texts of the files in it by their names. */
  render(result: RunResult, context?: Context): string | ReadonlyMap<string, string>;
}

const table = {
  html: { file: 'report.html', render: htmlPage },
  junit: { file: 'junit.xml', render: junit },
  markdown: { file: 'summary.md', render: markdown },
} as const satisfies Readonly<Record<string, TextView>>;

/** A view that is one file. */
export interface TextView extends View {
  render(result: RunResult, context?: Context): string;
}

export type ViewName = keyof typeof table;
export const views: Readonly<Record<ViewName, TextView>> = table;

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
  for (const name of names) oneOf(name, known, 'reporter', ' (--reporter)');
  const wanted = (name: string): boolean => [...always, ...names].some((one) => one === name || one === everything);
  return Object.entries(reporters).flatMap(([name, reporter]) => (wanted(name) ? [reporter] : []));
}

/** By the names of the files: of each requirement what failed first with an exchange; others differ in little but the operation. */
export function scripts({ report }: RunResult): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const requirement of [...failedAt(report, 'must'), ...failedAt(report, 'should')]) {
    const { failure, operation } = requirement.cases.find((one) => one.failure?.exchanges.length) ?? {};
    if (failure) files.set(`${requirement.id}.sh`, script({ requirement, failure, ...defined({ operation }) }, report));
  }
  return files;
}
