// `covenant run`: examines a target, or the bundled reference, tells what it found and writes it down.
import { resolve } from 'node:path';
import { exitCode } from '../report/exit-code.ts';
import { prepareFolder, writeReports } from '../report/folder.ts';
import type { RunResult } from '../report/model.ts';
import { chosenReporters } from '../report/reporters.ts';
import { heading } from '../report/terminal/heading.ts';
import { terminal } from '../report/terminal.ts';
import type { Target } from '../settings.ts';
import { type Configuration, configuration, type RunFlags, type Sources } from '../target.ts';
import { type GuardedConsole, mayPaint, styleOf } from './console.ts';
import { envText } from './env-text.ts';
import type { Parts } from './parts.ts';
import { Progress } from './progress.ts';
import { stoppable } from './stopping.ts';

export interface RunOptions extends RunFlags {
  readonly out: string;
  readonly reporter?: readonly string[];
  readonly quiet?: boolean;
}

/** The rate-limit minute of the bundled reference where none is configured: long enough to be met, short enough to wait for. */
const bundledMinuteMs = 2000;

interface Job {
  readonly parts: Parts;
  readonly console: GuardedConsole;
  readonly options: RunOptions;
  readonly reporters: ReturnType<typeof chosenReporters>;
  readonly sources: Sources;
  readonly configured: Configuration;
}

/** The person first, the files after: a file that cannot be written must not swallow the verdict. */
async function publish(job: Job, result: RunResult, folder: string): Promise<void> {
  const { console, options, parts, reporters } = job;
  const say = options.quiet ? () => {} : console.out;
  const ruling = (id: string): string | undefined => parts.rulings[id]?.ruling;
  say(`${terminal(result.report, ruling, styleOf(console))}\n`);
  const written = await writeReports(folder, result, reporters, { rulings: parts.rulings });
  say(written.map((path) => `Written: ${path}\n`).join(''));
}

async function examined(job: Job, target: Target, signal: AbortSignal): Promise<RunResult> {
  const { parts, options, configured, console } = job;
  console.conceal(target.credentials);
  const bundled = configured.target === undefined;
  const { settings, notices } = configured;
  if (!options.quiet) {
    for (const notice of notices) console.aside(`note: ${notice}\n`);
    console.out(heading({ target, settings, bundled, ...parts }, styleOf(console)));
  }
  const progress = new Progress({
    clock: parts.clock,
    live: !options.quiet && mayPaint(console.asideIsTerminal, console.environment),
    columns: console.columns || 80,
    write: options.quiet ? () => {} : console.aside,
  });
  try {
    return await parts.examine({ target, settings, listener: progress, signal });
  } finally {
    progress.stop();
  }
}

/** The report on the target that is configured, or on a reference that lives as long as the run. */
async function judged(job: Job, signal: AbortSignal): Promise<RunResult> {
  const { parts, configured, sources } = job;
  if (configured.target) return examined(job, configured.target, signal);
  const minuteMs = configured.minuteMs ?? bundledMinuteMs;
  const reference = await parts.serve({ port: 0, host: '127.0.0.1', minuteMs });
  try {
    const environment = { ...sources.environment, ...reference.env, COVENANT_MINUTE_MS: String(minuteMs) };
    const { target } = configuration({ ...sources, environment });
    if (target === undefined) throw new Error('the bundled reference announced no address');
    return await examined(job, target, signal);
  } finally {
    await reference.close();
  }
}

/**
 * Runs and says the exit code.
 * @throws UsageError before anything is sent.
 */
export async function run(options: RunOptions, console: GuardedConsole, parts: Parts): Promise<number> {
  const reporters = chosenReporters(options.reporter ?? []);
  const envFile = await envText(console.folder);
  const sources: Sources = {
    flags: options,
    environment: console.environment,
    ...(envFile !== undefined && { envFile }),
    freshSeed: parts.freshSeed(),
    requirements: parts.catalogue,
  };
  const job: Job = { parts, console, options, reporters, sources, configured: configuration(sources) };
  const folder = resolve(console.folder, options.out);
  await prepareFolder(
    folder,
    reporters.map(({ file }) => file),
  );
  const stopping = stoppable(console, 'Stopping: taking back what was created. Ctrl-C again leaves at once.');
  try {
    const result = await judged(job, stopping.signal);
    await publish(job, result, folder);
    return exitCode(result.report, { interrupted: stopping.signal.aborted });
  } finally {
    stopping.release();
  }
}
