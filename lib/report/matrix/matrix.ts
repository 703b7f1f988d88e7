// Many reports as one table, a letter a requirement and implementation, and every answer once; and the page that shows it.
import type { Report, RequirementResult } from '../../result.ts';
import { html, wholePage } from '../html/markup.ts';
import { base, parts } from '../html/style.ts';
import { script } from './script.ts';

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
  /** By the questions of the matrix: the number of the answer, or -1. */
  readonly answers: readonly number[];
}

export interface Matrix {
  readonly format: 'covenant-matrix/1';
  readonly requirements: readonly Pick<RequirementResult, 'id' | 'level' | 'area' | 'statement'>[];
  /** Where the document is silent, and every answer that was seen. */
  readonly questions: readonly {
    readonly id: string;
    readonly question: string;
    readonly answers: readonly string[];
  }[];
  readonly columns: readonly Column[];
}

const letters = { passed: 'p', failed: 'f', 'not-tested': 'n', inconclusive: 'i', observed: 'o' } as const;
const letterOf = ({ level, verdict }: RequirementResult): string =>
  level === 'should' && verdict === 'failed' ? 'w' : letters[verdict];

/** Takes one report after the other, so that no two are in memory at once. */
export class MatrixBuilder {
  private readonly requirements = new Map<string, Matrix['requirements'][number]>();
  private readonly questions = new Map<string, { readonly question: string; readonly answers: Map<string, number> }>();
  private readonly columns: (Omit<Column, 'verdicts' | 'answers'> & {
    readonly letters: ReadonlyMap<string, string>;
    readonly answers: ReadonlyMap<string, number>;
  })[] = [];

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
      answers: new Map(report.observations.map((one) => [one.id, this.numberOf(one)])),
    });
  }

  private numberOf({ id, question, answer }: Report['observations'][number]): number {
    const known = this.questions.get(id) ?? { question, answers: new Map<string, number>() };
    this.questions.set(id, known);
    const number = known.answers.get(answer) ?? known.answers.size;
    known.answers.set(answer, number);
    return number;
  }

  build(): Matrix {
    const ids = [...this.requirements.keys()];
    const asked = [...this.questions.keys()];
    return {
      format: 'covenant-matrix/1',
      requirements: [...this.requirements.values()],
      questions: [...this.questions].map(([id, { question, answers }]) => ({
        id,
        question,
        answers: [...answers.keys()],
      })),
      columns: this.columns.map(({ letters: found, answers, ...rest }) => ({
        ...rest,
        verdicts: ids.map((id) => found.get(id) ?? '-').join(''),
        answers: asked.map((id) => answers.get(id) ?? -1),
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
.matrix .answer, .matrix .who { text-align: left; min-width: 14rem; }
.matrix .host { display: inline-block; margin-right: .75rem; }
.matrix th.host { display: table-cell; }
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
<section id="choices" aria-label="Choices"></section>
</main>`,
  });
