// Many reports as one table: a letter a requirement and implementation, and every answer once.
import type { Report, RequirementResult } from '../../result.ts';

/** One implementation, or one release of it; small, because there may be a thousand. */
export interface Column {
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

export interface AreaCounts {
  readonly area: string;
  readonly passed: number;
  readonly failed: number;
  readonly open: number;
}

/** MUST requirements of each area that hold, do not, and are open. */
export function countsOf(matrix: Matrix, { verdicts }: Column): readonly AreaCounts[] {
  const areas = [...new Set(matrix.requirements.map(({ area }) => area))];
  return areas.map((area) => {
    const own = matrix.requirements.flatMap((row, index) =>
      row.area === area && row.level === 'must' ? [verdicts[index]] : [],
    );
    const count = (...wanted: readonly string[]) => own.filter((one) => wanted.includes(one ?? '')).length;
    return { area, passed: count('p'), failed: count('f'), open: count('n', 'i') };
  });
}
