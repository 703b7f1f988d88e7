// The evidence of a run as a file, with the report and the envelope beside it: written when the run has ended, and read again.
import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Envelope, envelopeFrom } from '../evidence/dsse.ts';
import { type Evidence, readEvidence } from '../evidence/read.ts';
import type { Recording } from '../evidence/record.ts';
import type { HeldReport } from '../evidence/verify.ts';
import { readReport } from '../report/read.ts';
import type { Report } from '../result.ts';
import { NotWritten } from '../runtime/disk.ts';
import type { Console } from './console.ts';
import { isThere, namedBytes, namedFile } from './out-folder.ts';

export const evidenceName = 'evidence.jsonl.gz';

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

/** Where the envelope of an evidence file is looked for and written. */
export const envelopePath = (path: string): string =>
  join(dirname(path), `${basename(path).replace(/\.jsonl\.gz$/, '')}.dsse.json`);

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
