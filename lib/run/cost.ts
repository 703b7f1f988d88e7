// What a case costs: requests, and records that stay.

/** Whose allowance a request is taken from; `spare` is the account that the plan gives to the case. */
export const payers = ['spare', 'primary', 'secondary', 'session', 'exhaustible'] as const;
export type Payer = (typeof payers)[number];

/** Requests of one case, its share of the clean-up included. */
export interface Cost extends Readonly<Partial<Record<Payer, readonly [writes: number, reads: number]>>> {
  readonly validations?: number;
  /** Records that stay because the interface offers no way to delete them. */
  readonly companies?: number;
  readonly contacts?: number;
}

/** By the title of the case: quick, standard, thorough; a case that an effort leaves out costs nothing. */
export type CostTable = Readonly<Record<string, readonly [quick: Cost, standard: Cost, thorough: Cost]>>;
