// The shape of an evidence file, format covenant-evidence/1: JSON lines, compressed; its schema is schemas/evidence.schema.json.
import type { Sent } from '../client/reply.ts';
import type { WireReply } from '../client/transports/transport.ts';
import type { CredentialName, Settings, Target } from '../configuration/settings.ts';
import type { CaseVerdict, RunVerdict } from '../result.ts';
import type { Recipe } from '../secrets/recipe.ts';

export const format = 'covenant-evidence/1';
/** The revision of the interface that is judged. */
export const interfaceRevision = '2026-03';

/** What judged: the package's version, and SHA-256 of the requirements and of the code that decides. */
export interface SuiteIdentity {
  readonly version: string;
  readonly catalogue: string;
  readonly code: string;
}

/** The first line: all that a run is given before it begins. */
export interface Header {
  readonly format: typeof format;
  readonly suite: SuiteIdentity;
  readonly interface: typeof interfaceRevision;
  readonly settings: Settings;
  readonly target: Omit<Target, 'credentials'>;
  /** For each credential that was set an invented one of the same shape; of a JWT header and claims are real. */
  readonly credentials: Readonly<Partial<Record<CredentialName, string>>>;
}

/** Readings of the clock since the line before, each as milliseconds since the reading before; the first since the epoch. */
interface Timed {
  readonly now?: readonly number[];
}

/** A request leaves. Credentials and made keys are written as `<NAME>`: the suite asks it again. */
export interface Asked extends Timed {
  readonly ask: number;
  readonly case: string;
  readonly request: Sent;
}

/** What came in, in the order in which the run took notice. Secrets are replaced by stand-ins of the same shape. */
export type Arrival = Timed &
  (
    | ({ readonly reply: number } & WireReply)
    /** No reply came to this request. */
    | { readonly lost: number; readonly why: string }
    /** The transport failed in a way that says nothing of the target. */
    | { readonly broke: number; readonly error: string; readonly why: string }
    /** A pause is over. */
    | { readonly slept: number }
    /** A person stopped the run. */
    | { readonly stopped: string }
  );

/** The last line but one: what was found. The last line is SHA-256 of every byte before it. */
export interface Found extends Timed {
  readonly verdict: RunVerdict;
  readonly verdicts: Readonly<Record<string, CaseVerdict>>;
  /** SHA-256 of report.json as it was written. */
  readonly report: string;
  /** The beginning of SHA-256 of each member of the header, by its name; older files have neither this nor the next. */
  readonly given?: Readonly<Record<string, string>>;
  /** SHA-256 of these together with the report that follows. */
  readonly follows?: string;
  /** How the tokens that the run made up follow from its secrets, which the record does not hold. */
  readonly tokens?: Readonly<Record<string, Recipe>>;
}

export type Entry = Asked | Arrival;
