// The matrix as one HTML page, and in Markdown.
import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import { defaultProfile } from '../../catalogue/profiles.ts';
import { short } from '../../runtime/text.ts';
import { html } from '../html/markup.ts';
import { base, parts } from '../html/style.ts';
import { text } from '../markdown.ts';
import { countsOf, type Matrix } from './model.ts';
import { script } from './script.ts';

const style = `${base}${parts}
.matrix td { text-align: center; min-width: 2.5rem; padding: .25rem .5rem; }
.matrix td.f { background: var(--failed-wash); color: var(--failed); font-weight: 600; }
.matrix td.n, .matrix td.i { background: var(--not-tested-wash); color: var(--not-tested); }
.matrix td.p { color: var(--passed); }
.matrix td.w { background: var(--warning-wash); color: var(--warning); }
#areas th, #areas td, #area thead th, .matrix .host { white-space: nowrap; overflow-wrap: normal; }
.matrix .question { min-width: 20rem; width: auto; }
.matrix .answer, .matrix .who { text-align: left; min-width: 14rem; }
.matrix .host { display: inline-block; margin-right: .75rem; }
.matrix th.host { display: table-cell; }
.matrix td button { all: unset; cursor: pointer; text-decoration: underline; }
.matrix td button:focus-visible { outline: 2px solid var(--accent); }
main { max-width: 90rem; margin: 0 auto; padding: 1rem clamp(1rem, 4vw, 2.5rem); }
`;
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`;

const embedded = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('</', '<\\/')
    .replaceAll('<!--', '\\u003c!--')
    .replaceAll('<script', '\\u003cscript');

/** Deterministic: the same reports give the same bytes. */
export const matrixPage = (matrix: Matrix): string =>
  String(html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance matrix: ${matrix.columns.length} reports</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
<h1>Conformance matrix</h1>
<p>${matrix.columns.length} reports against ${matrix.requirements.length} requirements. A cell of the first table counts the MUST requirements that failed or are open in an area; it unfolds to the requirements.</p>
<search class="filter"><label>Implementations <input type="search" name="search" autocomplete="off"></label><p role="status" class="note"></p></search>
<noscript><p>The tables are made by script, which is off here; matrix.md and matrix.json hold the same.</p></noscript>
<section id="areas" aria-label="Areas"></section>
<section id="area" aria-label="Requirements of one area"></section>
<section id="choices" aria-label="Choices"></section>
</main>
<script type="application/json" id="data">${raw(embedded(matrix))}</script>
<script>${raw(script)}</script>
</body>
</html>
`);

const mostOfAnswer = 120;
/** Columns of the table of choices; more of them nobody reads in Markdown. */
const columnsShown = 8;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export function matrixMarkdown(matrix: Matrix): string {
  const areas = [...new Set(matrix.requirements.map(({ area }) => area))];
  const rows = matrix.columns.map((column) => [
    text(column.name),
    column.profile === defaultProfile ? column.verdict : `${column.verdict} (${column.profile} profile)`,
    ...countsOf(matrix, column).map(({ passed, failed, open }) =>
      failed > 0 ? `**${failed} failed**` : open > 0 ? `${open} open` : passed > 0 ? String(passed) : '',
    ),
  ]);
  const shown = matrix.columns.slice(0, columnsShown);
  const choices = matrix.questions.flatMap(({ question, answers }, index) => {
    const given = shown.map((column) => column.answers[index] ?? -1);
    if (new Set(given).size < 2) return [];
    return [[text(question), ...given.map((number) => text(short(answers[number] ?? '', mostOfAnswer)))]];
  });
  return [
    '# Conformance matrix',
    'MUST requirements: a number says how many hold, where none failed and none is open.',
    table(['Implementation', 'Verdict', ...areas], rows),
    ...(choices.length === 0
      ? []
      : ['## Choices that differ', table(['Question', ...shown.map(({ name }) => text(name))], choices)]),
    '',
  ].join('\n\n');
}
