// The findings of a run so far: the decisions on each requirement, and the observed answers.
import { catalogue, type RequirementId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import type { Reply } from '../client/reply.ts';
import type { RequirementResult } from '../result.ts';
import type { Rows } from './own-rules.ts';
import type { Decision } from './verdict.ts';

export interface Finding extends Decision {
  readonly operation?: OperationId;
  readonly durationMs: number;
  /** The title of the case that judged it; absent if all replies show it. */
  readonly case?: string;
  /** The shard that judges it instead. */
  readonly shard?: number;
  /** How many exchanges could have failed it; default: one. */
  readonly judged?: number;
}

/** How many failures of one requirement on one operation a report shows, of those found by rules. */
export const failuresMax = 3;

export interface Answer {
  readonly answers: readonly string[];
  readonly replies: readonly Reply[];
}

/** A requirement that no run can test is not judged, like one that is only observed. */
export const levelOf = (id: RequirementId, { rows }: Pick<Findings, 'rows'>): RequirementResult['level'] => {
  const { level } = rows[id];
  return level === 'untestable' ? 'observe' : level;
};

export class Findings {
  readonly ids: ReadonlySet<RequirementId>;
  readonly rows: Rows;
  private readonly judged = new Map<RequirementId, Finding[]>();
  private readonly answered = new Map<RequirementId, Answer>();
  private readonly onFinding: (id: RequirementId, finding: Finding) => void;

  constructor(
    ids: ReadonlySet<RequirementId>,
    onFinding: (id: RequirementId, finding: Finding) => void = () => {},
    rows: Rows = catalogue,
  ) {
    this.ids = ids;
    this.rows = rows;
    this.onFinding = onFinding;
  }

  has(id: RequirementId): boolean {
    return this.judged.has(id) || this.answered.has(id);
  }

  /** A snapshot of a running run. */
  copy(): Findings {
    const copy = new Findings(this.ids, undefined, this.rows);
    for (const [id, found] of this.judged) copy.judged.set(id, found);
    for (const [id, answer] of this.answered) copy.answered.set(id, answer);
    return copy;
  }

  /** How many exchanges could have failed it: none if it was never decided. */
  judgedOn(id: RequirementId): number {
    const decided = this.of(id).filter(({ verdict }) => verdict === 'passed' || verdict === 'failed');
    return decided.reduce((sum, { judged = 1 }) => sum + judged, 0);
  }

  of(id: RequirementId): readonly Finding[] {
    return this.judged.get(id) ?? [];
  }

  all(): readonly Finding[] {
    return [...this.judged.values()].flat();
  }

  answer(id: RequirementId): Answer | undefined {
    return this.answered.get(id);
  }

  add(id: RequirementId, finding: Finding): void {
    if (!this.ids.has(id)) return;
    this.judged.set(id, [...this.of(id), finding]);
    this.onFinding(id, finding);
  }

  observe(id: RequirementId, answer: string, replies: readonly Reply[]): void {
    if (!this.ids.has(id)) return;
    const { answers = [], replies: seen = [] } = this.answered.get(id) ?? {};
    this.answered.set(id, { answers: [...new Set([...answers, answer])], replies: [...seen, ...replies].slice(0, 5) });
  }
}
