// `covenant run --resume`: goes on where a run was cut off; results so far are kept.
import { Inconclusive } from '../client/errors.ts';
import { UsageError } from '../configuration/settings.ts';
import type { Configuration, RunFlags } from '../configuration/target.ts';
import { Aborted } from '../fixtures/probe.ts';
import type { Residue } from '../result.ts';
import { counted } from '../runtime/text.ts';
import { finish, type Reached } from './cleanup.ts';
import type { GuardedConsole } from './console.ts';
import { storedLedgers } from './ledger-file.ts';
import type { Parts } from './parts.ts';
import { digestOfCredentials, readUnfinished, type Unfinished } from './resume-file.ts';

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
