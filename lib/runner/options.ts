// The options of `examine`: checked, and turned into what the command line takes, so that both say and do the same.
import { randomInt } from 'node:crypto';
import { catalogue, type RequirementId } from '../catalogue/index.ts';
import type { RateClass } from '../catalogue/operations.ts';
import type { Area } from '../catalogue/requirement.ts';
import { didYouMean } from '../configuration/nearest.ts';
import { type CredentialName, credentialNames, type Effort, UsageError } from '../configuration/settings.ts';
import { type Configuration, configuration, type RunFlags } from '../configuration/target.ts';
import type { OnEvent } from '../events.ts';
import { defined } from '../runtime/defined.ts';
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
  /** Variables such as `process.env`, for what is not given here; none is read unless it is given. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly areas?: readonly Area[];
  readonly requirements?: readonly RequirementId[];
  readonly effort?: Effort;
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

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const kinds = {
  text: isText,
  number: isNumber,
  boolean: (value: unknown) => typeof value === 'boolean',
  function: (value: unknown) => typeof value === 'function',
  object: isObject,
  'list of texts': (value: unknown) => Array.isArray(value) && value.every(isText),
  'virtualClock()': (value: unknown) => isObject(value) && 'during' in Object(value),
} as const;

const optionKinds: Readonly<Record<keyof ExamineOptions, keyof typeof kinds>> = {
  baseUrl: 'text',
  fetch: 'function',
  clock: 'virtualClock()',
  credentials: 'object',
  foreignSlug: 'text',
  limits: 'object',
  minuteMs: 'number',
  originApp: 'text',
  timeoutMs: 'number',
  environment: 'object',
  areas: 'list of texts',
  requirements: 'list of texts',
  effort: 'text',
  seed: 'number',
  concurrency: 'number',
  maxMinutes: 'number',
  bail: 'number',
  readOnly: 'boolean',
  exhaustion: 'boolean',
  signal: 'object',
  onEvent: 'function',
};

const camel = (name: string): string =>
  name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const credentialOptions = new Map(credentialNames.map((name) => [camel(name.slice('COVENANT_'.length)), name]));
const limitVariables = new Map(
  ['read', 'write', 'validate'].map((rate) => [rate, `COVENANT_LIMIT_${rate.toUpperCase()}`]),
);

/** The members of an option that has some, by the variables that they stand for. */
function variables(option: string, given: object, known: ReadonlyMap<string, string>, kind: 'text' | 'number') {
  return Object.entries(given).flatMap(([member, value]): [variable: string, option: string, value: string][] => {
    const name = `${option}.${member}`;
    const variable = known.get(member);
    if (variable === undefined) {
      throw new UsageError(`${name} is not an option of examine${didYouMean(member, known.keys())}`);
    }
    if (value === undefined) return [];
    if (!kinds[kind](value)) throw new UsageError(`${name} is not a ${kind}; give it as one, or leave it out.`);
    return [[variable, name, String(value)]];
  });
}

/** @throws UsageError on options that are none, or of another type. */
function checkKinds(options: ExamineOptions): void {
  if (!isObject(options))
    throw new UsageError('examine takes an object with options, for example { baseUrl, credentials }.');
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(optionKinds, name)) {
      throw new UsageError(`${name} is not an option of examine${didYouMean(name, Object.keys(optionKinds))}`);
    }
    const kind = optionKinds[name as keyof ExamineOptions];
    if (value !== undefined && !kinds[kind](value)) {
      throw new UsageError(`${name} is not a ${kind}; give it as one, or leave it out.`);
    }
  }
  if (options.clock && !options.fetch) {
    throw new UsageError('clock is for a server in this process; give fetch, too, or leave clock out.');
  }
}

const text = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));

const flagsOf = (options: ExamineOptions): RunFlags =>
  defined({
    baseUrl: options.baseUrl,
    area: options.areas,
    requirement: options.requirements,
    seed: text(options.seed),
    concurrency: text(options.concurrency),
    effort: options.effort,
    maxMinutes: text(options.maxMinutes),
    bail: text(options.bail),
    readOnly: options.readOnly,
    exhaustion: options.exhaustion,
  });

const plural: Readonly<Record<string, string>> = { area: 'areas', requirement: 'requirements' };

/** The sentence with every flag and variable under the name by which it was given here. */
function renamed(message: string, given: ReadonlyMap<string, string>): string {
  const flags = message.replace(
    /--([a-z]+(?:-[a-z]+)*)/g,
    (_, flag: string) => plural[flag] ?? camel(flag.replaceAll('-', '_')),
  );
  return flags.replace(
    /(?:the environment variable )?(COVENANT_[A-Z_]*[A-Z])/g,
    (whole, name: string) => given.get(name) ?? whole,
  );
}

/** A base URL for a handler, which needs none: the name can never be that of a host. */
const anywhere = 'http://handler.invalid';

function checkTarget({ baseUrl, fetch, environment = {} }: ExamineOptions): void {
  if (baseUrl === undefined && fetch === undefined && !environment.COVENANT_BASE_URL) {
    throw new UsageError('examine has no target; give it baseUrl, or fetch for a server in this process.');
  }
}

/** What is said of files and variables is put in the words of options. */
function inOptions(error: unknown, given: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof UsageError)) return error;
  const isMissing = error.message.startsWith('COVENANT_API_KEY is not set');
  return new UsageError(
    isMissing
      ? 'credentials.apiKey is missing; it is the API key of the primary account.'
      : renamed(error.message, given),
  );
}

export type Checked = Pick<Configuration, 'settings' | 'network'> & {
  readonly target: NonNullable<Configuration['target']>;
};

/** @throws UsageError, in one sentence that says what is wrong and what to do; nothing was sent. */
export function checked(options: ExamineOptions): Checked {
  checkKinds(options);
  const { environment = {}, fetch, credentials = {}, limits = {} } = options;
  const { foreignSlug, minuteMs, originApp, timeoutMs } = options;
  const simple = Object.entries(defined({ foreignSlug, minuteMs, originApp, timeoutMs }));
  const given = [
    ...variables('credentials', credentials, credentialOptions, 'text'),
    ...variables('limits', limits, limitVariables, 'number'),
    ...simple.map(([name, value]) => [`COVENANT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`, name, String(value)]),
  ];
  const all: Record<string, string | undefined> = { ...environment };
  for (const [variable = '', , value] of given) all[variable] = value;
  checkTarget(options);
  if (fetch) all.COVENANT_BASE_URL ??= anywhere;
  const names = new Map(given.map(([variable = '', name = '']) => [variable, name]));
  try {
    const { target, settings, network } = configuration({
      flags: flagsOf(options),
      environment: all,
      freshSeed: randomInt(2 ** 32),
      requirements: catalogue,
    });
    if (target === undefined) throw new Error('a target was given and none was configured');
    return { target, settings, network };
  } catch (error) {
    throw inOptions(error, names);
  }
}
