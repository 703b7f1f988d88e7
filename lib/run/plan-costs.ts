// What a case costs, as far as it is known before the run: from the table that a dry run of the reference left behind.
import type { Effort } from '../configuration/settings.ts';
import type { Cost, CostTable, Payer } from './cost.ts';
import { costs } from './costs.ts';

/** What every run asks first, and the records that cases share, stand in the table like cases. */
export const probeTitle = 'the probe at the start';
export const sharedTitle = 'records that cases share';

const place = { quick: 0, standard: 1, thorough: 2 } as const;

/** A case that the table does not know costs nothing: it only comes later than it might. */
export const costOf = (title: string, effort: Effort, table: CostTable = costs): Cost =>
  table[title]?.[place[effort]] ?? {};

export const writesOf = (cost: Cost, payer: Payer): number => cost[payer]?.[0] ?? 0;
export const readsOf = (cost: Cost, payer: Payer): number => cost[payer]?.[1] ?? 0;
