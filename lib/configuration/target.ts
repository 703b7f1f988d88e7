// Turns flags, environment and .env text into a target and settings; everything is checked before anything is sent.
import type { RateClass } from '../catalogue/operations.ts';
import { areas, type Level } from '../catalogue/requirement.ts';
import { defined } from '../runtime/defined.ts';
import {
  checkedBaseUrl,
  checkedNumber,
  chosenProfile,
  credentialsIn,
  didYouMean,
  oneOf,
  oneWord,
  optionalNumber,
} from './checked.ts';
import { direct, type NetworkFlags, type NetworkSettings, networkFrom } from './network.ts';
import {
  type Credentials,
  efforts,
  type Found,
  type Settings,
  type Shard,
  type Target,
  targetDefaults,
  UsageError,
} from './settings.ts';
import {
  checkedCredentials,
  type Environment,
  isCi,
  type Lookup,
  parseEnvFile,
  type ReadFile,
  variableLookup,
} from './settings-sources.ts';
import type { VariableName } from './variables.ts';

/** The options of `run` as the command line gives them: texts, unchecked. */
export interface RunFlags extends NetworkFlags {
  readonly baseUrl?: string;
  /** The bundled reference, whatever is configured. */
  readonly bundled?: boolean;
  readonly area?: readonly string[];
  readonly requirement?: readonly string[];
  readonly seed?: string;
  readonly concurrency?: string;
  readonly effort?: string;
  readonly profile?: string;
  readonly maxMinutes?: string;
  /** True after `--bail` without a number. */
  readonly bail?: string | true;
  readonly readOnly?: boolean;
  /** False after `--no-exhaustion`. */
  readonly exhaustion?: boolean;
  readonly allowIncomplete?: boolean;
  readonly strict?: true;
  readonly shard?: string;
}

export interface Sources {
  readonly flags: RunFlags;
  readonly environment: Environment;
  /** What the product declares, where it does. */
  readonly profile?: Found;
  /** The text of the `.env` file in the working directory; absent where there is none. */
  readonly envFile?: string;
  /** Reads what a setting names; without it no setting may name a file. */
  readonly readFile?: ReadFile;
  /** Used where no seed is given. */
  readonly freshSeed: number;
  /** The catalogue, to check selections against. */
  readonly requirements: Readonly<Record<string, { readonly level: Level }>>;
}

export interface Configuration {
  /** Absent where no target is configured: the bundled reference is meant. */
  readonly target?: Target;
  /** How it is reached. */
  readonly network: NetworkSettings;
  readonly settings: Settings;
  /** The rate-limit minute of the bundled reference, where one is configured. */
  readonly minuteMs?: number;
  /** What a person should know before the run; no errors. */
  readonly notices: readonly string[];
}

const longestMs = 3_600_000;

/** @throws UsageError on a name that is not an area. */
export const selectedAreas = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => oneOf(name, areas, 'area', ' (--area)', 'The areas are'))),
];

function selectedRequirements(ids: readonly string[], known: Sources['requirements']): string[] {
  for (const id of ids) {
    if (!Object.hasOwn(known, id)) {
      const hint = `${didYouMean(id, Object.keys(known))} See covenant requirements.`;
      throw new UsageError(`No requirement is called ${JSON.stringify(id)} (--requirement)${hint}`);
    }
    if (known[id]?.level === 'untestable') {
      throw new UsageError(`${id} (--requirement) cannot be tested from outside; covenant requirements says why.`);
    }
  }
  return [...new Set(ids)];
}

/** All shards must draw the same, and a seed of its own is drawn for each run that has none. */
function shardFrom({ shard, seed }: RunFlags): Shard | undefined {
  if (shard === undefined) return undefined;
  const [, index, of] = (/^([1-9]\d?)\/([1-9]\d?)$/.exec(shard.trim()) ?? []).map(Number);
  if (index === undefined || of === undefined || of < 2 || index > of) {
    throw new UsageError(
      `${JSON.stringify(shard)} (--shard) is not a part of a run; give its number, a slash and how many there are, for example 2/3.`,
    );
  }
  if (seed === undefined) throw new UsageError('--shard needs --seed, the same number for every shard.');
  return { index, of };
}

function settingsFrom(sources: Sources): Settings {
  const { flags, freshSeed, requirements } = sources;
  return {
    ...defined({
      areas: flags.area && selectedAreas(flags.area),
      requirements: flags.requirement && selectedRequirements(flags.requirement, requirements),
      shard: shardFrom(flags),
      strict: flags.strict,
      maxMinutes: optionalNumber('--max-minutes', flags.maxMinutes, 1, 1440),
      bail: optionalNumber('--bail', flags.bail === true ? '1' : flags.bail, 1, 1000),
    }),
    seed: optionalNumber('--seed', flags.seed, 0, 0xffffffff) ?? freshSeed,
    readOnly: flags.readOnly ?? false,
    exhaustion: flags.exhaustion ?? true,
    allowIncomplete: flags.allowIncomplete ?? false,
    concurrency: optionalNumber('--concurrency', flags.concurrency, 1, 64) ?? 4,
    effort: oneWord({ value: flags.effort ?? 'standard', where: '--effort' }, efforts),
    profile: chosenProfile(flags.profile, sources.profile),
  };
}

function limitsFrom(lookup: Lookup): Partial<Record<RateClass, number>> {
  const limit = (name: VariableName): number | undefined => checkedNumber(lookup(name), 1, 1_000_000);
  return defined({
    read: limit('COVENANT_LIMIT_READ'),
    write: limit('COVENANT_LIMIT_WRITE'),
    validate: limit('COVENANT_LIMIT_VALIDATE'),
  });
}

function headerText(found: Found | undefined, otherwise: string): string {
  if (found === undefined) return otherwise;
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(found.value)) return found.value;
  throw new UsageError(
    `${found.where} cannot be sent as a header; use plain ASCII without outer spaces or line breaks.`,
  );
}

function targetFrom(lookup: Lookup): Omit<Target, 'baseUrl' | 'headers'> {
  const foreignSlug = lookup('COVENANT_FOREIGN_SLUG')?.value;
  return {
    credentials: checkedCredentials(lookup),
    ...defined({ foreignSlug }),
    limits: limitsFrom(lookup),
    minuteMs: checkedNumber(lookup('COVENANT_MINUTE_MS'), 100, longestMs) ?? targetDefaults.minuteMs,
    originApp: headerText(lookup('COVENANT_ORIGIN_APP'), targetDefaults.originApp),
    timeoutMs: checkedNumber(lookup('COVENANT_TIMEOUT_MS'), 1, longestMs) ?? targetDefaults.timeoutMs,
  };
}

function addressFrom({ flags, environment }: Sources, lookup: Lookup): Found | undefined {
  if (flags.bundled && flags.baseUrl)
    throw new UsageError('--bundled examines the bundled reference; leave it off, or --base-url.');
  if (flags.bundled) return undefined;
  // In CI nobody reads a notice, and a pass is trusted.
  if (flags.baseUrl === undefined && environment.COVENANT_BASE_URL === '' && isCi(environment))
    throw new UsageError(
      'COVENANT_BASE_URL is set and empty, as it is when a secret is missing; set it to the target, or give --bundled to examine the bundled reference.',
    );
  if (flags.baseUrl === undefined) return lookup('COVENANT_BASE_URL');
  if (flags.baseUrl.trim() !== '') return { value: flags.baseUrl, where: '--base-url' };
  throw new UsageError(
    '--base-url is empty, as it is when a secret is missing; give the URL of the target, or --bundled to examine the bundled reference.',
  );
}

/** What is set for the way to a target is checked although the reference needs none of it. */
function checkUnusedNetwork({ flags, readFile }: Sources, lookup: Lookup): void {
  networkFrom('https://target.invalid', flags, lookup, readFile);
}

/** Without a target the reference is examined; a person who meant another target must not take that for its verdict. */
function withoutTarget(credentials: Credentials, { flags, environment }: Sources): string[] {
  if (flags.bundled) return [];
  const [stray] = Object.keys(credentials);
  if (stray !== undefined) {
    throw new UsageError(
      `${stray} is set, but no target; set COVENANT_BASE_URL or give --base-url, or unset ${stray} to examine the bundled reference.`,
    );
  }
  // In a .env it is a line of the example that is not filled in.
  return environment.COVENANT_BASE_URL === ''
    ? ['COVENANT_BASE_URL is set but empty, so the bundled reference is examined and no server of yours.']
    : [];
}

/**
 * What a run is given, from all its sources.
 * @throws UsageError on the first thing that is wrong: what, where, and what to do; no value of a credential.
 */
export function configuration(sources: Sources): Configuration {
  const settings = settingsFrom(sources);
  const lookup = variableLookup(sources.environment, parseEnvFile(sources.envFile ?? ''));
  const address = addressFrom(sources, lookup);
  const target = targetFrom(lookup);
  if (address === undefined) {
    const notices = withoutTarget(target.credentials, sources);
    checkUnusedNetwork(sources, lookup);
    return {
      settings,
      network: direct,
      notices,
      ...defined({ minuteMs: lookup('COVENANT_MINUTE_MS') && target.minuteMs }),
    };
  }
  const { url: baseUrl, notices } = checkedBaseUrl(address);
  const reached = networkFrom(baseUrl, sources.flags, lookup, sources.readFile);
  if (target.credentials.COVENANT_API_KEY === undefined) {
    throw new UsageError(
      'COVENANT_API_KEY is not set; put the API key of the primary account into the environment or into .env.',
    );
  }
  const { network, headers } = reached;
  const extra = Object.keys(headers).length === 0 ? {} : { headers };
  const { credentials, unused } = credentialsIn(settings.profile, target.credentials);
  return {
    target: { baseUrl, ...target, credentials, ...extra },
    network,
    settings,
    notices: [...notices, ...reached.notices, ...unused],
  };
}
