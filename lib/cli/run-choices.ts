// What the options of `covenant run` say: which do not go together, modules with rules of one's own, the time of the bundled reference, and what --plan prints.
import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Suite } from '../case.ts';
import type { Row } from '../catalogue/requirement.ts';
import { wholeNumber } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import type { Configuration, RunFlags } from '../configuration/target.ts';
import type { OnEvent } from '../events.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { planTimes } from '../gate/merge.ts';
import { planText } from '../report/terminal/before.ts';
import { isOwnSuite, ownSuiteProblem, rowsOf, sharedRule } from '../run/own-rules.ts';
import { type AcceleratedClock, accelerated, type Clock } from '../runtime/clock.ts';
import { type GuardedConsole, styleOf } from './console.ts';
import { type FormatOptions, formatFrom, textOrJson } from './options.ts';
import { isThere } from './out-folder.ts';
import type { Parts } from './parts.ts';
import { signingKey } from './sign.ts';

interface RunChoices extends RunFlags, FormatOptions {
  readonly repeat?: string;
  readonly evidence?: boolean;
  readonly sign?: string | true;
  readonly plan?: boolean;
  readonly resume?: boolean;
}

/** @throws UsageError where one option leaves the other nothing to do. */
export function refuseContradictions({ plan, bail, evidence, resume, ...format }: RunChoices): void {
  if (plan && formatFrom(format, textOrJson) === 'json')
    throw new UsageError('--plan sends nothing, so there is no event for --json; leave one of them off.');
  for (const [option, isGiven] of [
    ['--bail', bail !== undefined],
    ['--resume', resume],
  ] as const)
    if (isGiven && evidence) throw new UsageError(`--evidence records a whole run; leave ${option} off.`);
}

/** @throws UsageError where there is a key and nothing to sign, or no key that may be used. */
export async function keyFrom({ sign, evidence }: RunChoices, console: GuardedConsole): Promise<KeyObject | undefined> {
  if (sign === undefined) return undefined;
  if (!evidence) throw new UsageError('--sign signs the evidence of a run; add --evidence.');
  return signingKey(sign, console);
}

/**
 * How often a run is done.
 * @throws UsageError where everything would be repeated: that is a matter of requirements known to be unstable.
 */
export function timesFrom({ repeat, requirement, evidence, shard }: RunChoices): number {
  if (repeat === undefined) return 1;
  if (shard !== undefined) throw new UsageError('--repeat and --shard do not go together; leave one of them off.');
  if (evidence) throw new UsageError('--evidence records one run; leave --repeat off, or --evidence.');
  if (requirement === undefined) {
    throw new UsageError('--repeat is for requirements known to be unstable; name them with --requirement.');
  }
  return wholeNumber({ value: repeat, where: '--repeat' }, 2, 100);
}

interface Forecast {
  readonly parts: Parts;
  readonly console: GuardedConsole;
  readonly configured: Configuration;
  readonly times: number;
}

/** Sends nothing; `bundledMinuteMs` is the minute of the bundled reference where none is configured. */
export function forecast({ parts, console, configured, times }: Forecast, bundledMinuteMs: number): number {
  const { target, settings, minuteMs = bundledMinuteMs } = configured;
  const [least, most] = parts.bounds(settings, target, target?.minuteMs ?? minuteMs);
  console.stdout(`${planText([planTimes(least, times), planTimes(most, times)], styleOf(console))}\n`);
  return exitCodes.conformant;
}

export interface OwnSuites {
  /** The parts, with these suites in every run. */
  readonly parts: Parts;
  /** What `--requirement` may name: the catalogue and these rules. */
  readonly requirements: Readonly<Record<string, Pick<Row, 'level'>>>;
}

/** Node itself leaves types out from 22.18 on. */
const readsTypes = 'typescript' in process.features && process.features.typescript !== false;

async function imported(folder: string, file: string): Promise<unknown> {
  if (!(await isThere(folder, file))) throw new UsageError(`${file} (--suite) is not there; check the path.`);
  if (/\.[cm]?tsx?$/.test(file) && !readsTypes)
    throw new UsageError(
      `${file} (--suite) is TypeScript, which Node ${process.versions.node} cannot load; use Node 22.18 or newer, or name a .mjs file.`,
    );
  if (!/\.[cm]?[jt]sx?$/.test(file))
    throw new UsageError(`${file} (--suite) is not a module; name a file that ends with .mjs, .js or .ts.`);
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(folder, file)).href);
    return module.default;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} (--suite) cannot be loaded: ${message.split('\n')[0]}.`);
  }
}

async function suiteIn(folder: string, file: string): Promise<Suite> {
  const found = await imported(folder, file);
  if (!isOwnSuite(found))
    throw new UsageError(
      `${file} (--suite) has no suite as its default export; write: export default suite({ 'x-...': must('...') }, [...]).`,
    );
  const problem = ownSuiteProblem(found);
  if (problem !== undefined) throw new UsageError(`${file} (--suite): ${problem}.`);
  return found;
}

interface Options {
  readonly suite?: readonly string[];
  readonly evidence?: boolean;
  readonly shard?: string;
  readonly resume?: unknown;
}

/** @throws UsageError on a file that holds no suite, on a suite that is not whole, and on two that name the same rule. */
export async function withOwnSuites(
  { suite = [], evidence, shard, resume }: Options,
  folder: string,
  parts: Parts,
): Promise<OwnSuites> {
  if (suite.length === 0) return { parts, requirements: parts.catalogue };
  if (evidence) throw new UsageError('--evidence is of the installed suite alone; leave --suite off, or --evidence.');
  if (shard !== undefined) throw new UsageError('--suite is not divided into shards; leave it off, or --shard.');
  if (resume) throw new UsageError('--resume goes on with the installed suite alone; leave --suite off, or --resume.');
  const own: Suite[] = [];
  for (const file of suite) own.push(await suiteIn(folder, file));
  const shared = sharedRule(own);
  if (shared !== undefined)
    throw new UsageError(`Two suites (--suite) have a rule ${shared}; give one of them another name.`);
  return {
    parts: { ...parts, examine: (examination) => parts.examine({ ...examination, own }) },
    requirements: { ...rowsOf(own), ...parts.catalogue },
  };
}

/** Lists may lag by five seconds, nodes by one: nobody should wait that long for a server without lag. */
const rate = 10;
/** By the clock on the wall, of which only waits are counted. */
export const bundledMinuteMs = 1000;

interface BundledTime {
  readonly minuteMs: number;
  /** For the reference and the run; absent where a minute is configured, which is a real one. */
  readonly clock?: AcceleratedClock;
}

export const bundledTime = ({ minuteMs }: { readonly minuteMs?: number }, machine: Clock): BundledTime =>
  minuteMs === undefined ? { minuteMs: bundledMinuteMs * rate, clock: accelerated(machine, rate) } : { minuteMs };

/** For listeners: event times on the real clock. */
export function byTheWall(onEvent: OnEvent, clock: AcceleratedClock): OnEvent {
  const begun = clock.before(clock.now());
  const moment = (at: string): string => new Date(clock.before(Date.parse(at))).toISOString();
  return (event) => {
    const at = moment(event.at);
    if (event.event === 'wait') onEvent({ ...event, at, until: moment(event.until) });
    else if (event.event === 'finished') onEvent({ ...event, at, duration_ms: clock.before(clock.now()) - begun });
    else onEvent({ ...event, at });
  };
}
