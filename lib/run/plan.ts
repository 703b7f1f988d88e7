// Assigns the cases to accounts and orders them: balanced over the accounts, in parallel, the longest first.
import { type Case, titleOf } from '../case.ts';
import { defaultLimits } from '../catalogue/operations.ts';
import type { Effort } from '../configuration/settings.ts';
import { grouped } from '../runtime/grouped.ts';
import type { Random } from '../runtime/random.ts';
import { type Cost, costOf, type Payer, payers, readsOf, sharedCosts, takesOf, takesOthers, writesOf } from './cost.ts';
import type { Selection } from './selection.ts';

/** The account of each key. */
export const payerNamed = {
  COVENANT_API_KEY: 'primary',
  COVENANT_API_KEY_SECONDARY: 'secondary',
  COVENANT_RATE_API_KEY: 'exhaustible',
} as const;

/** The keys of interchangeable accounts. */
export type SpareName = keyof typeof payerNamed;

interface SpareAccount {
  readonly name: SpareName;
  /** Writes a minute. */
  readonly writes: number;
  /** Reads a minute. */
  readonly reads: number;
  /** The share of each payer's requests that counts here: several if credentials share an account. */
  readonly payers: Readonly<Partial<Record<Payer, number>>>;
  /** Cases start there only after its limits have been exceeded. */
  readonly isExhausted?: true;
}

/** What is known of the accounts, or assumed before anything is sent. */
export interface Accounts {
  readonly spare: readonly SpareAccount[];
  /** No other credential is on the exhausted account: its limits can be exceeded while everything else runs. */
  readonly exhaustibleApart: boolean;
}

export interface PlanInput {
  readonly cases: readonly Case[];
  readonly effort: Effort;
  readonly accounts: Accounts;
  /** Decides between equal costs. */
  readonly random: Random;
  /** In a random order, and not the longest first. */
  readonly shuffled?: boolean;
}

/** Cases that wait for the same account, in their order; no queue waits for another. */
interface Queue {
  readonly name: Payer | 'reads' | typeof exhausted;
  readonly cases: readonly Case[];
}

/** The queue of cases that start on the exhausted account after its read and write limits have been exceeded. */
export const exhausted = 'exhausted';
/** A quiet minute before the limits are exceeded, and one until requests are accepted again. */
export const minutesOfExhaustion = 2;
/** Of a minute, what is left to what exceeds the limit of validations: it would wait for its writes. */
const spareShare = 0.5;

export interface CasePlan {
  readonly queues: readonly Queue[];
  /**
   * The cases that exceed limits: in parallel with everything else if the account is a separate one, otherwise last.
   */
  readonly exhausting: readonly Case[];
  /** The account that a case gets as `spare`. */
  readonly spareOf: ReadonlyMap<Case, SpareName>;
  readonly costOf: (one: Case) => Cost;
  /** No queue writes more than two minutes' worth, so that all its writes can start at once, whatever comes first. */
  readonly isShort: boolean;
}

interface Load extends SpareAccount {
  /** What it has to do so far. */
  write: number;
  read: number;
}

/**
 * Until the account is done with this too; what only reads adds nothing to the writes, however many there are. Reads keep
 * writes waiting where they take whole minutes more.
 */
function minutesWith({ write, read, writes, reads }: Load, more: Cost): number {
  const [added, reading] = [writesOf(more, 'spare'), (read + readsOf(more, 'spare')) / reads];
  return added === 0 ? reading : Math.max((write + added) / writes, Math.floor(reading));
}

/** Longest first, each to the account that is done first; those that share a company of type sponsor all to one. */
function balanced(
  cases: readonly Case[],
  fixed: readonly Cost[],
  costing: (one: Case) => Cost,
  { effort, accounts: { spare } }: Pick<PlanInput, 'effort' | 'accounts'>,
): ReadonlyMap<Case, SpareName> {
  // What exceeds limits takes whole minutes, what is made for it and all that is refused included.
  const after = cases.map(costing).filter((cost) => !spends(cost));
  const loads = spare.map((account): Load => {
    const [counted, minutes] = account.isExhausted ? [after, minutesOfExhaustion + spareShare] : [fixed, 0];
    const own = (of: typeof writesOf): number =>
      counted.reduce(
        (sum, cost) => sum + payers.reduce((ofAll, payer) => ofAll + (account.payers[payer] ?? 0) * of(cost, payer), 0),
        0,
      );
    return {
      ...account,
      write: own(writesOf) + minutes * account.writes,
      read: own(readsOf) + minutes * account.reads,
    };
  });
  const placed = new Map<Case, SpareName>();
  const sharesSponsor = (one: Case): boolean => effort !== 'quick' && (one.needs ?? []).includes('spareSponsor');
  let ofSponsors: Load | undefined;
  const asked = (one: Case, of: typeof writesOf): number => of(costing(one), 'spare');
  const more = (one: Case, other: Case, of: typeof writesOf) => asked(other, of) - asked(one, of);
  const movable = cases.filter((one) => takesOf(one, 'spare'));
  for (const one of movable.sort((a, b) => more(a, b, writesOf) || more(a, b, readsOf))) {
    const cost = costing(one);
    // What exceeds the limits, perhaps of the primary account, looks at those of another one.
    const others = loads.filter(({ name }) => one.exhausts && name === 'COVENANT_API_KEY_SECONDARY');
    // What begins late must be short, and what exceeds the limit of validations waits for all others that validate.
    const isLate = one.exhausts || validates(cost);
    const free = loads.filter(
      ({ isExhausted, writes }) => !isExhausted || !(isLate || writesOf(cost, 'spare') > spareShare * writes),
    );
    const [soonest] = (others.length > 0 ? others : free).sort(
      (first, second) => minutesWith(first, cost) - minutesWith(second, cost),
    );
    const best = sharesSponsor(one) ? (ofSponsors ?? soonest) : soonest;
    if (!best) continue;
    if (sharesSponsor(one)) ofSponsors = best;
    best.write += writesOf(cost, 'spare');
    best.read += readsOf(cost, 'spare');
    placed.set(one, best.name);
  }
  return placed;
}

const total = (cost: Cost): number =>
  (['spare', 'primary', 'secondary', 'session'] as const).reduce((sum, payer) => sum + writesOf(cost, payer), 0);

/** The queue of the account that most of its writes go to. */
function queueOf(one: Case, cost: Cost, spareName: SpareName | undefined, exhausts: boolean): Queue['name'] {
  // What only validates and asks nothing as the session need not keep the others of the session waiting.
  const onlyValidates = validates(cost) && total(cost) + readsOf(cost, 'session') === 0;
  if (takesOf(one, 'session') && !onlyValidates) return 'session';
  if (takesOf(one, 'exhaustible')) return 'exhaustible';
  const spare = spareName && payerNamed[spareName];
  const writes = (payer: Payer): number => writesOf(cost, payer) + (payer === spare ? writesOf(cost, 'spare') : 0);
  if (spare === 'exhaustible') return exhausts ? exhausted : spare;
  // Whether or not it may write where something is lacking.
  if (total(cost) === 0) return 'reads';
  return writes('secondary') > writes('primary') ? 'secondary' : 'primary';
}

/** Without exceeding their limit. */
export const validates = ({ validations = 0 }: Cost): boolean => validations > 0;

/** Of what exceeds limits: whether it leaves no reads or writes to others of the account. */
export const spends = (cost: Cost): boolean => !validates(cost) && writesOf(cost, 'exhaustible') > 0;

/** What validates without exceeding the limit. */
export interface Validating {
  /** Of the case. */
  readonly title: string;
  readonly validations: number;
  readonly ofSession: boolean;
}

export function validatingIn(
  { cases, titles }: Pick<Selection, 'cases' | 'titles'>,
  plan: CasePlan,
): readonly Validating[] {
  const ofSessions = plan.queues.flatMap(({ name, cases }) => (name === 'session' ? cases : []));
  return cases.flatMap((one): Validating[] => {
    const { validations = 0 } = plan.costOf(one);
    const title = titles.get(one) ?? titleOf(one);
    return one.exhausts || validations === 0 ? [] : [{ title, validations, ofSession: ofSessions.includes(one) }];
  });
}

/**
 * One after the other: what fits into the first minute's worth of writes and waits for no records of other accounts, what
 * takes longer than one minute, then what only reads, and at last what writes little; of these the longest first.
 */
function inTurn(cases: readonly Case[], costing: (one: Case) => Cost): readonly Case[] {
  const writes = (one: Case): number => total(costing(one));
  let sum = 0;
  const isEarly = (one: Case): boolean => {
    const early =
      validates(costing(one)) || (writes(one) > 0 && !takesOthers(one) && sum + writes(one) <= defaultLimits.write);
    if (early) sum += writes(one);
    return early;
  };
  const early = cases.filter(isEarly);
  const place = (one: Case): number => (writes(one) > defaultLimits.write ? 0 : writes(one) === 0 ? 1 : 2);
  const rest = cases.filter((one) => !early.includes(one));
  const reads = (one: Case): number => readsOf(costing(one), 'session');
  return [...early, ...rest.sort((one, other) => place(one) - place(other) || reads(other) - reads(one))];
}

const minutesOfShort = 2;

function fitsShort(queues: readonly Queue[], costing: (one: Case) => Cost, { spare }: Accounts): boolean {
  const most = minutesOfShort * Math.min(defaultLimits.write, ...spare.map(({ writes }) => writes));
  return queues.every(({ cases }) => cases.reduce((sum, one) => sum + total(costing(one)), 0) <= most);
}

/** The plan with some of its cases only, each where it was. */
export function planOf(some: readonly Case[], plan: CasePlan): CasePlan {
  const kept = new Set(some);
  const of = (cases: readonly Case[]) => cases.filter((one) => kept.has(one));
  const queues = plan.queues.map(({ name, cases }) => ({ name, cases: of(cases) }));
  return { ...plan, queues, exhausting: of(plan.exhausting) };
}

/** Deterministic: the same cases, accounts and seed give the same plan. */
export function planCases({ cases, effort, accounts, random, shuffled }: PlanInput): CasePlan {
  const known = new Map(cases.map((one) => [one, costOf(one, effort)]));
  const costing = (one: Case): Cost => known.get(one) ?? {};
  const drawn = random.shuffled(cases);
  const fixed = [...sharedCosts(cases, effort), ...cases.map(costing)];
  const spareOf = balanced(drawn, fixed, costing, { effort, accounts });
  const exhausting = cases.filter(({ exhausts }) => exhausts);
  const nameOf = (one: Case) => queueOf(one, costing(one), spareOf.get(one), exhausting.length > 0);
  const main = drawn.filter(({ exhausts }) => !exhausts);
  // Validations first: what exceeds their limit has to wait until no other case validates any more.
  const rank = (one: Case): number => Number(!validates(costing(one)));
  const ordered = shuffled
    ? main
    : [...main].sort((one, other) => rank(one) - rank(other) || total(costing(other)) - total(costing(one)));
  const inOrder = [...grouped(ordered, nameOf)].map(([name, inQueue]) => ({
    name,
    cases: name === 'session' && !shuffled ? inTurn(inQueue, costing) : inQueue,
  }));
  return {
    queues: inOrder,
    isShort: fitsShort(inOrder, costing, accounts),
    exhausting,
    spareOf,
    costOf: costing,
  };
}
