// `covenant compare`: says what changed between two runs, and by its exit code whether anything is worse.

import { withWaivers } from '../gate/assess.ts';
import { type Comparison, compare, comparisonSentence } from '../gate/compare.ts';
import { readReport } from '../report/read.ts';
import { changed, waivers } from '../report/terminal/gate.ts';
import type { Report, RequirementResult } from '../result.ts';
import { documentText } from '../schema/document.ts';
import { callable } from './again.ts';
import { type GuardedConsole, styleOf } from './console.ts';
import { type FormatOptions, formatFrom, textOrJson } from './format.ts';
import { baselineFrom, waiversFrom } from './gate.ts';
import { namedFile } from './named-file.ts';
import type { Parts } from './parts.ts';

export interface CompareOptions extends FormatOptions {
  readonly waivers?: string;
}

interface Compared {
  readonly before: Report;
  readonly after: Report;
  readonly comparison: Comparison;
}

const ids = (rows: readonly RequirementResult[]): string[] => rows.map(({ id }) => id);

function asJson({ before, after, comparison }: Compared): string {
  const { changes, failing, untested, exitCode } = comparison;
  const rows = (some: Comparison['changes']['failing']) =>
    some.map(({ id, level, statement, was, verdict, operations }) => ({
      id,
      level,
      statement,
      was,
      verdict,
      operations,
    }));
  const document = {
    format: 'covenant-comparison/1',
    before: { run: before.run.id, at: before.run.started_at, suite: before.suite, target: before.target.base_url },
    after: { run: after.run.id, at: after.run.started_at, suite: after.suite, target: after.target.base_url },
    sentence: comparisonSentence(comparison, after),
    exit_code: exitCode,
    cause: changes.cause,
    terms: changes.terms,
    compared: changes.compared,
    worse: { failing: ids(failing), untested: ids(untested) },
    newly_failing: rows(changes.failing),
    newly_passing: rows(changes.passing),
    newly_untested: rows(changes.undecided),
    no_longer_offered: rows(changes.withdrawn),
    observations: changes.answers,
    cost: changes.cost,
    incomparable: { ...changes.incomparable, unselectedNow: ids(changes.incomparable.unselectedNow) },
    waivers: after.waivers ?? [],
  };
  return documentText('comparison', document);
}

function asText({ before, after, comparison }: Compared, console: GuardedConsole): string {
  const style = styleOf(console);
  const waived = waivers(after, style);
  return [
    ...changed(comparison.changes, before, after, style),
    '',
    ...(waived.length === 0 ? [] : [...waived, '']),
    style.colors.bold(comparisonSentence(comparison, after)),
    '',
  ].join('\n');
}

/**
 * Compares and says the exit code; see `compare` in lib/gate.
 * @throws UsageError on a file that is not a report or of a run that judged nothing, on wrong waivers, on an unknown format.
 */
export async function compareReports(
  paths: readonly [before: string, after: string],
  options: CompareOptions,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const format = formatFrom(options, textOrJson);
  const before = await baselineFrom(paths[0], console);
  const later = readReport(await namedFile(console.folder, paths[1]), paths[1]);
  const waived = options.waivers === undefined ? undefined : await waiversFrom(options.waivers, console, parts);
  const after = waived === undefined ? later : withWaivers(later, waived, parts.clock.now());
  const compared: Compared = { before, after, comparison: compare(before, after) };
  console.stdout(format === 'json' ? asJson(compared) : callable(asText(compared, console), console));
  return compared.comparison.exitCode;
}
