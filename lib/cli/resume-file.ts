// What a run that was cut off leaves behind to go on with: its settings, and what it had decided.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { at } from '../client/reply.ts';
import { type Settings, type Target, UsageError } from '../configuration/settings.ts';
import { readReport } from '../report/read.ts';
import type { Report } from '../result.ts';
import { sha256 } from '../runtime/digest.ts';
import type { Console } from './console.ts';
import { isThere, namedFile } from './named-file.ts';

export interface Unfinished {
  readonly settings: Settings;
  readonly report: Report;
  /** Says whether the credentials are the same, and nothing of them. */
  readonly credentials: string;
}

const fileIn = (base: string): string => join(base, 'resume.json');

/** Of long random keys nothing can be found again from it. */
export const digestOfCredentials = ({ credentials, foreignSlug }: Target): string =>
  sha256(JSON.stringify([Object.entries(credentials).sort(), foreignSlug ?? null])).slice(0, 16);

/** Written again and again while a run is under way, and gone once it has come to its end. */
export class ResumeFile {
  private readonly path: string;
  private readonly settings: Settings;
  private readonly credentials: string;

  constructor(base: string, settings: Settings, target: Target) {
    this.path = fileIn(base);
    this.settings = settings;
    this.credentials = digestOfCredentials(target);
  }

  /** The whole file or the one before it; a file that cannot be written does not stop the run. */
  readonly write = (report: Report): void => {
    const beside = `${this.path}.${process.pid}.part`;
    const unfinished: Unfinished = { settings: this.settings, credentials: this.credentials, report };
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(beside, JSON.stringify(unfinished), { mode: 0o600 });
      renameSync(beside, this.path);
    } catch {
      rmSync(beside, { force: true });
    }
  };

  remove(): void {
    try {
      rmSync(this.path, { force: true });
    } catch {
      // Where the folder is gone, the file is gone, too.
    }
  }
}

/** @throws UsageError where no run was cut off there, or its file is not what a run wrote. */
export async function readUnfinished(base: string, { folder }: Console): Promise<Unfinished> {
  const path = fileIn(base);
  if (!(await isThere(folder, path))) {
    throw new UsageError(`There is nothing to resume: no run into ${base} was cut off.`);
  }
  const text = await namedFile(folder, path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is damaged; remove it, and run everything.`);
  }
  const [settings, credentials] = [at(value, 'settings'), at(value, 'credentials')];
  if (typeof settings !== 'object' || settings === null || typeof credentials !== 'string') {
    throw new UsageError(`${path} is damaged; remove it, and run everything.`);
  }
  const report = readReport(JSON.stringify(at(value, 'report') ?? null), path);
  return { settings: settings as Settings, credentials, report };
}
