// The input of a run: the target with its credentials, and the settings.
import { documentedMinuteMs, type RateClass } from '../catalogue/operations.ts';
import { type CredentialKind, defaultProfile, hasKind, type ProfileName } from '../catalogue/profiles.ts';

/** The variables of the contract that carry a secret; a credential is always named by its variable, never by its value. */
export const credentialNames = [
  'COVENANT_API_KEY',
  'COVENANT_API_KEY_RESTRICTED',
  'COVENANT_API_KEY_SECONDARY',
  'COVENANT_JWT',
  'COVENANT_JWT_EXPIRED',
  'COVENANT_JWT_NO_ACCOUNT',
  'COVENANT_RATE_API_KEY',
  'COVENANT_RATE_API_KEY_SIBLING',
] as const;
export type CredentialName = (typeof credentialNames)[number];

const sessions: readonly CredentialName[] = ['COVENANT_JWT', 'COVENANT_JWT_EXPIRED', 'COVENANT_JWT_NO_ACCOUNT'];
export const kindOf = (name: CredentialName): CredentialKind => (sessions.includes(name) ? 'session' : 'key');

/** The tokens of those that are set. */
export type Credentials = Readonly<Partial<Record<CredentialName, string>>>;

/** A value and where it was found, in words that a person can look up. */
export interface Found {
  readonly value: string;
  readonly where: string;
}

export interface Target {
  /** Without `/api/external/v2` and without a slash at the end; may carry a path prefix. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly foreignSlug?: string;
  /** Limits of the account that is exhausted, requests a minute, where GET /me reports none that can be read. */
  readonly limits: Readonly<Partial<Record<RateClass, number>>>;
  /** Length of the target's rate-limit minute in milliseconds. */
  readonly minuteMs: number;
  /** How many times as fast as the machine's clock the one runs that the target and the run share; absent where they share none. */
  readonly clockRate?: number;
  readonly originApp: string;
  /** For gateways, sent with each request; a secret value as its name in angle brackets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds that a reply may take. */
  readonly timeoutMs: number;
}

/** What a target is taken to be where nothing else is configured. */
export const targetDefaults = {
  limits: {},
  minuteMs: documentedMinuteMs,
  originApp: 'covenant',
  timeoutMs: 10_000,
} as const satisfies Partial<Target>;

/** How much is searched: `quick` samples, `standard` certifies, `thorough` searches wider where requests are cheap. */
export const efforts = ['quick', 'standard', 'thorough'] as const;
export type Effort = (typeof efforts)[number];

/** One of the parts into which a run is divided, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export interface Settings {
  /** Absent: everything. */
  readonly areas?: readonly string[];
  readonly requirements?: readonly string[];
  readonly seed: number;
  readonly readOnly: boolean;
  readonly exhaustion: boolean;
  readonly allowIncomplete: boolean;
  /** A failed recommendation (SHOULD) fails the gate too. */
  readonly strict?: true;
  readonly concurrency: number;
  readonly effort: Effort;
  /** Which part of the interface the target declares to offer; absent: all of it. */
  readonly profile?: ProfileName;
  /** The run ends after so many minutes; absent: three times what is planned. */
  readonly maxMinutes?: number;
  /** Runs this part of the cases only; what the others judge is not tested until all are merged. */
  readonly shard?: Shard;
  /** The run stops after so many failed MUST requirements; absent: never. */
  readonly bail?: number;
}

/** Whether such a credential exists where the profile is declared. */
export const existsIn = (name: CredentialName, profile: ProfileName = defaultProfile): boolean =>
  hasKind(profile, kindOf(name));

/** Wrong usage or configuration: one sentence that says what is wrong, where, and what to do. Nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
