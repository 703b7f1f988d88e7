// Many reports as one table, a letter a requirement and implementation; and the page that shows it.
import type { Report, RequirementResult } from '../../result.ts';
import { html, wholePage } from '../html/markup.ts';
import { base, parts } from '../html/style.ts';

/** One implementation, or one release of it; small, because there may be a thousand. */
interface Column {
  readonly name: string;
  readonly verdict: Report['verdict'];
  readonly at: string;
  readonly minute_ms: number;
  /** Which part of the interface it declares to offer. */
  readonly profile: string;
  /** By the requirements of the matrix: `p` passed, `f` failed, `w` warning, `n` not tested, `i` inconclusive, `o` observed, `s` out of its scope, `-` not selected. */
  readonly verdicts: string;
}

export interface Matrix {
  readonly format: 'covenant-matrix/1';
  readonly requirements: readonly Pick<RequirementResult, 'id' | 'level' | 'area' | 'statement'>[];
  readonly columns: readonly Column[];
}

const letters = { passed: 'p', failed: 'f', 'not-tested': 'n', inconclusive: 'i', observed: 'o' } as const;
const letterOf = ({ level, verdict }: RequirementResult): string =>
  level === 'should' && verdict === 'failed' ? 'w' : letters[verdict];

/** Takes one report after the other, so that no two are in memory at once. */
export class MatrixBuilder {
  private readonly requirements = new Map<string, Matrix['requirements'][number]>();
  private readonly columns: (Omit<Column, 'verdicts'> & { readonly letters: ReadonlyMap<string, string> })[] = [];

  add(report: Report, name: string): void {
    const { out_of_scope: foreign = [] } = report;
    for (const { id, level, area, statement } of [...report.requirements, ...foreign]) {
      if (!this.requirements.has(id)) this.requirements.set(id, { id, level, area, statement });
    }
    this.columns.push({
      name,
      verdict: report.verdict,
      at: report.run.started_at,
      minute_ms: report.run.minute_ms,
      profile: report.run.options.profile,
      letters: new Map([
        ...foreign.map(({ id }) => [id, 's'] as const),
        ...report.requirements.map((row) => [row.id, letterOf(row)] as const),
      ]),
    });
  }

  build(): Matrix {
    const ids = [...this.requirements.keys()];
    return {
      format: 'covenant-matrix/1',
      requirements: [...this.requirements.values()],
      columns: this.columns.map(({ letters: found, ...rest }) => ({
        ...rest,
        verdicts: ids.map((id) => found.get(id) ?? '-').join(''),
      })),
    };
  }
}

const style = `${base}${parts}
.matrix td { text-align: center; min-width: 2.5rem; padding: .25rem .5rem; }
.matrix td.f { background: var(--failed-wash); color: var(--failed); font-weight: 600; }
.matrix td.n, .matrix td.i { background: var(--not-tested-wash); color: var(--not-tested); }
.matrix td.p { color: var(--passed); }
.matrix td.w { background: var(--warning-wash); color: var(--warning); }
#areas th, #areas td, #area thead th, .matrix .host { white-space: nowrap; overflow-wrap: normal; }
.matrix .question { min-width: 20rem; width: auto; }
.matrix td button { all: unset; cursor: pointer; text-decoration: underline; }
.matrix td button:focus-visible { outline: 2px solid var(--accent); }
main { max-width: 90rem; margin: 0 auto; padding: 1rem clamp(1rem, 4vw, 2.5rem); }
`;

/** Deterministic: the same reports give the same bytes. */
export const matrixPage = (matrix: Matrix): string =>
  wholePage({
    title: `Conformance matrix: ${matrix.columns.length} reports`,
    style,
    script,
    data: matrix,
    content: html`<main>
<h1>Conformance matrix</h1>
<p>${matrix.columns.length} reports against ${matrix.requirements.length} requirements. A cell of the first table counts the MUST requirements that failed or are open in an area; it unfolds to the requirements.</p>
<search class="filter"><label>Implementations <input type="search" name="search" autocomplete="off"></label><p role="status" class="note"></p></search>
<noscript><p>The tables are made by script, which is off here; matrix.json holds the same.</p></noscript>
<section id="areas" aria-label="Areas"></section>
<section id="area" aria-label="Requirements of one area"></section>
</main>`,
  });

/** Plain JavaScript for browsers; it reads the page and sends nothing. */
const script = `'use strict';
(() => {
  const { requirements, columns } = JSON.parse(document.getElementById('data').textContent);
  const most = 200;
  const words = { p: 'holds', f: 'failed', w: 'warning', n: 'not tested', i: 'inconclusive', o: 'observed', s: 'out of scope', '-': 'not selected' };
  const signs = { p: '\\u2713', f: '\\u2715', w: '!', n: '\\u2013', i: '?', o: '\\u25C9', s: '', '-': '' };
  const element = (name, className, ...content) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...content);
    return made;
  };
  const areas = [...new Set(requirements.map((row) => row.area))];
  const places = Object.fromEntries(areas.map((area) => [area, requirements.flatMap((row, at) => (row.area === area ? [at] : []))]));
  const search = document.querySelector('[name=search]');
  let area = '';

  const table = (id, caption, heads, rows) => {
    const frame = element('div', 'scroll matrix');
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', caption);
    const made = element('table', '', element('caption', '', caption));
    const header = (text) => { const cell = element('th', '', text); cell.scope = 'col'; return cell; };
    made.append(element('thead', '', element('tr', '', ...heads.map(header))), element('tbody', '', ...rows));
    frame.append(made);
    document.getElementById(id).replaceChildren(frame);
  };
  const line = (head, cells, kind) => {
    const name = element('th', kind, head);
    name.scope = 'row';
    return element('tr', '', name, ...cells);
  };

  const overview = (shown) => {
    const rows = shown.map((column) => line(column.name, [element('td', '', column.verdict + (column.profile === 'full' ? '' : ' (' + column.profile + ' profile)')), ...areas.map((name) => {
      const own = places[name].filter((at) => requirements[at].level === 'must').map((at) => column.verdicts[at]);
      const failed = own.filter((one) => one === 'f').length;
      const open = own.filter((one) => one === 'n' || one === 'i').length;
      const judged = own.some((one) => one !== '-' && one !== 's');
      if (!judged) return element('td', '', element('span', 'unseen', words[own[0] || '-']));
      const cell = element('td', failed ? 'f' : open ? 'n' : 'p');
      const button = element('button', '', failed ? failed + ' failed' : open ? open + ' open' : signs.p);
      button.type = 'button';
      button.setAttribute('aria-label', column.name + ', ' + name + ': ' + failed + ' failed, ' + open + ' open');
      button.addEventListener('click', () => { location.hash = name; });
      cell.append(button);
      return cell;
    })], 'host'));
    table('areas', 'Implementations against areas', ['Implementation', 'Verdict', ...areas], rows);
  };

  const unfolded = (shown) => {
    const place = document.getElementById('area');
    if (!area) { place.replaceChildren(); return; }
    const rows = places[area].map((at) => {
      const { id, level, statement } = requirements[at];
      const cells = shown.map(({ verdicts }) => { const cell = element('td', verdicts[at], signs[verdicts[at]]); cell.title = words[verdicts[at]]; cell.append(element('span', 'unseen', words[verdicts[at]])); return cell; });
      return line(level.toUpperCase() + ' ' + id + ': ' + statement, cells, 'question');
    });
    table('area', 'Requirements of ' + area, ['Requirement', ...shown.map(({ name }) => name)], rows);
  };

  const fitting = () => {
    const wanted = search.value.toLowerCase().split(/\\s+/);
    return columns.filter(({ name, verdict }) => wanted.every((word) => (name + ' ' + verdict).toLowerCase().includes(word)));
  };
  const show = () => {
    const found = fitting();
    const shown = found.slice(0, most);
    document.querySelector('[role=status]').textContent = found.length + ' of ' + columns.length + (found.length > most ? '; the first ' + most + ' are shown' : '');
    overview(shown);
    unfolded(shown.slice(0, 20));
  };
  addEventListener('hashchange', () => {
    area = areas.includes(location.hash.slice(1)) ? location.hash.slice(1) : '';
    unfolded(fitting().slice(0, 20));
    document.getElementById('area').scrollIntoView();
  });
  search.addEventListener('input', show);
  area = areas.includes(location.hash.slice(1)) ? location.hash.slice(1) : '';
  show();
})();
`;
