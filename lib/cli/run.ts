// `covenant run`: examines a target, or the bundled reference, shows what it found and writes it down.
import type { KeyObject } from 'node:crypto';
import { join, resolve } from 'node:path';
import { type Configuration, configuration, type RunFlags, type Sources } from '../configuration/target.ts';
import type { OnEvent } from '../events.ts';
import { Recording } from '../evidence/record.ts';
import { compare, comparisonSentence } from '../gate/compare.ts';
import { exitCode } from '../gate/exit-code.ts';
import { repeatedResult, resumedReport, resumedResult } from '../gate/merge.ts';
import { prepareFolder } from '../report/folder.ts';
import { heading } from '../report/terminal/before.ts';
import { changed } from '../report/terminal/summary.ts';
import { chosenReporters, none, views } from '../report/views.ts';
import { verdictSentence } from '../report/wording.ts';
import type { Report, RunResult } from '../result.ts';
import type { AcceleratedClock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { checkSameTarget, lastFailed, lastReports } from './again.ts';
import { withLedger } from './cleanup.ts';
import { againFrom, type GuardedConsole, stoppable, styleOf } from './console.ts';
import { type Gate, type GateOptions, gated, gateFrom } from './gate.ts';
import { type FormatOptions, formatFrom, sourcesFrom, textOrJson } from './options.ts';
import { sealed, writeRun } from './out-folder.ts';
import type { Examination, Parts } from './parts.ts';
import { displayOf, Progress } from './progress.ts';
import { pageLink, shown } from './report.ts';
import { resumed, resumedConfiguration, resumeFile, takenUp, type Unfinished, unfinishedFrom } from './resume.ts';
import {
  bundledMinuteMs,
  bundledTime,
  byTheWall,
  forecast,
  keyFrom,
  refuseContradictions,
  timesFrom,
  withOwnSuites,
} from './run-choices.ts';
import { signWith } from './sign.ts';

export interface RunCommandOptions extends RunFlags, GateOptions, FormatOptions {
  /** Files with rules of one's own. */
  readonly suite?: readonly string[];
  readonly out: string;
  readonly plan?: boolean;
  readonly repeat?: string;
  readonly lastFailed?: boolean;
  readonly resume?: boolean;
  readonly evidence?: boolean;
  /** The file of a key; true: the key in COVENANT_SIGNING_KEY. */
  readonly sign?: string | true;
  readonly reporter?: readonly string[];
  readonly quiet?: boolean;
}

interface Reached extends Pick<Examination, 'target' | 'network'> {
  /** Present where the target shares it. */
  readonly clock?: AcceleratedClock;
}

interface Job {
  readonly parts: Parts;
  readonly console: GuardedConsole;
  readonly options: RunCommandOptions;
  readonly reporters: ReturnType<typeof chosenReporters>;
  readonly sources: Sources;
  readonly configured: Configuration;
  readonly gate: Gate;
  /** The folder of reports. */
  readonly out: string;
  /** How often everything that is selected is run. */
  readonly times: number;
  /** Present where the run is recorded. */
  readonly recording?: Recording;
  /** Gets each event of the run. */
  readonly onEvent: OnEvent;
  /** Present where the record is to be signed. */
  readonly key?: KeyObject;
  /** The run that was cut off, where this one goes on with it. */
  readonly unfinished?: Unfinished;
}

/** Where something failed there is a page to look at, unless nothing but what is named is wanted. */
const wantsPage = ({ reporters, options }: Job, { report }: RunResult): boolean =>
  report.requirements.some(({ verdict }) => verdict === 'failed') &&
  !reporters.includes(views.html) &&
  !options.reporter?.includes(none);

/** What leads the next run to a reference like this one's; absent where it was a target. */
function addressOf({ configured, options }: Job): string | undefined {
  if (configured.target) return undefined;
  return options.bundled ? '--bundled' : '';
}

/** First the terminal, then the files: a file that cannot be written must not hide the verdict. */
async function publish(job: Job, result: RunResult): Promise<void> {
  const { console, options, parts, reporters, gate, out } = job;
  const { baseline } = gate;
  const say = options.quiet ? () => {} : console.stdout;
  const again = againFrom(console, result.report, addressOf(job));
  const path = join(out, 'report.json');
  say(shown({ report: result.report, path }, again, console, parts));
  if (options.quiet && result.report.verdict === 'aborted') console.stderr(`${verdictSentence(result.report)}\n`);
  if (baseline) {
    const found = compare(baseline, result.report);
    const lines = changed(found.changes, baseline, result.report, styleOf(console));
    say(`${lines.join('\n')}\n\n  ${comparisonSentence(found, result.report)}\n\n`);
  }
  const context = { rulings: parts.rulings, again, ...defined({ baseline }) };
  const pages = wantsPage(job, result) ? [...reporters, views.html] : reporters;
  const written = await writeRun(out, result, pages, context, console);
  const evidence = job.recording && (await sealed(job.recording, result.report, out));
  say([...written, ...(evidence ? [evidence] : [])].map((path) => `Written: ${path}\n`).join(''));
  say(pageLink(written, result.report, out, console));
  if (evidence && job.key) {
    await signWith({ path: evidence, report: path, key: job.key }, { ...console, stdout: say }, parts);
  }
}

/** One of the runs that were asked for; whatever ends it, its ledger says what is left. */
async function examinedOnce(job: Job, examination: Omit<Examination, 'record'>): Promise<RunResult> {
  const { configured, times, out, parts, console } = job;
  // Nothing is kept that --resume could not continue.
  if (configured.target === undefined || times > 1 || job.options.suite) return examinedWhole(job, examination);
  const { settings, target } = examination;
  const file = resumeFile(out, settings, target);
  const { unfinished } = job;
  const earlier = unfinished && (await takenUp(unfinished, examination, out, console, parts)).report;
  const joined = (report: Report): Report => (earlier ? resumedReport(earlier, report) : report);
  const found = await examinedWhole(job, {
    ...examination,
    onCheckpoint: (report) => file.write(joined(report)),
    ...(earlier && { decided: new Set(earlier.run.decided) }),
  });
  const result = earlier ? resumedResult(earlier, found) : found;
  if (result.report.run.decided) file.write(result.report);
  else file.remove();
  return result;
}

async function examinedWhole(job: Job, examination: Omit<Examination, 'record'>): Promise<RunResult> {
  const { parts, configured, console, out, recording } = job;
  const examine = (record?: Examination['record']): Promise<RunResult> =>
    parts.examine({ ...examination, ...defined({ record, recording }) });
  // A reference that ends with the run needs no clean-up.
  return configured.target ? withLedger(out, console, examine) : examine();
}

async function examined(job: Job, { target, network, clock }: Reached, signal: AbortSignal): Promise<RunResult> {
  const { parts, options, configured, console, times } = job;
  console.conceal({ ...target.credentials, ...network.secrets });
  const bundled = configured.target === undefined;
  const { settings } = configured;
  if (!options.quiet) {
    for (const notice of [...configured.notices, ...job.gate.notices]) console.stderr(`note: ${notice}\n`);
    console.stdout(heading({ target, network, settings, bundled, ...parts }, styleOf(console)));
  }
  const progress = new Progress(displayOf(options.quiet ? { ...console, stderr: () => {} } : console, parts.clock));
  const onEvent: OnEvent = (event) => {
    progress.hear(event);
    job.onEvent(event);
  };
  const once = (run: number): Promise<RunResult> =>
    examinedOnce(job, {
      ...{ target, network, signal, ...defined({ clock }) },
      settings: { ...settings, seed: (settings.seed + run) >>> 0 },
      onEvent: clock ? byTheWall(onEvent, clock) : onEvent,
    });
  try {
    const first = await once(0);
    const more: RunResult[] = [];
    while (more.length + 1 < times && !signal.aborted) more.push(await once(more.length + 1));
    return repeatedResult([first, ...more]);
  } finally {
    progress.stop();
  }
}

/** The report on the target that is configured, or on a reference that lives as long as the run. */
async function judged(job: Job, signal: AbortSignal): Promise<RunResult> {
  const { parts, configured, sources } = job;
  if (configured.target) return examined(job, { target: configured.target, network: configured.network }, signal);
  const { clock, minuteMs } = bundledTime(configured, parts.clock);
  const reference = await parts.serve({ port: 0, host: '127.0.0.1', minuteMs, ...defined({ clock }) });
  try {
    const environment = { ...sources.environment, ...reference.env, COVENANT_MINUTE_MS: String(minuteMs) };
    const { bundled: _, ...flags } = sources.flags;
    const { target, network } = configuration({ ...sources, flags, environment });
    if (target === undefined) throw new Error('the bundled reference announced no address');
    return await examined(
      job,
      { target: { ...target, ...defined({ clockRate: clock?.rate }) }, network, ...defined({ clock }) },
      signal,
    );
  } finally {
    await reference.close();
  }
}

/** Where stdout is for programs, text for people goes to stderr. */
const forPeople = (console: GuardedConsole): GuardedConsole => ({
  ...console,
  stdout: console.stderr,
  stdoutIsTerminal: console.stderrIsTerminal,
});

/**
 * Runs and says the exit code.
 * @throws UsageError before anything is sent.
 */
export async function run(given: RunCommandOptions, streams: GuardedConsole, composed: Parts): Promise<number> {
  refuseContradictions(given);
  const asJson = formatFrom(given, textOrJson) === 'json';
  const console = asJson ? forPeople(streams) : streams;
  const reporters = chosenReporters(given.reporter ?? []);
  const { parts, requirements } = await withOwnSuites(given, console.folder, composed);
  const last = given.lastFailed ? await lastReports(given.out, console) : undefined;
  const out = resolve(console.folder, given.out);
  const unfinished = await unfinishedFrom(given, out, console, parts);
  const options = last ? lastFailed(given, last, requirements) : resumed(given, unfinished);
  const sources = { ...(await sourcesFrom(options, console, parts)), requirements };
  const flagged = configuration(sources);
  if (last) checkSameTarget(last[0], flagged);
  const configured = unfinished ? resumedConfiguration(unfinished, flagged) : flagged;
  console.conceal({ ...configured.target?.credentials, ...configured.network.secrets });
  const times = timesFrom(options);
  const key = await keyFrom(options, console);
  const gate = await gateFrom(options, console, parts);
  const job: Job = {
    parts,
    console,
    options,
    reporters,
    sources,
    configured,
    gate,
    out,
    times,
    onEvent: asJson ? (event) => streams.stdout(`${JSON.stringify(event)}\n`) : () => {},
    ...defined({ key, unfinished, recording: options.evidence ? new Recording(parts.judge().own) : undefined }),
  };
  if (options.plan) return forecast(job, bundledMinuteMs);
  await prepareFolder(
    out,
    reporters.map(({ file }) => file),
  );
  const stopping = stoppable(console);
  try {
    const now = parts.clock.now();
    const result = gated(await judged(job, stopping.signal), gate, now);
    await publish(job, result);
    return exitCode(result.report, { interrupted: stopping.signal.aborted });
  } finally {
    stopping.release();
  }
}
