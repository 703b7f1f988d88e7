// `covenant run --last-failed`: only what failed or stayed undecided in the last run, asked in the same way.
import { join } from 'node:path';
import { UsageError } from '../configuration/settings.ts';
import type { Configuration, RunFlags } from '../configuration/target.ts';
import { readReport } from '../report/read.ts';
import type { Report, RequirementResult } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import type { Console } from './console.ts';
import { isThere, namedFile } from './named-file.ts';
import { lastWhole, located, outFolder } from './out-folder.ts';
import type { OwnSuites } from './own-suites.ts';
import { isWhole } from './run-folder.ts';

interface Choices extends RunFlags {
  readonly out: string;
  readonly repeat?: string;
}

interface Last {
  readonly path: string;
  readonly report: Report;
}

const reportAt = async (path: string, folder: string): Promise<Last> => ({
  path,
  report: readReport(await namedFile(folder, path), path),
});

/**
 * The report of the last run, and before it that of the last whole one of that target, where it was not whole itself.
 * @throws UsageError where there is none, or it cannot be read.
 */
export async function lastReports(out: string, { folder }: Console): Promise<readonly [Last, ...Last[]]> {
  const base = out.includes('{') ? outFolder(out, folder).base : out;
  const last = await reportAt(await located(folder, join(base, 'report.json')), folder);
  const path = await located(folder, join(base, lastWhole, 'report.json'));
  if (isWhole(last.report) || !(await isThere(folder, path))) return [last];
  const whole = await reportAt(path, folder);
  return whole.report.target.base_url === last.report.target.base_url ? [whole, last] : [last];
}

/** The last report; of a requirement, the last one in which it failed, where there is one. */
export async function lastReport(out: string, console: Console, requirement?: string): Promise<Last> {
  const reports = await lastReports(out, console);
  const failed = reports.findLast(({ report }) =>
    report.requirements.some(({ id, verdict }) => id === requirement && verdict === 'failed'),
  );
  return failed ?? reports.at(-1) ?? reports[0];
}

/** @throws UsageError where what is configured is not what the report is of. */
export function checkSameTarget({ report, path }: Last, { target }: Configuration): void {
  if (target === undefined || target.baseUrl === report.target.base_url) return;
  throw new UsageError(
    `${path} is of ${report.target.base_url}, but ${target.baseUrl} is configured; name the folder of its last run with --out.`,
  );
}

/** The rows of the first report, each as a later one decided it. */
function rowsOf(reports: readonly Last[]): readonly RequirementResult[] {
  const rows = new Map<string, RequirementResult>();
  for (const { report } of reports)
    for (const row of [...report.requirements, ...(report.own?.requirements ?? [])])
      if (!rows.has(row.id) || row.verdict === 'passed' || row.verdict === 'failed') rows.set(row.id, row);
  return [...rows.values()];
}

/**
 * The flags with which what is not decided yet is asked again: with its seed and effort, and no further than that run went.
 * @throws UsageError where nothing is open, or the selection is already named.
 */
export function lastFailed<T extends Choices>(
  flags: T,
  reports: readonly [Last, ...Last[]],
  known: OwnSuites['requirements'],
): T {
  const rival = (['requirement', 'repeat', 'shard'] as const).find((name) => flags[name] !== undefined);
  if (rival !== undefined) throw new UsageError(`--last-failed names the requirements itself; leave --${rival} off.`);
  const open = rowsOf(reports).filter(({ verdict }) => !['passed', 'observed'].includes(verdict));
  const requirement = open.map(({ id }) => id).filter((id) => Object.hasOwn(known, id));
  if (requirement.length === 0) {
    const paths = reports.map(({ path }) => path).join(' or since in ');
    throw new UsageError(
      `Nothing failed and nothing stayed open in ${paths}; leave --last-failed off to run everything.`,
    );
  }
  const { options, seed } = reports[0].report.run;
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
