// Tables with a caption, scoped headers, and a frame that scrolls by keyboard where they are wider than the page.
import { type Content, html, type Markup } from './markup.ts';

export interface Column {
  readonly name: string;
  readonly number?: true;
  /** Left out where the page is narrow: what it says stands elsewhere too. */
  readonly wide?: true;
  /** Its name stands in front of each cell where the page is narrow. */
  readonly labelled?: true;
}

function kind(column: Column | undefined): Markup {
  const names = [column?.number ? 'number' : '', column?.wide ? 'wide' : ''].filter((name) => name !== '');
  return names.length === 0 ? html`` : html` class="${names.join(' ')}"`;
}

const label = (column: Column | undefined): Markup => (column?.labelled ? html` data-name="${column.name}: "` : html``);

function row(columns: readonly Column[], cells: readonly Content[]): Markup {
  return html`<tr>${cells.map((cell, at) =>
    at === 0 ? html`<th scope="row">${cell}</th>` : html`<td${kind(columns[at])}${label(columns[at])}>${cell}</td>`,
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
