// The options of `examine`: what the command line takes as flags and variables, under the names of this language.

import type { RequirementId } from '../catalogue/index.ts';
import type { RateClass } from '../catalogue/operations.ts';
import type { ProfileName } from '../catalogue/profiles.ts';
import type { Area, OwnId } from '../catalogue/requirement.ts';
import { isObject } from '../client/reply.ts';
import { didYouMean } from '../configuration/checked.ts';
import { type CredentialName, type Effort, UsageError } from '../configuration/settings.ts';
import type { OnEvent } from '../events.ts';
import type { Suite } from '../index.ts';
import type { VirtualClock } from '../runtime/virtual-clock.ts';

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Name>;
type WithoutPrefix<Name extends string> = Name extends `COVENANT_${infer Rest}` ? Rest : never;
/** `apiKey` for COVENANT_API_KEY, `jwtExpired` for COVENANT_JWT_EXPIRED, and so on. */
export type CredentialOption = Camel<WithoutPrefix<CredentialName>>;

/** What the command line takes as flags and variables, under the names of this language. */
export interface ExamineOptions {
  /** The target, without `/api/external/v2`; with `fetch` only what the requests are addressed to. */
  readonly baseUrl?: string;
  /** Answers in place of the network: a server in this process. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
  /** With `fetch`: the time of the run, which the server must go by, too; without it the run takes real time. */
  readonly clock?: VirtualClock;
  readonly credentials?: Readonly<Partial<Record<CredentialOption, string>>>;
  readonly foreignSlug?: string;
  /** Requests a minute of the account that is exhausted, where `GET /me` does not report them. */
  readonly limits?: Readonly<Partial<Record<RateClass, number>>>;
  /** Length of the rate-limit minute in milliseconds, 60000 unless the target is a sandbox. */
  readonly minuteMs?: number;
  readonly originApp?: string;
  /** Milliseconds that one reply may take. */
  readonly timeoutMs?: number;
  /** Variables such as `process.env`, for what is not given here, and for the way to the target; none is read unless it is given. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly areas?: readonly Area[];
  readonly requirements?: readonly (RequirementId | OwnId)[];
  /** Rules of your own, judged beside the suite's and shown apart, under `own`. */
  readonly suites?: readonly Suite[];
  readonly effort?: Effort;
  /** Which part of the interface the target declares to offer; all of it unless given. */
  readonly profile?: ProfileName;
  readonly seed?: number;
  readonly concurrency?: number;
  readonly maxMinutes?: number;
  /** Stops after so many failed MUST requirements. */
  readonly bail?: number;
  readonly readOnly?: boolean;
  /** False: exceeds no rate limit. */
  readonly exhaustion?: boolean;
  /** Aborted: what was made is taken back, and the report is partial. */
  readonly signal?: AbortSignal;
  /** Called with everything that happens, in its order; an error that it throws ends the run and comes out of `examine`. */
  readonly onEvent?: OnEvent;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const kinds = {
  'a text': isText,
  'a number': (value: unknown) => typeof value === 'number',
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'a function': (value: unknown) => typeof value === 'function',
  'an object': isObject,
  'a list': Array.isArray,
  'a list of texts': (value: unknown) => Array.isArray(value) && value.every(isText),
  'an AbortSignal': (value: unknown) => isObject(value) && 'aborted' in Object(value),
  'a virtualClock()': (value: unknown) => isObject(value) && 'during' in Object(value),
} as const;
type Kind = keyof typeof kinds;

const optionKinds: Readonly<Record<keyof ExamineOptions, Kind>> = {
  baseUrl: 'a text',
  fetch: 'a function',
  clock: 'a virtualClock()',
  credentials: 'an object',
  foreignSlug: 'a text',
  limits: 'an object',
  minuteMs: 'a number',
  originApp: 'a text',
  timeoutMs: 'a number',
  environment: 'an object',
  areas: 'a list of texts',
  requirements: 'a list of texts',
  suites: 'a list',
  effort: 'a text',
  profile: 'a text',
  seed: 'a number',
  concurrency: 'a number',
  maxMinutes: 'a number',
  bail: 'a number',
  readOnly: 'a boolean',
  exhaustion: 'a boolean',
  signal: 'an AbortSignal',
  onEvent: 'a function',
};

/** @throws UsageError where an option, or a member of one, is there and something else. */
export function checkKind(name: string, value: unknown, kind: Kind): void {
  if (value === undefined || kinds[kind](value)) return;
  throw new UsageError(`${name} is not ${kind}; give it as one, or leave it out.`);
}

/** @throws UsageError on options that are none, or of another type. */
export function checkKinds(options: ExamineOptions): void {
  if (!isObject(options))
    throw new UsageError('examine takes an object with options, for example { baseUrl, credentials }.');
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(optionKinds, name)) {
      throw new UsageError(`${name} is not an option of examine${didYouMean(name, Object.keys(optionKinds))}`);
    }
    checkKind(name, value, optionKinds[name as keyof ExamineOptions]);
  }
  if (options.clock && !options.fetch) {
    throw new UsageError('clock is for a server in this process; give fetch, too, or leave clock out.');
  }
}
