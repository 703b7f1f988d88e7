// What a variant is: a server that is unusual but lawful, because the document leaves a choice.
import type { RequirementId } from '../../lib/catalogue/index.ts';
import type { ChangeEnv, Wrap } from '../mutants/mutant.ts';
import type { RateClass, ReferenceOptions } from '../reference/index.ts';

/** Requirements that cannot be green on a subject, each with the reason. */
export type Exceptions = Readonly<Partial<Record<RequirementId, string>>>;

export interface Variant {
  /** `<theme>-<what is unusual>`. */
  readonly id: string;
  /** The choice that it takes, in one sentence. */
  readonly why: string;
  /** How the reference below the wrapper is configured. */
  readonly reference?: Omit<ReferenceOptions, 'clock'>;
  /** Changes the environment that the reference provides: which credentials a run is given. */
  readonly env?: ChangeEnv;
  /** How far its clock is ahead, in milliseconds. */
  readonly skewMs?: number;
  readonly wrap?: Wrap;
  /** What its operator configures beyond the credentials. */
  readonly target?: { readonly baseUrl?: string; readonly limits?: Readonly<Partial<Record<RateClass, number>>> };
  /** Requirements that cannot be tested, because it lacks an optional part. */
  readonly untested?: Exceptions;
  /** Requirements that can be tested on some runs only, because it answers by chance. */
  readonly unsteady?: Exceptions;
  /** Recommendations that it does not follow: a failed SHOULD. */
  readonly warned?: Exceptions;
}

/** The variants of a table, by their identifiers. */
export const variants = (table: Readonly<Record<string, Omit<Variant, 'id'>>>): readonly Variant[] =>
  Object.entries(table).map(([id, variant]) => ({ id, ...variant }));

/** Combines wrappers; the first is nearest to the honest server. */
export const together =
  (wraps: readonly Wrap[]): Wrap =>
  (honest, clock) =>
    wraps.reduce((handler, wrap) => wrap(handler, clock), honest);

/** The operations whose replies show companies, and those whose replies show contacts. */
export const companies = [
  'GET /companies',
  'POST /companies',
  'GET /companies/{company_id}',
  'PATCH /companies/{company_id}',
];
export const contacts = ['GET /contacts', 'POST /contacts'];
