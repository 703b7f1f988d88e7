// Divides the cases of a selection among shards: balanced by what they cost, and the same wherever it is computed.
import type { Case } from '../case.ts';
import { defaultLimits } from '../catalogue/operations.ts';
import type { Effort } from '../configuration/settings.ts';
import { type Cost, costOf, type Payer, readsOf, writesOf } from './cost.ts';

/** What exceeds limits waits for itself alone, so all of it is in the first shard. */
const exhaustingShard = 1;

/** Bursts are not paced, on an account that nothing else needs; only other validations wait for them, for a minute. */
const exhaustion: Cost = { validations: defaultLimits.validate };

/** Spare writes go to whichever of two accounts has room. */
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

/** The number of each case's shard, from 1: the costliest first, each to the shard that is done with it first. */
export function sharesOf({ cases, effort, among }: Divided): ReadonlyMap<Case, number> {
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
