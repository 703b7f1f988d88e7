// What changed between two reports of one target, compared only where both asked the same question.
import type { CaseVerdict, Report, RequirementResult } from '../result.ts';

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
  /** What may have changed: only an identical suite is out of the question. */
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
  /** Passed before, and now the target lawfully leaves it out. */
  readonly withdrawn: readonly Change[];
  readonly answers: readonly ChangedAnswer[];
  readonly incomparable: Incomparable;
}

interface Both<Part> {
  readonly was: Part;
  readonly now: Part;
}
type Pair = Both<RequirementResult>;

/** What both have under one name. */
function both<Part>(before: readonly Part[], after: readonly Part[], nameOf: (one: Part) => string): Both<Part>[] {
  const earlier = new Map(before.map((one) => [nameOf(one), one]));
  return after.flatMap((now) => {
    const was = earlier.get(nameOf(now));
    return was === undefined ? [] : [{ was, now }];
  });
}
const idOf = ({ id }: { readonly id: string }): string => id;

export const isUndecided = (verdict: CaseVerdict): boolean => verdict === 'not-tested' || verdict === 'inconclusive';

const sameQuestion = (one: RequirementResult, other: RequirementResult): boolean =>
  one.level === other.level && one.statement === other.statement;

const answersOf = (before: Report, after: Report, comparable: ReadonlySet<string>): readonly ChangedAnswer[] =>
  both(before.observations, after.observations, idOf)
    .filter(({ was, now }) => was.answer !== now.answer && comparable.has(now.id))
    .map(({ was, now }) => ({ id: now.id, question: now.question, before: was.answer, after: now.answer }));

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
  const same = sameSuite(before, after);
  const shared = both(before.requirements, after.requirements, idOf);
  const asked = new Set(shared.map(({ now }) => now.id));
  const lost = before.requirements.filter(({ id }) => !asked.has(id));
  const gained = after.requirements.filter(({ id }) => !asked.has(id));
  return {
    added: gained.filter((row) => !same && !leftOut(row, before)).map(idOf),
    removed: lost.filter((row) => !same && !leftOut(row, after)).map(idOf),
    reworded: shared.filter(({ was, now }) => !sameQuestion(was, now)).map(({ now }) => now.id),
    unselectedBefore: gained.filter((row) => same || leftOut(row, before)).map(idOf),
    unselectedNow: lost.filter((row) => same || leftOut(row, after)),
  };
}

export function changes(before: Report, after: Report): Changes {
  const pairs = both(before.requirements, after.requirements, idOf).filter(({ was, now }) => sameQuestion(was, now));
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
    incomparable: incomparable(before, after),
  };
}

/** One sentence for each term that differs. */
type Terms = readonly string[];

const sameSuite = (before: Report, after: Report): boolean =>
  before.suite.version === after.suite.version && before.suite.catalogue === after.suite.catalogue;

const names = (some: readonly string[] | null): string => (some === null ? 'all' : [...some].sort().join(', '));

interface Term {
  readonly what: string;
  of(report: Report): string;
}

export const terms: readonly Term[] = [
  { what: 'the target', of: ({ target }) => target.base_url },
  { what: 'the version of the suite', of: ({ suite }) => suite.version },
  { what: 'the catalogue of requirements', of: ({ suite }) => suite.catalogue.slice(0, 12) },
  { what: 'the areas selected', of: ({ run }) => names(run.options.area) },
  { what: 'the requirements selected', of: ({ run }) => names(run.options.requirement) },
  { what: 'reads only', of: ({ run }) => (run.options.read_only ? 'yes' : 'no') },
  { what: 'exceeding of limits', of: ({ run }) => (run.options.exhaustion ? 'yes' : 'no') },
  {
    what: 'the shard',

    of: ({ run: { options } }) => (options.shard ? `${options.shard.index} of ${options.shard.of}` : 'all'),
  },
  { what: 'the profile', of: ({ run }) => run.options.profile },
  { what: 'the effort', of: ({ run }) => run.options.effort },
  { what: 'the seed', of: ({ run }) => String(run.seed) },
  { what: 'the rate-limit minute', of: ({ run }) => `${run.minute_ms} ms` },
];

/** How the seeds differ, where they do: `before 1, now 2`. */
export const seedsOf = (some: Terms): string | undefined =>
  some.find((term) => term.startsWith('the seed: '))?.slice('the seed: '.length);

const aborted = ({ verdict }: Report): boolean => verdict === 'aborted';

function differingTerms(before: Report, after: Report): Terms {
  const differing = terms.flatMap(({ what, of }) => {
    const [was, now] = [of(before), of(after)];
    return was === now ? [] : [`${what}: before ${was}, now ${now}`];
  });
  return aborted(after)
    ? [...differing, `the second run was aborted: ${after.reason ?? 'no reason given'}`]
    : differing;
}
