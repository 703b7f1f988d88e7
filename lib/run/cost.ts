// What a case costs, by its declaration: requests by the account that pays for them, and records that stay.
import type { Case, Figure } from '../case.ts';
import { defaultLimits } from '../catalogue/operations.ts';
import type { Effort } from '../configuration/settings.ts';
import { type FixtureName, ofSpare } from '../fixtures/fixtures.ts';

/**
 * The account that pays for a request; `spare` is the account that the plan assigns to the case, `nobody` has no valid
 * credentials.
 */
export const payers = ['spare', 'primary', 'secondary', 'session', 'exhaustible', 'nobody'] as const;
export type Payer = (typeof payers)[number];

/** Requests of one case, its share of the clean-up included. */
export interface Cost extends Readonly<Partial<Record<Payer, readonly [writes: number, reads: number]>>> {
  readonly validations?: number;
  /** Records that stay because the interface offers no way to delete them. */
  readonly companies?: number;
  readonly contacts?: number;
}

const place = { quick: 0, standard: 1, thorough: 2 } as const;
/** Reads of a case that does not say how many they are. */
const readsMost = 6;

const figureAt = (figure: Figure, effort: Effort): number =>
  typeof figure === 'number' ? figure : figure[place[effort]];

/** Whether a thorough run sends more of the case than one of this effort. */
export const isMoreWhenThorough = (effort: Effort, { beyondQuick, ...one }: Case): boolean =>
  (effort === 'quick' && beyondQuick === true) ||
  [one.writes, one.reads, one.refused, one.validates].some(
    (figure) => typeof figure === 'object' && figure[place.thorough] > figure[place[effort]],
  );

type Caller = 'spare' | 'secondary' | 'session' | 'exhaustible';
const of: { readonly [Name in Caller]: readonly FixtureName[] } = {
  session: ['session', 'memberships', 'foreignSlug'],
  exhaustible: ['exhaustible', 'sibling', 'exhaustibleCompany', 'exhaustibleNote'],
  secondary: ['secondary', 'foreignCompany', 'foreignContact', 'foreignKey'],
  spare: ofSpare,
};
const needsAny = ({ needs = [] }: Case, names: readonly FixtureName[]): boolean =>
  needs.some((need) => names.includes(need));
const takes = ({ needs = [], wants = [] }: Case, names: readonly FixtureName[]): boolean =>
  [...needs, ...wants].some((need) => names.includes(need));

export const takesOf = (one: Case, payer: Caller): boolean => takes(one, of[payer]);

const mains = ['exhaustible', 'session', 'spare', 'secondary'] as const;

/**
 * The credentials that a case needs send most of its requests; without any, all credentials that it takes, in equal
 * parts.
 */
function payersOf(one: Case): readonly Payer[] {
  const [main] = mains.filter((payer) => needsAny(one, of[payer]));
  if (main !== undefined) return [main];
  return ['primary', ...(['secondary', 'session', 'exhaustible'] as const).filter((payer) => takesOf(one, payer))];
}

export function costOf(one: Case, effort: Effort): Cost {
  const { writes = 0, reads = readsMost, refused = 0, validates = 0, leaves = {} } = one;
  const by = payersOf(one);
  const written = figureAt(writes === true ? 1 : writes, effort);
  const each = [written / by.length, figureAt(reads, effort) / by.length] as const;
  const beside = by[0] === 'spare' && takesOf(one, 'secondary') && effort !== 'quick' ? written / 5 : 0;
  return {
    ...Object.fromEntries(by.map((payer) => [payer, [each[0] - beside, each[1]]])),
    ...(beside > 0 && { primary: [beside, 0] as const }),
    nobody: one.writes === undefined ? [0, figureAt(refused, effort)] : [figureAt(refused, effort), 0],
    validations: figureAt(validates, effort),
    companies: figureAt(leaves.companies ?? 0, effort),
    contacts: figureAt(leaves.contacts ?? 0, effort),
  };
}

/** Records that cases share, each with the records that it is created on. */
const shared: Readonly<Partial<Record<FixtureName, Cost & { readonly on?: readonly FixtureName[] }>>> = {
  company: { primary: [1, 0], companies: 1 },
  contact: { on: ['company'], primary: [1, 0], contacts: 1 },
  note: { on: ['company'], primary: [2, 0] },
  otherCompany: { primary: [1, 0], companies: 1 },
  otherNote: { on: ['otherCompany'], primary: [2, 0] },
  callFor: { on: ['company', 'otherNote'], primary: [4, 0] },
  key: { primary: [2, 0] },
  revokedKey: { primary: [2, 0] },
  foreignCompany: { secondary: [1, 0], companies: 1 },
  foreignContact: { on: ['foreignCompany'], secondary: [1, 0], contacts: 1 },
  foreignKey: { secondary: [2, 0] },
  // One more of each on a third account, which shares none.
  spareCompany: { on: ['company', 'foreignCompany'], exhaustible: [1, 0], companies: 1 },
  spareContact: { on: ['contact', 'foreignContact'], exhaustible: [1, 0], contacts: 1 },
  spareSponsor: { exhaustible: [1, 0], companies: 1 },
  memberships: { session: [2, 2] },
  exhaustibleCompany: { exhaustible: [1, 0], companies: 1 },
  exhaustibleNote: { on: ['exhaustibleCompany'], exhaustible: [2, 0] },
  exhaustibleTargets: { on: ['exhaustibleNote'], exhaustible: [11, 0] },
};

/** Whether it uses records of the other keys' accounts, in a minute that may be spent. */
export const takesOthers = ({ needs = [], wants = [] }: Case): boolean =>
  [...needs, ...wants].some((name) => shared[name]?.primary ?? shared[name]?.secondary);

/** A look at each credential; unless the run is quick, also at what the target accepts, on two accounts. */
const probing = (effort: Effort, writes: boolean): Cost => {
  const [made, seen] = effort === 'quick' || !writes ? [0, 0] : [2, 13];
  return {
    primary: [2 * made, 10 + seen],
    secondary: [made, 2 + seen],
    session: [0, 3],
    exhaustible: [0, 4],
    validations: 5,
  };
};

/** The requests and records for all of these cases together. */
export function sharedCosts(cases: readonly Case[], effort: Effort): readonly Cost[] {
  const made = new Set<FixtureName>();
  const add = (name: FixtureName): void => {
    if (made.has(name)) return;
    made.add(name);
    for (const on of shared[name]?.on ?? []) add(on);
  };
  for (const { needs = [], wants = [] } of cases) for (const name of [...needs, ...wants]) add(name);
  const writes = cases.some((one) => one.writes !== undefined);
  return [probing(effort, writes), ...[...made].flatMap((name) => (writes ? (shared[name] ?? []) : []))];
}

export const writesOf = (cost: Cost, payer: Payer): number => cost[payer]?.[0] ?? 0;
export const readsOf = (cost: Cost, payer: Payer): number => cost[payer]?.[1] ?? 0;

/** The minutes that a case takes of the accounts' allowances, and a little for every case. */
const weightOf = ({ nobody: _, ...cost }: Cost): number =>
  payers.reduce(
    (sum, payer) => sum + writesOf(cost, payer) / defaultLimits.write + readsOf(cost, payer) / defaultLimits.read,
    1 / 100 + (cost.validations ?? 0) / defaultLimits.validate,
  );

/** After each case, the share of the work that is done: from 0 to 1. */
export function shareOf(cases: readonly Case[], costing: (one: Case) => Cost): (ended: Case) => number {
  const weight = (one: Case): number => weightOf(costing(one));
  const all = cases.reduce((sum, one) => sum + weight(one), 0);
  let done = 0;
  return (ended) => {
    done += weight(ended);
    return Math.min(1, Math.round((done / all) * 1000) / 1000);
  };
}
