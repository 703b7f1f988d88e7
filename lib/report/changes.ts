// What changed between two reports of one target: compared only where both asked the same question.
import type { CaseVerdict, Report, RequirementResult } from './model.ts';

export interface ChangedAnswer {
  readonly id: string;
  readonly question: string;
  readonly before: string;
  readonly after: string;
}

export interface Changes {
  readonly failing: readonly RequirementResult[];
  readonly passing: readonly RequirementResult[];
  /** Judged before, and now not tested or inconclusive. */
  readonly undecided: readonly RequirementResult[];
  readonly answers: readonly ChangedAnswer[];
  /** Identifiers that only one of the two has, or whose level or statement differs. */
  readonly incomparable: readonly string[];
}

const undecided: readonly CaseVerdict[] = ['not-tested', 'inconclusive'];

const sameQuestion = (one: RequirementResult, other: RequirementResult): boolean =>
  one.level === other.level && one.statement === other.statement;

function answersOf(before: Report, after: Report, comparable: ReadonlySet<string>): readonly ChangedAnswer[] {
  const earlier = new Map(before.observations.map(({ id, answer }) => [id, answer]));
  return after.observations.flatMap(({ id, question, answer }) => {
    const was = earlier.get(id);
    return was === undefined || was === answer || !comparable.has(id)
      ? []
      : [{ id, question, before: was, after: answer }];
  });
}

export function changes(before: Report, after: Report): Changes {
  const earlier = new Map(before.requirements.map((row) => [row.id, row]));
  const both = after.requirements.flatMap((now) => {
    const was = earlier.get(now.id);
    return was !== undefined && sameQuestion(was, now) ? [{ was: was.verdict, now }] : [];
  });
  const comparable = new Set(both.map(({ now }) => now.id));
  const became = (verdicts: readonly CaseVerdict[]) =>
    both.filter(({ was, now }) => verdicts.includes(now.verdict) && !verdicts.includes(was)).map(({ now }) => now);
  const all = new Set([...before.requirements, ...after.requirements].map((row) => row.id));
  return {
    failing: became(['failed']),
    passing: became(['passed']),
    undecided: became(undecided),
    answers: answersOf(before, after, comparable),
    incomparable: [...all].filter((id) => !comparable.has(id)),
  };
}
