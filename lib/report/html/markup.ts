// HTML that escapes by default: hono's template, with whole pages, tables, folds, links and verdicts made of it.
import { createHash } from 'node:crypto';
import { raw, html as template } from 'hono/html';
import type { CaseVerdict, RequirementResult, RunVerdict } from '../../result.ts';
import { visible } from '../../runtime/text.ts';

export type Markup = Awaited<ReturnType<typeof template>>;
export type Content = Markup | string | number | readonly Content[] | undefined;

function printable(content: Content): unknown {
  // Finished markup is an object, text from anywhere else a primitive.
  if (typeof content === 'string') return visible(content);
  return Array.isArray(content) ? content.map(printable) : content;
}

/** A template whose values are escaped unless they come from another such template. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const made = template(strings, ...values.map(printable));
  if (made instanceof Promise) throw new TypeError('a promise was put into a report');
  return made;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The Content-Security-Policy of a page: only its own style and script run; nothing that a target wrote could, even if it were not escaped. */
const policyOf = (style: string, script?: string): string =>
  `default-src 'none'; style-src ${hashOf(style)}; ${script === undefined ? '' : `script-src ${hashOf(script)}; `}base-uri 'none'; form-action 'none'`;

interface Page {
  readonly title: string;
  readonly style: string;
  /** The class of the body. */
  readonly look?: string;
  readonly content: Markup;
  /** What runs on the page. */
  readonly script?: string;
}

/** One file that loads nothing, and forbids itself to. */
export const wholePage = ({ title, style, look, content, script }: Page): string =>
  String(html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="covenant">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body${look === undefined ? '' : html` class="${look}"`}>
${content}
${
  script === undefined
    ? ''
    : html`<script>${raw(script)}</script>
`
}</body>
</html>
`);

interface Fold {
  /** The anchor. */
  readonly id: string;
  readonly kind?: string;
  readonly summary: Markup;
  readonly body: Content;
}

export const fold = ({ id, kind = 'index', summary, body }: Fold): Markup =>
  html`<details class="${kind}" id="${id}"><summary>${summary}</summary><div class="body">${body}</div></details>
`;

export interface Column {
  readonly name: string;
  readonly number?: true;
  /** Left out where the page is narrow: what it says stands elsewhere too. */
  readonly wide?: true;
}

function kind(column: Column | undefined): Markup {
  const names = [column?.number ? 'number' : '', column?.wide ? 'wide' : ''].filter((name) => name !== '');
  return names.length === 0 ? html`` : html` class="${names.join(' ')}"`;
}

function row(columns: readonly Column[], cells: readonly Content[]): Markup {
  return html`<tr>${cells.map((cell, at) =>
    at === 0 ? html`<th scope="row">${cell}</th>` : html`<td${kind(columns[at])}>${cell}</td>`,
  )}</tr>`;
}

/** The first cell of a row is its header. */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly Content[])[]): Markup {
  const heads = columns.map((column) => html`<th scope="col"${kind(column)}>${column.name}</th>`);
  const texts = columns.every((column) => !column.number) ? html` class="texts"` : html``;
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table${texts}>
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${rows.map((cells) => row(columns, cells))}</tbody>
</table></div>`;
}

/** Pairs of a name and what it is. */
export const facts = (pairs: readonly (readonly [string, Content])[]): Markup =>
  html`<dl class="facts">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** `API keys` for `api-keys`: as the document spells its headings. */
export function areaName(area: string): string {
  const words = area.replaceAll('-', ' ').replace(/\bapi\b/, 'API');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export const areaAnchor = (area: string): string => `area-${area}`;

export const requirementLink = (id: string): Markup => html`<a href="#${id}"><code>${id}</code></a>`;

/** A link where the page has that requirement. */
export const requirementName = (id: string, known: ReadonlySet<string>): Markup =>
  known.has(id) ? requirementLink(id) : html`<code>${id}</code>`;

export type Look = CaseVerdict | 'warning';

const words: Readonly<Record<Look, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  warning: 'Warning',
  'not-tested': 'Not tested',
  inconclusive: 'Inconclusive',
  observed: 'Observed',
};

/** A failed SHOULD is a warning. */
export const lookOf = ({ level, verdict }: Pick<RequirementResult, 'level' | 'verdict'>): Look =>
  level === 'should' && verdict === 'failed' ? 'warning' : verdict;

/** The sign before the word is made by the style. */
export const chip = (look: Look): Markup => html`<span class="chip ${look}">${words[look]}</span>`;

/** Lines that lead to requirements. */
export const linksTo = (rows: readonly RequirementResult[]): Markup =>
  html`${rows.map((row) => html`<p class="item">${chip(lookOf(row))} ${levelChip(row.level)} ${requirementLink(row.id)} ${row.statement}</p>`)}`;

export const wordOf = (look: Look): string => words[look];

export const levelChip = (level: RequirementResult['level']): Markup =>
  html`<span class="level">${level.toUpperCase()}</span>`;

const runLooks: Readonly<Record<RunVerdict, Look>> = {
  conformant: 'passed',
  'non-conformant': 'failed',
  incomplete: 'warning',
  aborted: 'inconclusive',
};

export const runLook = (verdict: RunVerdict): Look => runLooks[verdict];
