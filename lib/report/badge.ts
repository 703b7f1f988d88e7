// The badge: an SVG with the verdict as a word, a shape and a colour, for a README or a dashboard.
import type { Report, RunResult, RunVerdict } from '../result.ts';
import { filters, obstacles, undecided, verdictSentence, verdictWord } from './wording.ts';
import { document, xml } from './xml.ts';

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
