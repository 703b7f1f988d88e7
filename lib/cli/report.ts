// `covenant report`: shows the result of an earlier run again, in any of the views, without asking the target anything.
import { dirname } from 'node:path';
import { exitCodes } from '../gate/exit-code.ts';
import { readReport } from '../report/read.ts';
import { chosenReporters } from '../report/reporters.ts';
import type { GuardedConsole } from './console.ts';
import { baselineFrom } from './gate.ts';
import { namedFile } from './named-file.ts';
import { located, outFolder } from './out-folder.ts';
import type { Parts } from './parts.ts';
import { show } from './shown.ts';

export interface ReportOptions {
  readonly reporter?: readonly string[];
  /** Beside the file where absent. */
  readonly out?: string;
  readonly baseline?: string;
}

/**
 * Shows, and says the exit code: 0, whatever the verdict of the run was.
 * @throws UsageError on a file that is not a report, and on a reporter that is not known.
 */
export async function report(
  file: string,
  options: ReportOptions,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const reporters = chosenReporters(options.reporter ?? [], []);
  const path = await located(console.folder, file);
  const out = outFolder(options.out ?? dirname(path), console.folder);
  const found = readReport(await namedFile(console.folder, path), file);
  const baseline = options.baseline === undefined ? undefined : await baselineFrom(options.baseline, console);
  await show(found, { file: path, reporters, out, baseline }, console, parts);
  return exitCodes.conformant;
}
