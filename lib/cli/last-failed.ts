// `covenant run --last-failed`: only what failed or stayed undecided in the last run, asked in the same way.
import { join } from 'node:path';
import { UsageError } from '../configuration/settings.ts';
import type { Configuration, RunFlags } from '../configuration/target.ts';
import { readReport } from '../report/read.ts';
import type { Report } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import type { Console } from './console.ts';
import { namedFile } from './named-file.ts';
import { located, outFolder } from './out-folder.ts';
import type { OwnSuites } from './own-suites.ts';

interface Choices extends RunFlags {
  readonly out: string;
  readonly repeat?: string;
}

/** @throws UsageError where there is none, or it cannot be read. */
export async function lastReport(out: string, { folder }: Console): Promise<{ path: string; report: Report }> {
  const path = await located(folder, join(out.includes('{') ? outFolder(out, folder).base : out, 'report.json'));
  return { path, report: readReport(await namedFile(folder, path), path) };
}

/** @throws UsageError where what is configured is not what the report is of. */
export function checkSameTarget({ report, path }: { report: Report; path: string }, { target }: Configuration): void {
  if (target === undefined || target.baseUrl === report.target.base_url) return;
  throw new UsageError(
    `${path} is of ${report.target.base_url}, but ${target.baseUrl} is configured; name the folder of its last run with --out.`,
  );
}

/**
 * The flags with which what is not decided yet is asked again: with its seed and effort, and no further than that run went.
 * @throws UsageError where nothing is open, or the selection is already named.
 */
export function lastFailed<T extends Choices>(
  flags: T,
  report: Report,
  path: string,
  known: OwnSuites['requirements'],
): T {
  const rival = (['requirement', 'repeat', 'shard'] as const).find((name) => flags[name] !== undefined);
  if (rival !== undefined) throw new UsageError(`--last-failed names the requirements itself; leave --${rival} off.`);
  const rows = [...report.requirements, ...(report.own?.requirements ?? [])];
  const open = rows.filter(({ verdict }) => !['passed', 'observed'].includes(verdict));
  const requirement = open.map(({ id }) => id).filter((id) => Object.hasOwn(known, id));
  if (requirement.length === 0) {
    throw new UsageError(
      `Nothing failed and nothing stayed open in ${path}; leave --last-failed off to run everything.`,
    );
  }
  const { options, seed } = report.run;
  return {
    ...flags,
    ...defined({ readOnly: options.read_only || flags.readOnly }),
    requirement,
    seed: flags.seed ?? String(seed),
    effort: flags.effort ?? options.effort,
    profile: flags.profile ?? options.profile,
    exhaustion: options.exhaustion && flags.exhaustion !== false,
  };
}
