// A piece of evidence with what stands beside it: the report, and the envelope in which both are signed.
import { basename, dirname, join } from 'node:path';
import { type Envelope, envelopeFrom } from '../evidence/dsse.ts';
import { type Evidence, readEvidence } from '../evidence/read.ts';
import type { HeldReport } from '../evidence/verify.ts';
import { readReport } from '../report/read.ts';
import type { Console } from './console.ts';
import { isThere, namedBytes, namedFile } from './named-file.ts';

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
