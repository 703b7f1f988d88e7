// What changed between two reports of one target: compared only where both asked the same question.

import type { CaseVerdict, Report, RequirementResult } from '../result.ts';
import { type CostChanges, costChanges } from './changes-cost.ts';
import { differingTerms, sameSuite, sameTerms, type Terms } from './changes-terms.ts';

interface ChangedAnswer {
  readonly id: string;
  readonly question: string;
  readonly before: string;
  readonly after: string;
}

/** A requirement whose question is the same in both reports and whose verdict is not. */
export interface Change extends RequirementResult {
  readonly was: CaseVerdict;
  /** Where it failed before as well: the operations at which it held before and fails now. */
  readonly operations?: readonly string[];
}

/** Requirements of which only one report says anything comparable, and why. */
interface Incomparable {
  /** Asked for the first time by this version of the suite. */
  readonly added: readonly string[];
  /** No longer asked by this version of the suite. */
  readonly removed: readonly string[];
  /** Of another level or statement than before: another question. */
  readonly reworded: readonly string[];
  /** Left out by the filters of the first run. */
  readonly unselectedBefore: readonly string[];
  /** Left out by the filters of the second run. */
  readonly unselectedNow: readonly RequirementResult[];
}

export interface Changes {
  /** Who changed, where anything did: the suite is out of question only where it is the very same. */
  readonly cause: 'target' | 'target-or-suite';
  /** How the terms of the two runs differ, one sentence each. */
  readonly terms: Terms;
  /** Present where they differ. */
  readonly profiles?: { readonly before: string; readonly after: string };
  readonly compared: number;
  readonly failing: readonly Change[];
  readonly passing: readonly Change[];
  /** Judged before, and now not tested or inconclusive. */
  readonly undecided: readonly Change[];
  /** Held before, and now the target lawfully leaves out what they are about. */
  readonly withdrawn: readonly Change[];
  readonly answers: readonly ChangedAnswer[];
  readonly cost: CostChanges;
  readonly incomparable: Incomparable;
}

interface Pair {
  readonly was: RequirementResult;
  readonly now: RequirementResult;
}

export const isUndecided = (verdict: CaseVerdict): boolean => verdict === 'not-tested' || verdict === 'inconclusive';

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

/** Operations at which a requirement that fails in both reports held before: a failure hides no other. */
function spread({ was, now }: Pair): readonly string[] {
  const at = (row: RequirementResult, verdict: CaseVerdict): Set<string> =>
    new Set(
      row.cases.flatMap((one) => (one.verdict === verdict && one.operation !== undefined ? [one.operation] : [])),
    );
  const [heldBefore, failedBefore] = [at(was, 'passed'), at(was, 'failed')];
  return [...at(now, 'failed')].filter((operation) => heldBefore.has(operation) && !failedBefore.has(operation));
}

function failingIn(pairs: readonly Pair[]): readonly Change[] {
  return pairs.flatMap((pair): Change[] => {
    const { was, now } = pair;
    if (now.verdict !== 'failed') return [];
    if (was.verdict !== 'failed') return [{ ...now, was: was.verdict }];
    const operations = spread(pair);
    return operations.length === 0 ? [] : [{ ...now, was: was.verdict, operations }];
  });
}

const became = (pairs: readonly Pair[], fits: (verdict: CaseVerdict) => boolean): readonly Change[] =>
  pairs
    .filter(({ was, now }) => fits(now.verdict) && !fits(was.verdict))
    .map(({ was, now }) => ({ ...now, was: was.verdict }));

/** Whether the filters or the profile of a run leave a requirement out; where the filters do not say, it may have been left out. */
function leftOut(row: RequirementResult, { run, out_of_scope: foreign = [] }: Report): boolean {
  if (foreign.some(({ id }) => id === row.id)) return true;
  const { area, requirement, read_only, exhaustion } = run.options;
  if (requirement !== null) return !requirement.includes(row.id);
  if (area !== null && !area.includes(row.area)) return true;
  return read_only || !exhaustion;
}

function incomparable(before: Report, after: Report): Incomparable {
  const earlier = new Map(before.requirements.map((row) => [row.id, row]));
  const later = new Map(after.requirements.map((row) => [row.id, row]));
  const same = sameSuite(before, after);
  const lost = before.requirements.filter(({ id }) => !later.has(id));
  const gained = after.requirements.filter(({ id }) => !earlier.has(id));
  const reworded = after.requirements.filter((row) => {
    const was = earlier.get(row.id);
    return was !== undefined && !sameQuestion(was, row);
  });
  const ids = (rows: readonly RequirementResult[]) => rows.map(({ id }) => id);
  return {
    added: ids(gained.filter((row) => !same && !leftOut(row, before))),
    removed: ids(lost.filter((row) => !same && !leftOut(row, after))),
    reworded: ids(reworded),
    unselectedBefore: ids(gained.filter((row) => same || leftOut(row, before))),
    unselectedNow: lost.filter((row) => same || leftOut(row, after)),
  };
}

export function changes(before: Report, after: Report): Changes {
  const earlier = new Map(before.requirements.map((row) => [row.id, row]));
  const pairs = after.requirements.flatMap((now): Pair[] => {
    const was = earlier.get(now.id);
    return was !== undefined && sameQuestion(was, now) ? [{ was, now }] : [];
  });
  const [was, now] = [before.run.options.profile, after.run.options.profile];
  return {
    cause: sameSuite(before, after) ? 'target' : 'target-or-suite',
    terms: differingTerms(before, after),
    ...(was === now ? {} : { profiles: { before: was, after: now } }),
    compared: pairs.length,
    failing: failingIn(pairs),
    passing: became(pairs, (verdict) => verdict === 'passed'),
    undecided: became(pairs, isUndecided),
    withdrawn: became(pairs, (verdict) => verdict === 'observed').filter(({ level }) => level !== 'observe'),
    answers: answersOf(before, after, new Set(pairs.map(({ now }) => now.id))),
    cost: costChanges(before, after, sameTerms(before, after)),
    incomparable: incomparable(before, after),
  };
}

/** Requirements that were asked in one of the two only, or otherwise. */
export const incomparableIds = ({ incomparable: parts }: Changes): readonly string[] => [
  ...parts.added,
  ...parts.removed,
  ...parts.reworded,
  ...parts.unselectedBefore,
  ...parts.unselectedNow.map(({ id }) => id),
];
