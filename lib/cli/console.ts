// The console: output, notices, keys, and how commands are spelled on this system.
import { spawn } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { relative } from 'node:path';
import { type Environment, isCi } from '../configuration/settings-sources.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { type Style, styled } from '../report/terminal/layout.ts';
import { type Again, profileOption } from '../report/wording.ts';
import type { Report } from '../result.ts';
import { inertInLogs } from '../runtime/text.ts';
import { Secrets } from '../secrets/secrets.ts';

export interface Console {
  /** The requested output: reports, tables, a `.env`. */
  stdout(text: string): void;
  /** Everything else: progress, notices, errors. */
  stderr(text: string): void;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly columns: number | undefined;
  readonly environment: Environment;
  readonly folder: string;
  /** The started file; absent if there is none. */
  readonly entry?: string;
  /** Opens a file in the browser, and returns whether that worked; absent if nobody would see it. */
  open?(path: string): Promise<boolean>;
  /** Calls back on Ctrl-C and SIGTERM until the returned function is called. */
  onStop(stop: () => void): () => void;
  /** Leaves at once, without cleaning up. */
  leave(code: number): void;
}

/** A console that never shows a concealed value, not even in an unexpected error message. */
export interface GuardedConsole extends Console {
  /** Shows these values by name from now on. */
  conceal(values: Readonly<Record<string, string>>): void;
  /** The text with every concealed value taken out. */
  readonly redact: (text: string) => string;
}

export function guarded(console: Console): GuardedConsole {
  const secrets = new Secrets();
  return {
    ...console,
    redact: (text) => secrets.redact(text),
    stdout: (text) => console.stdout(inertInLogs(secrets.redact(text))),
    // All of it is for people; on stdout the commands know what is.
    stderr: (text) => console.stderr(inertInLogs(callable(secrets.redact(text), console))),
    conceal: (values) => {
      for (const [name, value] of Object.entries(values)) secrets.add(name, value);
    },
  };
}

/** Lines may be drawn anew where a person sees them, and NO_COLOR does not ask for plain text. */
export const mayPaint = (isTerminal: boolean, { NO_COLOR, TERM }: Environment): boolean =>
  isTerminal && !NO_COLOR && TERM !== 'dumb';

/** As other programs do: FORCE_COLOR colours also what no person sees yet, `0` nothing, and NO_COLOR is stronger. */
function mayColor(isTerminal: boolean, environment: Environment): boolean {
  const { FORCE_COLOR: forced, NO_COLOR } = environment;
  if (forced === undefined || NO_COLOR) return mayPaint(isTerminal, environment);
  return forced !== '0' && forced !== 'false';
}

export const styleOf = ({ stdoutIsTerminal, environment, columns }: Console): Style =>
  styled(mayColor(stdoutIsTerminal, environment), Math.max(40, Math.min(100, columns || 80)));

interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** A reader that closes the pipe (`| head`) neither ends the run nor changes its exit code. */
function tolerateClosing(stream: Stream): void {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Ctrl-C, the end of a service, and a terminal that is closed. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The folder may have been deleted under the process; then nothing that is named relative to it can be found. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write('covenant: the working directory does not exist any more; change to another one.\n');
    return process.exit(exitCodes.couldNotJudge);
  }
}

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

function opening(path: string): Promise<boolean> {
  const opener = spawn(openers[process.platform] ?? 'xdg-open', [path], { detached: true, stdio: 'ignore' });
  return new Promise((done) => {
    opener.once('error', () => done(false));
    opener.once('spawn', () => {
      opener.unref();
      done(true);
    });
  });
}

/** Elsewhere than on these two a screen is announced by its variable. */
function hasScreen(environment: Environment): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = environment;
  if (process.stdout.isTTY !== true || isCi(environment)) return false;
  return Boolean(openers[process.platform] ?? DISPLAY ?? WAYLAND_DISPLAY);
}

/** The console of this process. */
export function processConsole(): Console {
  tolerateClosing(process.stdout);
  tolerateClosing(process.stderr);
  return {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    stdoutIsTerminal: process.stdout.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
    columns: process.stdout.columns ?? process.stderr.columns,
    environment: process.env,
    folder: workingFolder(),
    ...(hasScreen(process.env) ? { open: opening } : {}),
    ...(process.argv[1] === undefined ? {} : { entry: process.argv[1] }),
    onStop: (stop) => {
      for (const signal of stopSignals) process.on(signal, stop);
      return () => {
        for (const signal of stopSignals) process.off(signal, stop);
      };
    },
    leave: (code) => process.exit(code),
  };
}

interface Stopping {
  readonly signal: AbortSignal;
  /** Stops listening for Ctrl-C. */
  release(): void;
}

/** `announcement` is said at the first Ctrl-C. */
export function stoppable(
  console: Console,
  announcement = 'Stopping: taking back what was created. Ctrl-C again leaves at once.',
): Stopping {
  const controller = new AbortController();
  // Every request and every wait that is under way listens; a warning about their number would only alarm.
  setMaxListeners(0, controller.signal);
  const release = console.onStop(() => {
    if (controller.signal.aborted) return console.leave(exitCodes.interrupted);
    console.stderr(`\n${announcement}\n`);
    controller.abort(new Error('interrupted'));
  });
  return { signal: controller.signal, release };
}

/** How this process was started. */
interface Started {
  readonly environment: Environment;
  readonly entry?: string;
  readonly folder: string;
}

const plain = /^[\w@%+=:,./~\\-]+$/;
export const quoted = (text: string): string => (plain.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** How to call a command, up to where its options begin. */
function called(command: string, { environment, entry = 'covenant', folder }: Started): string {
  const path = entry.replaceAll('\\', '/');
  // What npx fetched is not installed here, and by its name it would be taken from a registry, whoever owns it there.
  if (path.includes('node_modules/') && !path.includes('/_npx/')) return `npx covenant ${command}`;
  // In a clone npm names its package, and npx starts what was built there last.
  if (environment.npm_package_name === 'covenant-conformance') return `npx covenant ${command}`;
  if (/(?:^|\/)covenant(?:\.cmd)?$/.test(path) && !path.includes('/_npx/')) return `covenant ${command}`;
  return `node ${quoted(relative(folder, entry) || entry)} ${command}`;
}

const commands = [
  'again|certificate|cleanup|compare|doctor|explain|init|keygen|matrix|merge|openapi|report|requirements|run',
  'serve|show|sign|verify|waive|--help',
].join('|');
// Commands that are already complete stay unchanged.
const mention = new RegExp(`(?<!npx (?:--no-install )?)\\bcovenant (${commands})(?![\\w-])`, 'g');

/** A text for people in which each `covenant run` and the like can be copied. */
export const callable = (text: string, started: Started): string =>
  text.replace(mention, (_, command: string) => called(command, started));

/** `address`: the option for the target, where it is another than that of the report. */
function runCommand(console: Started, report: Report, address: string, more: readonly string[]): string {
  const { effort = 'standard' } = report.run.options;
  return [
    called('run', console) + profileOption(report),
    ...(address === '' ? [] : [address]),
    ...(effort === 'standard' ? [] : [`--effort ${effort}`]),
    ...more,
  ].join(' ');
}

const addressOf = ({ target }: Report): string => `--base-url ${quoted(target.base_url)}`;

export const againFrom =
  (console: Started, report: Report, address = addressOf(report)): Again =>
  (requirement, seed) =>
    runCommand(console, report, address, [`--requirement ${requirement}`, `--seed ${seed}`]);

/** The command that repeats the whole run. */
export const wholeRunCommand = (console: Started, report: Report): string =>
  runCommand(console, report, addressOf(report), [`--seed ${report.run.seed}`]);
