// `covenant run`: examines a target, or the bundled reference, tells what it found and writes it down.
import { resolve } from 'node:path';
import { compare, comparisonSentence } from '../gate/compare.ts';
import { exitCode, exitCodes } from '../report/exit-code.ts';
import { prepareFolder, writeReports } from '../report/folder.ts';
import type { RunResult } from '../report/model.ts';
import { counted } from '../report/printable.ts';
import { chosenReporters } from '../report/reporters.ts';
import { changed } from '../report/terminal/gate.ts';
import { heading } from '../report/terminal/heading.ts';
import { planText } from '../report/terminal/plan.ts';
import { terminal } from '../report/terminal.ts';
import type { Target } from '../settings.ts';
import { type Configuration, configuration, type RunFlags, type Sources } from '../target.ts';
import { type GuardedConsole, mayPaint, styleOf } from './console.ts';
import { type Gate, type GateOptions, gated, gateFrom } from './gate.ts';
import { LedgerFile } from './ledger-file.ts';
import type { Parts } from './parts.ts';
import { planOf } from './plan.ts';
import { Progress } from './progress.ts';
import { sourcesFrom } from './sources.ts';
import { stoppable } from './stopping.ts';

export interface RunOptions extends RunFlags, GateOptions {
  readonly out: string;
  readonly plan?: boolean;
  readonly reporter?: readonly string[];
  readonly quiet?: boolean;
}

/** The rate-limit minute of the bundled reference where none is configured: long enough to be met, short enough to wait for. */
const bundledMinuteMs = 1000;

interface Job {
  readonly parts: Parts;
  readonly console: GuardedConsole;
  readonly options: RunOptions;
  readonly reporters: ReturnType<typeof chosenReporters>;
  readonly sources: Sources;
  readonly configured: Configuration;
  readonly gate: Gate;
  readonly folder: string;
}

/** The person first, the files after: a file that cannot be written must not swallow the verdict. */
async function publish(job: Job, result: RunResult): Promise<void> {
  const { console, options, parts, reporters, gate, folder } = job;
  const { baseline } = gate;
  const say = options.quiet ? () => {} : console.out;
  const ruling = (id: string): string | undefined => parts.rulings[id]?.ruling;
  say(`${terminal(result.report, ruling, styleOf(console))}\n`);
  if (baseline) {
    const found = compare(baseline, result.report);
    const lines = changed(found.changes, baseline, result.report, styleOf(console));
    say(`${lines.join('\n')}\n\n  ${comparisonSentence(found, result.report)}\n\n`);
  }
  const context = { rulings: parts.rulings, ...(baseline && { baseline }) };
  const written = await writeReports(folder, result, reporters, context, console.redact);
  say(written.map((path) => `Written: ${path}\n`).join(''));
}

async function examined(job: Job, target: Target, signal: AbortSignal): Promise<RunResult> {
  const { parts, options, configured, console } = job;
  console.conceal(target.credentials);
  const bundled = configured.target === undefined;
  const { settings } = configured;
  if (!options.quiet) {
    for (const notice of [...configured.notices, ...job.gate.notices]) console.aside(`note: ${notice}\n`);
    console.out(heading({ target, settings, bundled, ...parts }, styleOf(console)));
  }
  const progress = new Progress({
    clock: parts.clock,
    live: !options.quiet && mayPaint(console.asideIsTerminal, console.environment),
    columns: console.columns || 80,
    write: options.quiet ? () => {} : console.aside,
  });
  // A reference that ends with the run takes everything with it.
  const ledger = bundled ? undefined : new LedgerFile(job.folder);
  const plan = planOf(await parts.rehearse(settings, target));
  try {
    return await parts.examine({
      target,
      settings,
      listener: progress,
      signal,
      plan,
      ...(ledger && { record: ledger.record }),
    });
  } finally {
    progress.stop();
    const left = ledger?.close() ?? 0;
    if (left > 0) {
      console.aside(`note: ${counted(left, 'thing')} could not be taken back; covenant cleanup --out ${options.out}\n`);
    }
  }
}

/** Says what the run would cost, and sends nothing. */
async function forecast({ parts, console, configured }: Job): Promise<number> {
  const { target, settings, minuteMs = bundledMinuteMs } = configured;
  const report = await parts.rehearse(settings, target, target?.minuteMs ?? minuteMs);
  console.out(`${planText(planOf(report), styleOf(console))}\n`);
  return exitCodes.conformant;
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
  const sources = await sourcesFrom(options, console, parts);
  const configured = configuration(sources);
  console.conceal(configured.target?.credentials ?? {});
  const gate = await gateFrom(options, console, parts);
  const folder = resolve(console.folder, options.out);
  const job: Job = { parts, console, options, reporters, sources, configured, gate, folder };
  if (options.plan) return forecast(job);
  await prepareFolder(
    folder,
    reporters.map(({ file }) => file),
  );
  const stopping = stoppable(console, 'Stopping: taking back what was created. Ctrl-C again leaves at once.');
  try {
    const now = parts.clock.now();
    const result = gated(await judged(job, stopping.signal), gate, now);
    await publish(job, result);
    return exitCode(result.report, { interrupted: stopping.signal.aborted });
  } finally {
    stopping.release();
  }
}
