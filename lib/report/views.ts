// Every view of a result by the name that `--reporter` knows it by: pure functions from a result to the text of one file.
import { didYouMean } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import { script } from '../reproduce/script.ts';
import type { Report, RunResult, RunVerdict } from '../result.ts';
import { documentText } from '../schema/schema.ts';
import type { Context } from './context.ts';
import { har } from './har.ts';
import { htmlPage } from './html/page.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { failedAt, filters, obstacles, undecided, verdictSentence, verdictWord } from './wording.ts';
import { document, xml } from './xml.ts';

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
  badge: { file: 'badge.svg', render: badge },
  har: { file: 'transcript.har', render: har },
} as const satisfies Readonly<Record<string, TextView>>;

/** A view that is one file. */
export interface TextView extends View {
  render(result: RunResult, context?: Context): string;
}

export type ViewName = keyof typeof table;
export const views: Readonly<Record<ViewName, TextView>> = table;

const label = 'External REST v2';

// White on each of these has a contrast above 4.5 : 1.
const colours: Readonly<Record<RunVerdict, string>> = {
  conformant: '#1a7f37',
  'non-conformant': '#c5221f',
  incomplete: '#8a5a00',
  aborted: '#57606a',
};

const shapes: Readonly<Record<RunVerdict, string>> = {
  conformant: 'M1 5.5 4 8.5 9.5 2',
  'non-conformant': 'M1.5 1.5 8.5 8.5M8.5 1.5 1.5 8.5',
  incomplete: 'M1.5 5H8.5',
  aborted: 'M5 1V6M5 8.4V9',
};

// The average width of Verdana's letters at 11 px; `textLength` makes the text fit where a viewer's font differs.
const widthOf = (text: string): number => Math.round(text.length * 6.8);

/** A conformant run that is not a certificate says why: a badge is all that many people see. */
function wordsOf(report: Report): string {
  if (report.verdict !== 'conformant' || obstacles(report).length === 0) return verdictWord(report);
  const left = filters(report).length;
  // A quick run of everything leaves nothing out.
  if (left === 1 && report.run.options.effort === 'quick') return 'conformant (quick)';
  if (left > 0) return 'conformant (selection)';
  return undecided(report.totals.must) > 0 ? 'conformant (incomplete)' : 'conformant (short minute)';
}

export function badge({ report }: RunResult): string {
  const word = wordsOf(report);
  const left = widthOf(label) + 14;
  const width = left + widthOf(word) + 32;
  const title = `${label}: ${word}. ${verdictSentence(report)}`;
  return document(xml`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-labelledby="title">
  <title id="title">${title}</title>
  <clipPath id="round"><rect width="${width}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#round)">
    <rect width="${left}" height="20" fill="#3b4351"/>
    <rect x="${left}" width="${width - left}" height="20" fill="${colours[report.verdict]}"/>
  </g>
  <path transform="translate(${left + 8} 5)" d="${shapes[report.verdict]}" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">
    <text x="7" y="14" textLength="${widthOf(label)}" lengthAdjust="spacingAndGlyphs">${label}</text>
    <text x="${left + 24}" y="14" textLength="${widthOf(word)}" lengthAdjust="spacingAndGlyphs">${word}</text>
  </g>
</svg>`);
}

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

/** More of one requirement differ in little but the operation. */
const filesMax = 3;

/** By the names of the files; nothing of what failed without an exchange. */
export function scripts({ report }: RunResult): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const requirement of [...failedAt(report, 'must'), ...failedAt(report, 'should')]) {
    const failed = requirement.cases.flatMap(({ failure, operation }) =>
      failure && failure.exchanges.length > 0 ? [{ failure, operation }] : [],
    );
    for (const [index, { failure, operation }] of failed.slice(0, filesMax).entries()) {
      const name = index === 0 ? requirement.id : `${requirement.id}-${index + 1}`;
      files.set(
        `${name}.sh`,
        script({ requirement, failure, ...(operation === undefined ? {} : { operation }) }, report),
      );
    }
  }
  return files;
}
