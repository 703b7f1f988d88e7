// Many reports as one table, a letter a requirement and implementation; and the page that shows it.
import { defaultProfile } from '../../catalogue/profiles.ts';
import type { Report, RequirementResult } from '../../result.ts';
import { grouped } from '../../runtime/grouped.ts';
import { html, type Markup, table, wholePage } from '../html/markup.ts';
import { base, parts } from '../html/style.ts';

/** One implementation, or one release of it. */
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
.f { color: var(--failed); font-weight: 600; }
.n, .i { color: var(--not-tested); }
.p { color: var(--passed); }
.w { color: var(--warning); }
main { max-width: 90rem; margin: 0 auto; padding: 1rem clamp(1rem, 4vw, 2.5rem); }
`;

const words: Readonly<Record<string, string>> = {
  ...{ p: 'holds', f: 'failed', w: 'warning', n: 'not tested', i: 'inconclusive', o: 'observed' },
  ...{ s: 'out of scope', '-': 'not selected' },
};

const cell = (letter: string, text = words[letter]): Markup => html`<span class="${letter}">${text}</span>`;

/** How many MUST requirements of an area failed or are open. */
function summary(letters: readonly string[]): Markup {
  const count = (...some: string[]): number => letters.filter((letter) => some.includes(letter)).length;
  if (count('-', 's') === letters.length) return cell(letters[0] ?? '-');
  const [failed, open] = [count('f'), count('n', 'i')];
  if (failed > 0) return cell('f', `${failed} failed`);
  return open > 0 ? cell('n', `${open} open`) : cell('p');
}

/** Deterministic: the same reports give the same bytes. */
export function matrixPage({ requirements, columns }: Matrix): string {
  const places = grouped([...requirements.entries()], ([, { area }]) => area);
  const named = (first: string, names: Iterable<string>) => [first, ...names].map((name) => ({ name }));
  const overview = columns.map(({ name, verdict, profile, verdicts }) => [
    name,
    profile === defaultProfile ? verdict : `${verdict} (${profile} profile)`,
    ...[...places.values()].map((rows) =>
      summary(rows.flatMap(([at, { level }]) => (level === 'must' ? (verdicts[at] ?? '-') : []))),
    ),
  ]);
  const details = [...places].map(([area, found]) => {
    const rows = found.map(([at, { id, level, statement }]) => [
      `${level.toUpperCase()} ${id}: ${statement}`,
      ...columns.map(({ verdicts }) => cell(verdicts[at] ?? '-')),
    ]);
    const heads = named(
      'Requirement',
      columns.map(({ name }) => name),
    );
    return html`<details class="index"><summary>${area}</summary>${table(`Requirements of ${area}`, heads, rows)}</details>
`;
  });
  return wholePage({
    title: `Conformance matrix: ${columns.length} reports`,
    style,
    content: html`<main>
<h1>Conformance matrix</h1>
<p>${columns.length} reports against ${requirements.length} requirements. A cell of the first table counts the MUST requirements that failed or are open in an area.</p>
${table('Implementations against areas', named('Implementation', ['Verdict', ...places.keys()]), overview)}
${details}
</main>`,
  });
}
