// The options of `examine`: what the command line takes as flags and variables; checked, and turned into these, so that both say and do the same.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequirementId } from '../catalogue/index.ts';
import type { ProfileName } from '../catalogue/profiles.ts';
import type { Area, OwnId } from '../catalogue/requirement.ts';
import { isObject } from '../client/reply.ts';
import { didYouMean } from '../configuration/checked.ts';
import { type Effort, UsageError } from '../configuration/settings.ts';
import { type Configuration, configuration, type RunFlags } from '../configuration/target.ts';
import type { OnEvent } from '../events.ts';
import type { Suite } from '../index.ts';
import { isOwnSuite, ownSuiteProblem, rowsOf, sharedRule } from '../run/own-rules.ts';
import { defined } from '../runtime/defined.ts';
import type { VirtualClock } from '../runtime/virtual-clock.ts';

/** What the command line takes as flags, under the names of this language; what it takes as variables is in `environment`. */
export interface ExamineOptions {
  /** The target, without `/api/external/v2`; with `fetch` only what the requests are addressed to. */
  readonly baseUrl?: string;
  /** Answers in place of the network: a server in this process. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
  /** With `fetch`: the time of the run, which the server must go by, too; without it the run takes real time. */
  readonly clock?: VirtualClock;
  /** Variables such as `process.env`: credentials, limits, the way to the target. None is read unless it is given. */
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
function checkKind(name: string, value: unknown, kind: Kind): void {
  if (value === undefined || kinds[kind](value)) return;
  throw new UsageError(`${name} is not ${kind}; give it as one, or leave it out.`);
}

/** @throws UsageError on options that are none, or of another type. */
function checkKinds(options: ExamineOptions): void {
  if (!isObject(options))
    throw new UsageError('examine takes an object with options, for example { baseUrl, environment }.');
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

const text = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));

const flagsOf = (options: ExamineOptions): RunFlags =>
  defined({
    baseUrl: options.baseUrl,
    area: options.areas,
    requirement: options.requirements,
    seed: text(options.seed),
    concurrency: text(options.concurrency),
    effort: options.effort,
    profile: options.profile,
    maxMinutes: text(options.maxMinutes),
    bail: text(options.bail),
    readOnly: options.readOnly,
    exhaustion: options.exhaustion,
  });

/** A base URL for a handler, which needs none: the name can never be that of a host. */
const anywhere = 'http://handler.invalid';

function checkTarget({ baseUrl, fetch, environment = {} }: ExamineOptions): void {
  const address = baseUrl ?? environment.COVENANT_BASE_URL ?? '';
  if (address === '' && fetch === undefined)
    throw new UsageError('examine has no target; give it baseUrl, or fetch for a server in this process.');
}

function checkSuites(suites: readonly unknown[]): readonly Suite[] {
  const own = suites.map((one, index) => {
    if (!isOwnSuite(one))
      throw new UsageError(
        `suites[${index}] has no rules of your own; make it with suite({ 'x-...': must('...') }, [...]).`,
      );
    const problem = ownSuiteProblem(one);
    if (problem !== undefined) throw new UsageError(`suites[${index}]: ${problem}.`);
    return one;
  });
  const shared = sharedRule(own);
  if (shared !== undefined) throw new UsageError(`Two of suites have a rule ${shared}; give one of them another name.`);
  return own;
}

export type Checked = Pick<Configuration, 'settings' | 'network'> & {
  readonly target: NonNullable<Configuration['target']>;
  /** With rules of one's own. */
  readonly own: readonly Suite[];
};

/** @throws UsageError, in one sentence that says what is wrong and what to do; nothing was sent. */
export function checked(options: ExamineOptions): Checked {
  checkKinds(options);
  const { environment, fetch, suites = [] } = options;
  for (const [name, value] of Object.entries(environment ?? {})) checkKind(`environment.${name}`, value, 'a text');
  checkTarget(options);
  const own = checkSuites(suites);
  const all: Record<string, string | undefined> = { ...environment };
  if (fetch) all.COVENANT_BASE_URL ||= anywhere;
  try {
    const { target, settings, network } = configuration({
      flags: flagsOf(options),
      environment: all,
      readFile: (path) => readFileSync(path, 'utf8'),
      freshSeed: randomInt(2 ** 32),
      requirements: rowsOf(own),
    });
    if (target === undefined) throw new Error('a target was given and none was configured');
    return { target, settings, network, own };
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(renamed(error.message)) : error;
  }
}

const plural: Readonly<Record<string, string>> = { area: 'areas', requirement: 'requirements' };

/** The sentence with every flag under the name that it has here. */
const renamed = (message: string): string =>
  message.replace(
    /--([a-z]+(?:-[a-z]+)*)/g,
    (_, flag: string) => plural[flag] ?? flag.replace(/-(.)/g, (_hyphen, letter: string) => letter.toUpperCase()),
  );
