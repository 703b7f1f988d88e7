// What a case costs, as far as it is known before the run: from the table that a dry run of the reference left behind.
import type { Effort } from '../configuration/settings.ts';
import { costs } from './costs.ts';

/** Whose allowance a request is taken from; `spare` is the account that the plan gives to the case. */
export type Payer = 'spare' | 'primary' | 'secondary' | 'session' | 'exhaustible';

/** Requests of one case, its share of the clean-up included. */
export interface Cost extends Readonly<Partial<Record<Payer, readonly [writes: number, reads: number]>>> {
  readonly validations?: number;
  /** Records that stay because the interface offers no way to delete them. */
  readonly companies?: number;
  readonly contacts?: number;
}

/** By the title of the case: quick, standard, thorough; a case that an effort leaves out costs nothing. */
export type CostTable = Readonly<Record<string, readonly [quick: Cost, standard: Cost, thorough: Cost]>>;

/** What every run asks first, and the records that cases share, stand in the table like cases. */
export const probeTitle = 'the probe at the start';
export const sharedTitle = 'records that cases share';

const place = { quick: 0, standard: 1, thorough: 2 } as const;

/** A case that the table does not know costs nothing: it only comes later than it might. */
export const costOf = (title: string, effort: Effort, table: CostTable = costs): Cost =>
  table[title]?.[place[effort]] ?? {};

export const writesOf = (cost: Cost, payer: Payer): number => cost[payer]?.[0] ?? 0;
export const readsOf = (cost: Cost, payer: Payer): number => cost[payer]?.[1] ?? 0;
