// Which requirements a run judges and which cases it takes: filters, and the share of each shard.
import { type Case, type Invariant, type Suite, titleOf } from '../case.ts';
import { catalogue, type RequirementId } from '../catalogue/index.ts';
import { defaultLimits, type OperationId, operations } from '../catalogue/operations.ts';
import { defaultProfile, hasKind, servedToSessions } from '../catalogue/profiles.ts';
import { type Effort, existsIn, type Settings } from '../configuration/settings.ts';
import { behind } from '../fixtures/fixtures.ts';
import { type Cost, costOf, type Payer, readsOf, writesOf } from './cost.ts';
import { isOwn, type Rows, rowsOf } from './own-rules.ts';

export interface Selection {
  /** The catalogue, and the rules of one's own that the suites bring. */
  readonly rows: Rows;
  readonly ids: ReadonlySet<RequirementId>;
  /** The requirements that a profile with all credentials would judge, too. */
  readonly outOfScope: readonly RequirementId[];
  readonly cases: readonly Case[];
  /** The cases of other shards, with the number of the shard. */
  readonly elsewhere: ReadonlyMap<Case, number>;
  readonly invariants: readonly Invariant[];
  /** The requirements that rules judge. */
  readonly ruled: ReadonlySet<RequirementId>;
  /** A unique name for every case; its random stream derives from it. */
  readonly titles: ReadonlyMap<Case, string>;
}

type Filters = Pick<Settings, 'areas' | 'requirements' | 'readOnly' | 'exhaustion' | 'effort' | 'profile' | 'shard'>;

export const requirementIds = Object.keys(catalogue) as RequirementId[];

/** A run of own rules only selects no heading of the document. */
const isNamed = (id: string, area: string, { requirements, areas }: Filters): boolean =>
  (requirements?.includes(id) ?? true) && (isOwn(id) || (areas?.includes(area) ?? true));

export function select(suites: readonly Suite[], filters: Filters): Selection {
  const selection = selected(suites, filters);
  if (filters.profile === undefined || filters.profile === defaultProfile) return selection;
  const { ids } = selected(suites, { ...filters, profile: defaultProfile });
  return { ...selection, outOfScope: [...ids].filter((id) => !selection.ids.has(id)) };
}

/**
 * A requirement that a filter leaves without a case is not in the totals; one that never had a case stays, untested.
 */
function selected(suites: readonly Suite[], filters: Filters): Selection {
  const all = suites.flatMap((suite) => suite.cases);
  const cases = withSecondTimes(all, filters);
  const invariants = all.filter((one): one is Invariant => one.kind === 'invariant');
  const allowed = cases.filter((one) => isAllowed(one, filters));

  // A duty that needs no particular operation is judged on any reply.
  const within = invariants
    .map((invariant) => ({ ...withinReach(invariant, cases, filters), anywhere: invariant.over.length === 0 }))
    .filter(({ over, anywhere }) => anywhere || over.length > 0);
  const judgedBy = (some: readonly Case[], looking: readonly Invariant[], of = (one: Case) => one.ids) =>
    new Set([...some.flatMap(of), ...looking.map(({ id }) => id)]);
  const everJudged = judgedBy(cases, invariants);
  // What only cases bring about is not sure to occur.
  const judgedByCases = judgedBy(cases, []);
  const stillJudged = judgedBy(
    allowed,
    within.filter(({ id, anywhere }) => !anywhere || !judgedByCases.has(id)),
    (one) => idsOf(one, filters),
  );
  const rows = rowsOf(suites);
  const wanted = (Object.keys(rows) as RequirementId[]).filter((id) => {
    const { area, level } = rows[id];
    const named = isNamed(id, area, filters);
    return level !== 'untestable' && named && (stillJudged.has(id) || !everJudged.has(id));
  });
  const ids = new Set(wanted);
  const serves = (one: Case) => [...one.ids, ...(one.feeds ?? [])].some((id) => ids.has(id));
  const titles = titlesOf(cases);
  return {
    rows,
    ids,
    outOfScope: [],
    ...divided(allowed.filter(serves), filters),
    invariants: within.filter(({ id }) => ids.has(id)),
    ruled: new Set(suites.flatMap(({ rules }) => rules?.ids ?? [])),
    titles,
  };
}

/** A thorough run exceeds the limits twice: some defects show only later. */
function withSecondTimes(all: Suite['cases'], { effort }: Filters): readonly Case[] {
  const cases = all.filter((one) => one.kind === 'case');
  const exhausting = effort === 'thorough' ? cases.filter(({ exhausts }) => exhausts) : [];
  return [...cases, ...exhausting.map((one): Case => ({ ...one, again: true }))];
}

function divided(cases: readonly Case[], { shard, effort }: Filters): Pick<Selection, 'cases' | 'elsewhere'> {
  if (shard === undefined) return { cases, elsewhere: new Map() };
  const shares = sharesOf({ cases, effort, among: shard.of });
  return {
    cases: cases.filter((one) => shares.get(one) === shard.index),
    elsewhere: new Map([...shares].filter(([, index]) => index !== shard.index)),
  };
}

/** The selection without these decided cases, by title. */
export const without = (selection: Selection, decided: ReadonlySet<string> = new Set()): Selection => ({
  ...selection,
  cases: selection.cases.filter((one) => !decided.has(selection.titles.get(one) ?? '')),
});

/** Only these cases of a selection, by title, with all that is judged on every reply. */
export function narrowed(selection: Selection, only: ReadonlySet<string>): Selection {
  const { titles, ids, invariants, ruled } = selection;
  const cases = selection.cases.filter((one) => only.has(titles.get(one) ?? ''));
  const judged = [...cases.flatMap((one) => one.ids), ...invariants.map(({ id }) => id), ...ruled];
  return { ...selection, cases, ids: new Set(judged.filter((id) => ids.has(id))) };
}

/**
 * The titles of the cases that may wait for each other: nothing waits for those that exceed limits, and they wait only
 * for their time.
 */
export const inTurn = ({ cases, titles }: Selection): readonly string[] =>
  cases.flatMap((one) => (one.exhausts ? [] : (titles.get(one) ?? [])));

/** Equal titles get a number. */
function titlesOf(cases: readonly Case[]): ReadonlyMap<Case, string> {
  const met = new Map<string, number>();
  return new Map(
    cases.map((one) => {
      const title = titleOf(one);
      const number = (met.get(title) ?? 0) + 1;
      met.set(title, number);
      return [one, number === 1 ? title : `${title}, case ${number}`];
    }),
  );
}

function isAllowed(
  { needs = [], writes, exhausts, beyondQuick, sentElsewhere }: Case,
  { readOnly, exhaustion, effort, profile, areas, requirements }: Filters,
): boolean {
  if (sentElsewhere && areas === undefined && requirements === undefined) return false;
  if (readOnly && writes !== undefined) return false;
  if ((!exhaustion && exhausts) || (effort === 'quick' && beyondQuick === true)) return false;
  return needs.every((need) => existsIn(behind[need] ?? 'COVENANT_API_KEY', profile));
}

/** What the case judges or observes at this effort. */
function idsOf({ ids, beyondQuick = [] }: Case, { effort }: Filters): readonly RequirementId[] {
  if (effort !== 'quick' || beyondQuick === true) return ids;
  const left: ReadonlySet<RequirementId> = new Set(beyondQuick);
  return ids.filter((id) => !left.has(id));
}

/** Drops duties that no reply can show: of a write in a read-only run, and of cases that are left out. */
function withinReach(invariant: Invariant, cases: readonly Case[], filters: Filters): Invariant {
  const { readOnly, profile = defaultProfile } = filters;
  if (!readOnly && profile === defaultProfile) return invariant;
  const isSent = (operation: OperationId): boolean =>
    !(readOnly && operations[operation].rate === 'write') &&
    (hasKind(profile, 'session') || !servedToSessions.includes(operation));
  const isShown = (operation: OperationId): boolean => {
    const feeding = cases.filter(
      ({ feeds, visits = [] }) => feeds?.includes(invariant.id) && [visits].flat().includes(operation),
    );
    return feeding.length === 0 || feeding.some((one) => one.sentElsewhere || isAllowed(one, filters));
  };
  return {
    ...invariant,
    over: invariant.over.filter((one) => isSent(one) && isShown(one)),
  };
}

/** Cases that exceed limits wait only for each other, so they are all in the first shard. */
const exhaustingShard = 1;

/** Bursts are not paced, on an account that nothing else needs; only other validations wait for them, for a minute. */
const exhaustion: Cost = { validations: defaultLimits.validate };

/** Spare writes go to the less busy of two accounts. */
const spareAccounts = 2;

class Load {
  private readonly costs: Cost[] = [];

  add(cost: Cost): void {
    this.costs.push(cost);
  }

  /** Minutes under the limits of the document, whatever accounts a shard will have. */
  minutes(more: Cost): number {
    const all = [...this.costs, more];
    const sum = (part: (cost: Cost) => number): number => all.reduce((total, cost) => total + part(cost), 0);
    const { read, write, validate } = defaultLimits;
    const writes = (payer: Payer): number => sum((cost) => writesOf(cost, payer));
    const [primary, secondary] = [writes('primary'), writes('secondary')];
    return Math.max(
      sum(({ validations = 0 }) => validations) / validate,
      Math.max(primary, secondary, writes('session'), (primary + secondary + writes('spare')) / spareAccounts) / write,
      sum((cost) => readsOf(cost, 'primary')) / read,
    );
  }
}

interface Divided {
  readonly cases: readonly Case[];
  readonly effort: Effort;
  /** How many shards there are. */
  readonly among: number;
}

/** The shard of each case, from 1: the costliest cases first, each to the shard that finishes it first. */
function sharesOf({ cases, effort, among }: Divided): ReadonlyMap<Case, number> {
  const loads = Array.from({ length: among }, () => new Load());
  const shares = new Map<Case, number>();
  const nothing = new Load();
  const known = cases.map((one) => [one, costOf(one, effort)] as const);
  const exhausting = cases.filter(({ exhausts }) => exhausts);
  if (exhausting.length > 0) loads[exhaustingShard - 1]?.add(exhaustion);
  for (const one of exhausting) shares.set(one, exhaustingShard);
  const others = known.filter(([{ exhausts }]) => !exhausts);
  for (const [one, cost] of others.toSorted(([, a], [, b]) => nothing.minutes(b) - nothing.minutes(a))) {
    const [best] = [...loads.entries()].sort(([, a], [, b]) => a.minutes(cost) - b.minutes(cost));
    best?.[1].add(cost);
    shares.set(one, (best?.[0] ?? 0) + 1);
  }
  return shares;
}
