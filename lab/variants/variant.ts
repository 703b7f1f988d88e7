// What a variant is: a server that is unusual and lawful, because it takes a choice that the document leaves.
import type { RequirementId } from '../../lib/catalogue/index.ts';
import type { Wrap } from '../mutants/mutant.ts';
import type { RateClass, ReferenceOptions } from '../reference/index.ts';

/** Requirements, each with the reason why it cannot be green here. */
export type Exceptions = Readonly<Partial<Record<RequirementId, string>>>;

export interface Variant {
  /** `<theme>-<what is unusual>`. */
  readonly id: string;
  /** The choice that it takes, in one sentence. */
  readonly why: string;
  /** How the reference below the wrapper is set. */
  readonly reference?: Omit<ReferenceOptions, 'clock'>;
  /** How far its clock is ahead, in milliseconds. */
  readonly skewMs?: number;
  readonly wrap?: Wrap;
  /** What its operator configures beyond the credentials. */
  readonly target?: { readonly baseUrl?: string; readonly limits?: Readonly<Partial<Record<RateClass, number>>> };
  /** What it does not offer, and is therefore not tested. */
  readonly untested?: Exceptions;
  /** What it does not do although it is recommended: a failed SHOULD. */
  readonly warned?: Exceptions;
}

/** One wrapper after another, the first nearest to the honest server. */
export const together =
  (wraps: readonly Wrap[]): Wrap =>
  (honest, clock) =>
    wraps.reduce((handler, wrap) => wrap(handler, clock), honest);
