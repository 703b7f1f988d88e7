// What a case costs, as far as it is known before the run: from the table that a dry run of the reference left behind.
import type { Case } from '../case.ts';
import { defaultLimits } from '../catalogue/operations.ts';
import type { Effort } from '../configuration/settings.ts';
import { type Cost, type CostTable, type Payer, payers } from './cost.ts';
import { costs } from './costs.ts';

/** What every run asks first, and the records that cases share, stand in the table like cases. */
export const probeTitle = 'the probe at the start';
const sharedTitle = 'records that cases share';

const place = { quick: 0, standard: 1, thorough: 2 } as const;

/** A case that the table does not know costs nothing: it only comes later than it might. */
export const costOf = (title: string, effort: Effort, table: CostTable = costs): Cost =>
  table[title]?.[place[effort]] ?? {};

/** Of the records that cases share; those of the account that is exhausted are only made where it is. */
export function sharedCost(cases: readonly Case[], effort: Effort): Cost {
  const { exhaustible, ...others } = costOf(sharedTitle, effort);
  return exhaustible && cases.some(({ exhausts }) => exhausts) ? { ...others, exhaustible } : others;
}

export const writesOf = (cost: Cost, payer: Payer): number => cost[payer]?.[0] ?? 0;
export const readsOf = (cost: Cost, payer: Payer): number => cost[payer]?.[1] ?? 0;

/** Minutes that the requests of a case take of the accounts' allowances, and a little for every case. */
const weightOf = (cost: Cost): number =>
  payers.reduce(
    (sum, payer) => sum + writesOf(cost, payer) / defaultLimits.write + readsOf(cost, payer) / defaultLimits.read,
    1 / 100 + (cost.validations ?? 0) / defaultLimits.validate,
  );

/** Says of each case, when it has ended, how much of all is done with it: from 0 to 1. */
export function shareOf(cases: readonly Case[], costing: (one: Case) => Cost): (ended: Case) => number {
  const weight = (one: Case): number => weightOf(costing(one));
  const all = cases.reduce((sum, one) => sum + weight(one), 0);
  let done = 0;
  return (ended) => {
    done += weight(ended);
    return Math.min(1, Math.round((done / all) * 1000) / 1000);
  };
}
