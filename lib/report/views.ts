// Every view of a result by the name that `--reporter` knows it by: pure functions from a result to the text of one file.

import type { RunResult } from '../result.ts';
import { badge } from './badge.ts';
import type { Context } from './context.ts';
import { ctrf } from './ctrf.ts';
import { har } from './har.ts';
import { html } from './html/page.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';

export interface View {
  /** The file's name inside the folder of reports. */
  readonly file: string;
  /** The text of the file; or, where `file` is a folder, the texts of the files in it by their names. */
  render(result: RunResult, context?: Context): string | ReadonlyMap<string, string>;
}

const table = {
  html: { file: 'report.html', render: html },
  junit: { file: 'junit.xml', render: junit },
  markdown: { file: 'summary.md', render: markdown },
  ctrf: { file: 'ctrf.json', render: ctrf },
  badge: { file: 'badge.svg', render: badge },
  har: { file: 'transcript.har', render: har },
} as const satisfies Readonly<Record<string, TextView>>;

/** A view that is one file. */
export interface TextView extends View {
  render(result: RunResult, context?: Context): string;
}

export type ViewName = keyof typeof table;
export const views: Readonly<Record<ViewName, TextView>> = table;
