// `covenant run --resume`: continues a run that was cut off, from the file that it left; results so far are kept.

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inconclusive } from '../client/errors.ts';
import { at } from '../client/reply.ts';
import { jsonIn } from '../configuration/checked.ts';
import { type Settings, type Target, UsageError } from '../configuration/settings.ts';
import type { Configuration, RunFlags } from '../configuration/target.ts';
import { Aborted } from '../fixtures/probe.ts';
import { readReport } from '../report/read.ts';
import type { Report, Residue } from '../result.ts';
import { counted, sha256 } from '../runtime/text.ts';
import { finish, type Reached, storedLedgers } from './cleanup.ts';
import type { Console, GuardedConsole } from './console.ts';
import { isThere, namedFile } from './out-folder.ts';
import type { Parts } from './parts.ts';

/** The options that say what is asked, and how: those of the run that was cut off hold. */
const fixed = [
  'area',
  'requirement',
  'seed',
  'effort',
  'shard',
  'profile',
  'readOnly',
  'repeat',
  'lastFailed',
  'evidence',
];
const flagNamed = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

interface Choices extends RunFlags {
  readonly resume?: boolean;
}

function checkFlags(options: Choices): void {
  const given = new Map<string, unknown>(Object.entries(options));
  const rival = options.exhaustion === false ? 'noExhaustion' : fixed.find((name) => given.get(name) !== undefined);
  if (rival === undefined) return;
  throw new UsageError(`--resume goes on with the choices of the run that was cut off; leave ${flagNamed(rival)} off.`);
}

/** In its profile, which says what there is to be configured. */
export const resumed = <T extends RunFlags>(flags: T, unfinished: Unfinished | undefined): T =>
  unfinished ? { ...flags, profile: unfinished.report.run.options.profile } : flags;

/**
 * With the settings of the run that was cut off.
 * @throws UsageError where target or credentials are not those of that run.
 */
export function resumedConfiguration({ report, credentials, settings }: Unfinished, now: Configuration): Configuration {
  const { target } = now;
  if (target === undefined) {
    throw new UsageError('--resume needs the target of the run that was cut off; set COVENANT_BASE_URL or --base-url.');
  }
  if (target.baseUrl !== report.target.base_url) {
    throw new UsageError(
      `The run that was cut off is of ${report.target.base_url}, but ${target.baseUrl} is configured; run everything, or configure that target.`,
    );
  }
  if (credentials !== digestOfCredentials(target)) {
    throw new UsageError(
      'The credentials are not those of the run that was cut off; set the same ones, or run everything without --resume.',
    );
  }
  const { allowIncomplete, concurrency } = now.settings;
  return { ...now, settings: { ...settings, allowIncomplete, concurrency } };
}

/**
 * The run that was cut off, where it is to be gone on with.
 * @throws UsageError where there is none, or it is of another suite.
 */
export async function unfinishedFrom(
  options: Choices,
  base: string,
  console: GuardedConsole,
  { version, digest }: Parts,
): Promise<Unfinished | undefined> {
  if (!options.resume) return undefined;
  checkFlags(options);
  const unfinished = await readUnfinished(base, console);
  const { suite } = unfinished.report;
  if (suite.version !== version || suite.catalogue !== digest) {
    throw new UsageError(
      `The run that was cut off was of another suite (Covenant ${suite.version}); run everything without --resume.`,
    );
  }
  return unfinished;
}

/** What a killed run left is taken back first; returns what stays. */
async function leftBy(
  { report }: Unfinished,
  reached: Reached,
  base: string,
  console: GuardedConsole,
  parts: Parts,
): Promise<readonly Residue[]> {
  const stored = storedLedgers(base).find(({ run }) => run === report.run.id);
  if (stored === undefined) return report.residue;
  if (stored.underWay) throw new UsageError(`run ${stored.run} seems to be under way; let it end.`);
  try {
    await finish(stored, reached, console, parts);
  } catch (error) {
    // The run itself will meet the same, and report it.
    if (!(error instanceof Aborted || error instanceof Inconclusive)) throw error;
  }
  return stored.ledger.residue();
}

/** The run as it is gone on with: cleaned up, and announced. */
export async function takenUp(
  unfinished: Unfinished,
  reached: Reached,
  base: string,
  console: GuardedConsole,
  parts: Parts,
): Promise<Unfinished> {
  const residue = await leftBy(unfinished, reached, base, console, parts);
  const { report } = unfinished;
  console.stderr(`Going on with run ${report.run.id}: ${counted(report.run.decided?.length ?? 0, 'case')} decided.\n`);
  return { ...unfinished, report: { ...report, residue } };
}

export interface Unfinished {
  readonly settings: Settings;
  readonly report: Report;
  /** Says whether the credentials are the same, and nothing of them. */
  readonly credentials: string;
}

const fileIn = (base: string): string => join(base, 'resume.json');

/** Of long random keys nothing can be found again from it. */
const digestOfCredentials = ({ credentials, foreignSlug }: Target): string =>
  sha256(JSON.stringify([Object.entries(credentials).sort(), foreignSlug ?? null])).slice(0, 16);

/** Written again and again while a run is under way, and gone once it has come to its end. */
export function resumeFile(base: string, settings: Settings, target: Target) {
  const path = fileIn(base);
  const beside = `${path}.${process.pid}.part`;
  const credentials = digestOfCredentials(target);
  return {
    /** The whole file or the one before it; a file that cannot be written does not stop the run. */
    write: (report: Report): void => {
      try {
        mkdirSync(base, { recursive: true });
        writeFileSync(beside, JSON.stringify({ settings, credentials, report } satisfies Unfinished), { mode: 0o600 });
        renameSync(beside, path);
      } catch {
        rmSync(beside, { force: true });
      }
    },
    remove: (): void => {
      try {
        rmSync(path, { force: true });
      } catch {
        // Where the folder is gone, the file is gone, too.
      }
    },
  };
}

/** @throws UsageError where no run was cut off there, or its file is not what a run wrote. */
async function readUnfinished(base: string, { folder }: Console): Promise<Unfinished> {
  const path = fileIn(base);
  if (!(await isThere(folder, path))) {
    throw new UsageError(`There is nothing to resume: no run into ${base} was cut off.`);
  }
  const damaged = `${path} is damaged; remove it, and run everything.`;
  const value = jsonIn(await namedFile(folder, path), damaged);
  const [settings, credentials] = [at(value, 'settings'), at(value, 'credentials')];
  if (typeof settings !== 'object' || settings === null || typeof credentials !== 'string') {
    throw new UsageError(damaged);
  }
  const report = readReport(JSON.stringify(at(value, 'report') ?? null), path);
  return { settings: settings as Settings, credentials, report };
}
