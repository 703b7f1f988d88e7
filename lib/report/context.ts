// What a view may get beside the result: the baseline, and the register of rulings.
import type { Ruling } from '../catalogue/ruling.ts';
import type { Report } from '../result.ts';

export type Rulings = Readonly<Record<string, Ruling>>;

/** The command line that examines a requirement again, as it works where this one was started. */
export type Again = (requirement: string, seed: number) => string;

export interface Context {
  /** The report that this one is compared with. */
  readonly baseline?: Report;
  /** How ambiguous places are read, by the identifiers that requirements name. */
  readonly rulings?: Rulings;
  readonly again?: Again;
}
