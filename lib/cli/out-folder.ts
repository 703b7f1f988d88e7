// The files of a run: its folder of reports and evidence, the last whole run kept beside, and files that the person named.

import { createWriteStream } from 'node:fs';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UsageError } from '../configuration/settings.ts';
import { type Evidence, readEvidence } from '../evidence/read.ts';
import type { Recording } from '../evidence/record.ts';
import { type Envelope, envelopeFrom } from '../evidence/signature.ts';
import type { HeldReport } from '../evidence/verify.ts';
import { prepareFolder, writeReports, writeWhole } from '../report/folder.ts';
import { readReport } from '../report/read.ts';
import { chosenReporters, type View } from '../report/views.ts';
import type { Context } from '../report/wording.ts';
import type { Report, RunResult } from '../result.ts';
import { codeOf, NotWritten, unreadable } from '../runtime/disk.ts';
import type { Console, GuardedConsole } from './console.ts';

/** In the folder of reports: the files of the last whole run, where a later one was not whole. */
export const lastWhole = 'last-whole';

/** Where a file is: at its path, or else among those of the last whole run. A path that leads nowhere stays as it is. */
export async function located(folder: string, path: string): Promise<string> {
  const kept = join(dirname(path), lastWhole, basename(path));
  return !(await isThere(folder, path)) && (await isThere(folder, kept)) ? kept : path;
}

const utf8 = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

async function read<T>(folder: string, path: string, decoded: (bytes: Uint8Array) => T): Promise<T> {
  try {
    return decoded(await readFile(resolve(folder, await located(folder, path))));
  } catch (error) {
    throw new UsageError(unreadable(path, error));
  }
}

/** @throws UsageError where the file cannot be read as UTF-8 text. */
export const namedFile = (folder: string, path: string): Promise<string> => read(folder, path, utf8);

/** @throws UsageError where the file cannot be read. */
const namedBytes = (folder: string, path: string): Promise<Uint8Array> => read(folder, path, (bytes) => bytes);

export const isThere = (folder: string, path: string): Promise<boolean> =>
  access(resolve(folder, path)).then(
    () => true,
    () => false,
  );

/** @throws UsageError where the file is there and cannot be read as UTF-8 text. */
export async function envText(folder: string): Promise<string | undefined> {
  const path = join(folder, '.env');
  try {
    return utf8(await readFile(path));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder; remove it or put a file in its place.`);
    throw new UsageError(unreadable(path, error));
  }
}

/**
 * Writes these texts by the names of their files, and says where they are.
 * @throws UsageError where the folder cannot be written to.
 */
export async function writeAll(
  folder: string,
  texts: Readonly<Record<string, string>>,
  console: GuardedConsole,
): Promise<void> {
  await prepareFolder(folder, Object.keys(texts));
  for (const [name, text] of Object.entries(texts)) {
    await writeWhole(join(folder, name), console.redact(text));
    console.stdout(`Written: ${join(folder, name)}\n`);
  }
}

const evidenceName = 'evidence.jsonl.gz';

/** Where the envelope of an evidence file is looked for and written. */
export const envelopePath = (path: string): string =>
  join(dirname(path), `${basename(path).replace(/\.jsonl\.gz$/, '')}.dsse.json`);

const reportName = 'report.json';
/** What goes with a report where that is kept. */
const evidence = [evidenceName, envelopePath(evidenceName)];

/** Everything was selected, and the run came to its end: what other runs are held against. */
export const isWhole = ({ verdict, run: { decided, options } }: Report): boolean =>
  verdict !== 'aborted' &&
  decided === undefined &&
  options.area === null &&
  options.requirement === null &&
  !options.read_only &&
  options.exhaustion &&
  options.shard === undefined;

async function reportIn(folder: string): Promise<Report | undefined> {
  try {
    return readReport(await readFile(join(folder, reportName), 'utf8'), folder);
  } catch {
    // None, or none of ours, which is simply replaced.
    return undefined;
  }
}

/** By what a view of Covenant is known from a file of another program that has its name. */
const marks: Readonly<Record<string, string>> = {
  'report.html': 'name="generator" content="covenant',
  'junit.xml': 'package="covenant"',
  'summary.md': ' Covenant: ',
};

/** What an earlier run wrote there beside its report. */
async function viewsIn(folder: string): Promise<readonly View[]> {
  const found: View[] = [];
  for (const view of chosenReporters(['all'], [])) {
    const mark = marks[view.file];
    const text = mark === undefined ? '' : await readFile(join(folder, view.file), 'utf8').catch(() => '');
    if (mark && text.includes(mark)) found.push(view);
  }
  return found;
}

/** Moves what the whole run wrote out of the way of one that is not; a folder of that name that is not ours stays. */
async function keep(files: readonly string[], folder: string): Promise<void> {
  const kept = join(folder, lastWhole);
  if (await reportIn(kept)) await rm(kept, { recursive: true });
  const made = await mkdir(kept).then(
    () => true,
    () => false,
  );
  if (!made) return;
  for (const file of files) await rename(join(folder, file), join(kept, file)).catch(() => {});
}

/** Writes the reports and says where they are. Views of the run before are written anew, or go with it. */
export async function writeRun(
  folder: string,
  result: RunResult,
  chosen: readonly View[],
  context: Context,
  console: GuardedConsole,
): Promise<string[]> {
  const before = await reportIn(folder);
  const there = await viewsIn(folder);
  if (isWhole(result.report)) {
    if (await reportIn(join(folder, lastWhole))) await rm(join(folder, lastWhole), { recursive: true });
  } else if (before && isWhole(before)) {
    await keep([reportName, ...there.map(({ file }) => file), ...evidence], folder);
  }
  return writeReports(folder, result, [...new Set([...chosen, ...there])], context, console.redact);
}

/** Seals the record with the report, in whose folder it goes; resolves with where it is. */
export async function sealed(recording: Recording, report: Report, folder: string): Promise<string> {
  const path = join(folder, evidenceName);
  const beside = join(folder, `.${evidenceName}.${process.pid}.part`);
  const lines = recording.lines(report, await readFile(join(folder, 'report.json')));
  try {
    // Replies are alike enough: more effort takes half as long again, and saves a tenth.
    const gzip = createGzip({ level: 1, chunkSize: 65_536 });
    await pipeline(Readable.from(lines), gzip, createWriteStream(beside, { mode: 0o644 }));
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw new NotWritten(path, error);
  }
  return path;
}

/** Where the report of an evidence file is, unless another is named. */
export const reportPath = (path: string): string => join(dirname(path), 'report.json');

/** @throws UsageError where the file cannot be read or is something else. */
export const evidenceOf = async (path: string, { folder }: Console): Promise<Evidence> =>
  readEvidence(await namedBytes(folder, path), path);

/** @throws UsageError where the file cannot be read or is no report. */
export async function reportOf(path: string, { folder }: Console): Promise<HeldReport> {
  const bytes = await namedBytes(folder, path);
  return { bytes, report: readReport(new TextDecoder().decode(bytes), path) };
}

/** The envelope beside the file; absent where there is none and none was named. */
export async function envelopeOf(
  path: string,
  named: string | undefined,
  { folder }: Console,
): Promise<Envelope | undefined> {
  const where = named ?? envelopePath(path);
  if (named === undefined && !(await isThere(folder, where))) return undefined;
  return envelopeFrom(await namedFile(folder, where), where);
}
