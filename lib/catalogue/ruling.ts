// What a ruling is: how one place of the document that allows several readings is read.

export interface Ruling {
  readonly question: string;
  /** The readings that a careful reader may defend. */
  readonly readings: readonly string[];
  readonly ruling: string;
  readonly why: string;
}

/** Keeps the slugs of a register as literal types and checks its entries. */
export const register = <const Entries extends Record<string, Ruling>>(entries: Entries): Entries => entries;
