// The ledgers of runs as files: one line an entry, stored before the request that it announces is sent, so that even a killed run can be taken back.
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
import { dirname, join } from 'node:path';
import { type Entry, Ledger } from '../client/ledger.ts';
import { at } from '../client/reply.ts';
import { UsageError } from '../configuration/settings.ts';
import { NotWritten } from '../runtime/disk.ts';

const ledgersIn = (out: string): string => join(out, 'ledgers');

/** Takes a finished ledger away, and its folder with the last one. */
export function removeLedger(path: string): void {
  rmSync(path);
  const folder = dirname(path);
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** The ledger of a run that is under way; the file appears with the first thing that there is to take back. */
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

  /** Returns when the entry is stored; throws where it cannot be, and then nothing must be sent. */
  readonly record = (entry: Entry): void => {
    if (entry.entry === 'run') this.head = entry;
    else this.append(entry);
    this.shadow.apply(entry);
  };

  /** Removes the file where nothing is left that could be taken back; otherwise says how much is. */
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

/** A ledger that an earlier run left. */
export interface StoredLedger {
  readonly path: string;
  readonly run: string;
  readonly baseUrl: string;
  readonly startedAt: string;
  /** The process of its run is still there. */
  readonly underWay: boolean;
  /** Every further entry is stored in the same file. */
  readonly ledger: Ledger;
}

/** A run that was killed may have torn its last line; the request that it announced was not sent yet. */
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
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new UsageError(`${folder} cannot be read; check its permissions, or name another folder with --out.`);
  }
  return names
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => stored(join(folder, name)));
}
