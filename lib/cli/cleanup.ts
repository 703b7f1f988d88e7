// Ledgers as files: one line an entry, stored before the request is sent, so that `covenant cleanup` can undo even a
// killed run.
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { defaultProfile } from '../catalogue/profiles.ts';
import { Inconclusive } from '../client/errors.ts';
import { type Entry, Ledger } from '../client/ledger.ts';
import { at } from '../client/reply.ts';
import { type Target, UsageError } from '../configuration/settings.ts';
import { Aborted } from '../fixtures/probe.ts';
import { exitCodes } from '../gate/exit-code.ts';
import type { Residue } from '../result.ts';
import { cleanUpLater } from '../run/cleanup.ts';
import { codeOf, NotWritten } from '../runtime/disk.ts';
import { counted } from '../runtime/text.ts';
import type { GuardedConsole } from './console.ts';
import { addTargetOptions, type Finish, networkOptions, type TargetOptions, targetFrom } from './options.ts';
import type { Examination, Parts } from './parts.ts';
import { displayOf, Progress } from './progress.ts';

const ledgersIn = (out: string): string => join(out, 'ledgers');

/** Removes a finished ledger, and its folder with the last one. */
function removeLedger(path: string): void {
  rmSync(path);
  const folder = dirname(path);
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** The ledger of a running run; the file appears with the first entry that can be undone. */
export class LedgerFile {
  private readonly folder: string;
  private readonly shadow = new Ledger();
  private head: Extract<Entry, { entry: 'run' }> | undefined;
  private path: string | undefined;
  private file: number | undefined;
  private length = 0;

  constructor(out: string) {
    this.folder = ledgersIn(out);
  }

  /** Returns once the entry is stored; if it throws, nothing must be sent. */
  readonly record = (entry: Entry): void => {
    if (entry.entry === 'run') this.head = entry;
    else this.append(entry);
    this.shadow.apply(entry);
  };

  /** Removes the file if nothing is left to undo; otherwise returns how much is. */
  close(): number {
    if (this.file === undefined || this.path === undefined) return 0;
    closeSync(this.file);
    if (this.shadow.isClear()) removeLedger(this.path);
    return this.shadow.deletable().length + this.shadow.pendingSwitches().length;
  }

  private append(entry: Entry): void {
    try {
      this.store(entry);
    } catch (error) {
      throw new NotWritten(this.path ?? this.folder, error);
    }
  }

  private store(entry: Entry): void {
    if (this.file === undefined) {
      mkdirSync(this.folder, { recursive: true });
      this.path = join(this.folder, `${this.head?.id ?? 'run'}.ndjson`);
      this.file = openSync(this.path, 'a', 0o600);
      const { pid } = process;
      this.write(this.file, { ...this.head, pid, host: hostname() });
    }
    this.write(this.file, entry);
  }

  /** The whole line or none of it: half a line would make the next one unreadable. */
  private write(file: number, line: object): void {
    const text = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      if (writeSync(file, text) < text.length) throw Object.assign(new Error('cut'), { code: 'ENOSPC' });
      this.length += text.length;
    } catch (error) {
      if (fstatSync(file).isFile()) ftruncateSync(file, this.length);
      throw error;
    }
  }
}

/** Runs work with a ledger file; reports at the end what could not be undone. */
export async function withLedger<T>(
  out: string,
  console: GuardedConsole,
  work: (record: LedgerFile['record']) => Promise<T>,
): Promise<T> {
  const ledger = new LedgerFile(out);
  try {
    return await work(ledger.record);
  } finally {
    const left = ledger.close();
    const folder = relative(console.folder, out) || '.';
    if (left > 0)
      console.stderr(`note: ${counted(left, 'thing')} could not be taken back; covenant cleanup --out ${folder}\n`);
  }
}

/** A ledger that an earlier run left. */
export interface StoredLedger {
  readonly path: string;
  readonly run: string;
  readonly baseUrl: string;
  readonly startedAt: string;
  /** The process of its run still exists. */
  readonly underWay: boolean;
  /** Every further entry is stored in the same file. */
  readonly ledger: Ledger;
}

/** A killed run may have left a partial last line; its request was not sent. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

function entriesIn(lines: string, path: string): unknown[] {
  return lines.split('\n').flatMap((line, index): unknown[] => {
    try {
      return line.trim() === '' ? [] : [JSON.parse(line)];
    } catch {
      throw new UsageError(`${path} is damaged at line ${index + 1}; take out what is not JSON there, and try again.`);
    }
  });
}

function isRunning(head: unknown): boolean {
  const [pid, host] = [at(head, 'pid'), at(head, 'host')];
  if (typeof pid !== 'number' || host !== hostname() || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function append(path: string, entry: Entry): void {
  const file = openSync(path, 'a', 0o600);
  writeSync(file, `${JSON.stringify(entry)}\n`);
  closeSync(file);
}

function stored(path: string): StoredLedger {
  const whole = wholeLines(readFileSync(path, 'utf8'));
  const [head, ...entries] = entriesIn(whole, path);
  const [run, baseUrl, startedAt] = [at(head, 'id'), at(head, 'base_url'), at(head, 'started_at')];
  if (whole !== '' && (at(head, 'entry') !== 'run' || typeof baseUrl !== 'string')) {
    throw new UsageError(`${path} is not a ledger of Covenant; move it elsewhere.`);
  }
  let torn = true;
  const ledger = new Ledger((entry) => {
    if (torn) truncateSync(path, Buffer.byteLength(whole));
    torn = false;
    append(path, entry);
  });
  for (const entry of entries) ledger.apply(entry as Entry);
  return {
    path,
    run: String(run),
    baseUrl: String(baseUrl),
    startedAt: String(startedAt),
    underWay: isRunning(head),
    ledger,
  };
}

/**
 * The ledgers in the folder of reports, by name.
 * @throws UsageError where a file there is not a ledger.
 */
export function storedLedgers(out: string): StoredLedger[] {
  const folder = ledgersIn(out);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw new UsageError(`${folder} cannot be read; check its permissions, or name another folder with --out.`);
  }
  return names
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => stored(join(folder, name)));
}

interface CleanupOptions extends TargetOptions {
  readonly out: string;
  readonly force?: boolean;
}

function checkLedger({ path, baseUrl, underWay, run }: StoredLedger, target: Target, force: boolean): void {
  if (baseUrl !== target.baseUrl) {
    throw new UsageError(
      `${path} is of a run against ${baseUrl}, but ${target.baseUrl} is configured; set COVENANT_BASE_URL and its credentials to that target.`,
    );
  }
  if (underWay && !force) {
    throw new UsageError(`run ${run} (${path}) seems to be under way; let it end, or give --force where it has ended.`);
  }
}

export type Reached = Pick<Examination, 'target' | 'network'>;

const noTarget = 'There are ledgers, but no target is configured; set COVENANT_BASE_URL and COVENANT_API_KEY.';

const named = ({ kind, id, name }: Residue): string => `${kind} ${id}: ${name}`;

/** Undoes what one ledger lists; true if nothing is left. */
export async function finish(
  stored: StoredLedger,
  { target, network }: Reached,
  console: GuardedConsole,
  parts: Parts,
): Promise<boolean> {
  const { ledger, run, startedAt, path } = stored;
  const before = ledger.deletable().length + ledger.pendingSwitches().length;
  console.stdout(`Run ${run} of ${startedAt}: ${counted(before, 'thing')} to take back.\n`);
  const connection = parts.connect(network);
  const progress = new Progress(displayOf(console, parts.clock));
  const { clock } = parts;
  try {
    if (before > 0) await cleanUpLater({ target, transport: connection.send, clock, onEvent: progress.hear }, ledger);
  } finally {
    progress.stop();
    await connection.close();
  }
  const clear = ledger.isClear();
  const left = ledger.residue();
  if (clear) {
    removeLedger(path);
    console.stdout(`  ${counted(before, 'thing')} taken back; its ledger is finished and removed.\n`);
  } else {
    console.stdout(`  Not everything could be taken back; the ledger stays: ${path}\n`);
  }
  if (left.length > 0) console.stdout('  Left behind:\n');
  for (const one of left) console.stdout(`    ${named(one)}\n`);
  return clear;
}

/**
 * Takes back and says the exit code: 0 nothing is left to take back, 3 something is, 4 the target cannot be reached.
 * @throws UsageError on a ledger of another target, a damaged one, or one of a run that is under way.
 */
async function cleanup(options: CleanupOptions, console: GuardedConsole, parts: Parts): Promise<number> {
  const ledgers = storedLedgers(resolve(console.folder, options.out));
  if (ledgers.length === 0) {
    console.stdout('Nothing to clean up: no run has left a ledger here.\n');
    return exitCodes.conformant;
  }
  // Ignores the declared profile: a session may have created what is left.
  const flags = { ...networkOptions(options), profile: defaultProfile };
  const reached = await targetFrom(flags, console, parts, noTarget);
  for (const ledger of ledgers) checkLedger(ledger, reached.target, options.force ?? false);
  try {
    let clear = true;
    for (const ledger of ledgers) clear = (await finish(ledger, reached, console, parts)) && clear;
    return clear ? exitCodes.conformant : exitCodes.incomplete;
  } catch (error) {
    if (!(error instanceof Aborted || error instanceof Inconclusive)) throw error;
    console.stderr(`covenant: ${error.message}\n`);
    return exitCodes.couldNotJudge;
  }
}

export function addCleanup(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  const command = program
    .command('cleanup')
    .description('take back what an interrupted run left behind, from its ledger');
  addTargetOptions(command)
    .option('--out <folder>', 'where reports go, and ledgers with them', 'reports/')
    .option('--force', 'also where the run seems to be under way')
    .action((options: CleanupOptions) => finish(cleanup(options, console, parts)));
}
