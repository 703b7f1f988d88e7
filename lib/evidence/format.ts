// The shape of an evidence file, format covenant-evidence/2: JSON lines, compressed; its schema is schemas/evidence.schema.json.
import type { Allowances } from '../client/limits.ts';
import type { Reply, Sent } from '../client/reply.ts';
import type { Report } from '../result.ts';

export const format = 'covenant-evidence/2';
/** The revision of the interface that is judged. */
export const interfaceRevision = '2026-03';

/** What judged: the package's version, and SHA-256 of the requirements and of the code that decides. */
export interface SuiteIdentity {
  readonly version: string;
  readonly catalogue: string;
  readonly code: string;
}

/** The first line. */
export interface Header {
  readonly format: typeof format;
  readonly suite: SuiteIdentity;
  readonly interface: typeof interfaceRevision;
}

/**
 * One exchange, in the order of the replies. Each secret is replaced by an invented one of the same shape, everywhere the
 * same; of a JWT header and claims are real. `judged`: the reply is the target's word on its request.
 */
export type Exchange = Omit<Reply, 'json'> & { readonly judged?: true };

interface Lost {
  readonly request: Sent;
  /** How many replies there were before it; absent where it got a reply of the target's own in the end. */
  readonly after?: number;
}

/** The last line but one. The last line is SHA-256 of every byte before it. */
export interface Found {
  readonly report: Report;
  /** SHA-256 of report.json as it was written. */
  readonly sha256OfReport: string;
  /** Requests of which it is not known how often they were carried out. */
  readonly lost: readonly Lost[];
  /** The limits as the probe read them; absent where it did not come to that. */
  readonly allowances?: Omit<Allowances, 'accounts'> & {
    readonly accounts: Readonly<Record<string, readonly string[]>>;
  };
}
