// Checks the options of `examine`, and turns them into what the command line takes, so that both say and do the same.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { didYouMean } from '../configuration/checked.ts';
import { credentialNames, UsageError } from '../configuration/settings.ts';
import { type Configuration, configuration, type RunFlags } from '../configuration/target.ts';
import type { Suite } from '../index.ts';
import { isOwnSuite, ownSuiteProblem, rowsOf, sharedRule } from '../run/own-rules.ts';
import { defined } from '../runtime/defined.ts';
import { checkKind, checkKinds, type ExamineOptions } from './options.ts';

const named = (option: string, members: readonly string[], variable: (member: string) => string) =>
  new Map(members.map((member) => [member, { variable: variable(member), option: `${option}.${member}` }]));
type Members = ReturnType<typeof named>;

/** `api_key` or `API_KEY` as `apiKey`. */
const camel = (name: string): string =>
  name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const credentialVariables = new Map(credentialNames.map((name) => [camel(name.slice('COVENANT_'.length)), name]));
const members: Readonly<Record<'credentials' | 'limits', Members>> = {
  credentials: named('credentials', [...credentialVariables.keys()], (name) => credentialVariables.get(name) ?? name),
  limits: named('limits', ['read', 'write', 'validate'], (name) => `COVENANT_LIMIT_${name.toUpperCase()}`),
};
const single = {
  foreignSlug: 'COVENANT_FOREIGN_SLUG',
  minuteMs: 'COVENANT_MINUTE_MS',
  originApp: 'COVENANT_ORIGIN_APP',
  timeoutMs: 'COVENANT_TIMEOUT_MS',
} as const;

/** By variable, how it is called here. */
const optionNames: ReadonlyMap<string, string> = new Map([
  ...Object.values(members).flatMap((known) =>
    [...known.values()].map(({ variable, option }): [string, string] => [variable, option]),
  ),
  ...Object.entries(single).map(([option, variable]): [string, string] => [variable, option]),
]);

/** The members of an option that has some, as the variables that they stand for. */
function variablesIn(option: keyof typeof members, given: object = {}): [variable: string, value: string][] {
  const known = members[option];
  return Object.entries(given).flatMap(([member, value]): [string, string][] => {
    const { variable } = known.get(member) ?? {};
    const name = `${option}.${member}`;
    if (variable === undefined)
      throw new UsageError(`${name} is not an option of examine${didYouMean(member, known.keys())}`);
    checkKind(name, value, option === 'limits' ? 'a number' : 'a text');
    return value === undefined ? [] : [[variable, String(value)]];
  });
}

function variablesOf(options: ExamineOptions): [variable: string, value: string][] {
  const { credentials, limits } = options;
  return [
    ...variablesIn('credentials', credentials),
    ...variablesIn('limits', limits),
    ...Object.entries(single).flatMap(([option, variable]): [string, string][] => {
      const value = options[option as keyof typeof single];
      return value === undefined ? [] : [[variable, String(value)]];
    }),
  ];
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
  const given = variablesOf(options);
  const all = { ...environment, ...Object.fromEntries(given) };
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
    // Where variables were given as well, what was not given here is called as it is there.
    const here = new Set(given.map(([variable]) => variable));
    const isOurs = ([variable]: readonly [string, string]): boolean => environment === undefined || here.has(variable);
    throw inOptions(error, new Map([...optionNames].filter(isOurs)));
  }
}

const plural: Readonly<Record<string, string>> = {
  area: 'areas',
  requirement: 'requirements',
};

/** The sentence with every flag and variable under the name by which it is given here. */
function renamed(message: string, options: ReadonlyMap<string, string>): string {
  const flags = message.replace(
    /--([a-z]+(?:-[a-z]+)*)/g,
    (_, flag: string) => plural[flag] ?? camel(flag.replaceAll('-', '_')),
  );
  return flags.replace(
    /(?:the environment variable )?(COVENANT_[A-Z_]*[A-Z])/g,
    (whole, name: string) => options.get(name) ?? whole,
  );
}

/** An error as `examine` throws it; `options` has the names that variables have here. */
function inOptions(error: unknown, options: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof UsageError)) return error;
  const isMissing = error.message.startsWith('COVENANT_API_KEY is not set');
  return new UsageError(
    isMissing
      ? 'credentials.apiKey is missing; it is the API key of the primary account.'
      : renamed(error.message, options),
  );
}
