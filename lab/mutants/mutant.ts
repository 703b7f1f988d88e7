// What a mutant is: a small wrapper round the reference that breaks one duty, and the requirements that must notice.
import type { RequirementId } from '../../lib/catalogue/index.ts';
import type { VirtualClock } from '../../lib/runtime/virtual-clock.ts';
import type { Handler, ReferenceOptions } from '../reference/index.ts';

export type Wrap = (honest: Handler, clock: VirtualClock) => Handler;

/** Leaves out some of the credentials that the reference provides, by the names of the environment variables. */
export type ChangeEnv = (env: Readonly<Record<string, string>>) => Record<string, string>;

/** Requirements that may fail as a consequence, each with the reason. */
type Collateral = Readonly<Partial<Record<RequirementId, string>>>;

/** The same reason for several. */
export const because = (reason: string, ...ids: readonly RequirementId[]): Collateral =>
  Object.fromEntries(ids.map((id) => [id, reason]));

/** Every kind of bad credential; each is tried on every protected operation. */
export const badCredentials = [
  'authentication-missing',
  'authentication-key-unknown',
  'authentication-key-altered',
  'authentication-malformed',
  'authentication-tampered-signature',
  'authentication-tampered-payload',
  'authentication-alg-none',
  'authentication-expired',
  'authentication-revoked',
  'api-keys-revoked-at-once',
] as const satisfies readonly RequirementId[];

/** A defect of real software, which a mutant imitates. */
interface Report {
  /** What the software did, in one sentence. */
  readonly bug: string;
  /** The public thread. */
  readonly url: string;
  /** What its users had of it. */
  readonly suffered: string;
}

export interface Mutant {
  /** `<area>-<what it wrongly does>`, in the present tense. */
  readonly id: string;
  /** All of these requirements fail, and none besides but the collateral. */
  readonly breaks: readonly RequirementId[];
  readonly collateral?: Collateral;
  /** How the reference below the wrapper is configured. */
  readonly reference?: Omit<ReferenceOptions, 'clock'>;
  /** Changes the environment that the reference provides: which credentials a run is given. */
  readonly env?: ChangeEnv;
  readonly wrap: Wrap;
  readonly report?: Report;
  /** Why no run finds it yet: what the document does not say, or what a run does not send. The laboratory tells when it is found. */
  readonly notFound?: string;
}

/** A wrapper alone, or a wrapper with what else has to be declared. */
type Row =
  | Wrap
  | (Omit<Mutant, 'id' | 'breaks'> & {
      /** Further requirements that it breaks. */
      readonly also?: readonly RequirementId[];
    });

/** The mutants by the requirement that each breaks, then by identifier. */
type Table = { readonly [Id in RequirementId]?: Readonly<Record<string, Row>> };

/** The literal identifiers under all requirements of a table but one; computed ones are compared in a test. */
type Elsewhere<T, Id extends keyof T> = {
  [Other in Exclude<keyof T, Id>]: string extends keyof T[Other] ? never : keyof T[Other];
}[Exclude<keyof T, Id>];

/** Makes a mistyped requirement, and an identifier under two requirements, an error of the compiler. */
type Checked<T> = {
  [Id in keyof T]: Id extends RequirementId
    ? { [Name in keyof T[Id]]: Name extends Elsewhere<T, Id> ? 'this identifier is used twice' : Row }
    : 'there is no such requirement';
};

/** What a wrong write leaves stands in every list afterwards. */
export const listedToo = {
  'notes-list-record': 'what was written last is compared with every list that shows the note',
} as const satisfies Collateral;

/** High limits: what a wrapper sends with the token of a caller must not run into the limit of that caller. */
export const highLimits = { reference: { tiers: { business: { read: 3000, write: 1000 } } } } as const;

/** The mutants of a table; `shared` holds for each of them, unless its row says otherwise. */
export function mutants<T extends Table>(table: T & Checked<T>, shared: Pick<Mutant, 'reference'> = {}): Mutant[] {
  return Object.entries<Readonly<Record<string, Row>>>(table).flatMap(([requirement, rows]) =>
    Object.entries(rows).map(([id, row]): Mutant => {
      const { also = [], ...rest } = typeof row === 'function' ? { wrap: row } : row;
      return { id, breaks: [requirement as RequirementId, ...also], ...shared, ...rest };
    }),
  );
}
