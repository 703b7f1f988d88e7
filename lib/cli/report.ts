// `covenant report`: shows the result of an earlier run again, in any of the views, without asking the target anything.
import { changes } from '../gate/changes.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { prepareFolder, writeReports } from '../report/folder.ts';
import { readReport } from '../report/read.ts';
import { chosenReporters } from '../report/reporters.ts';
import { changed } from '../report/terminal/gate.ts';
import { terminal } from '../report/terminal.ts';
import { defined } from '../runtime/defined.ts';
import { againFrom } from './again.ts';
import { type GuardedConsole, styleOf } from './console.ts';
import { baselineFrom } from './gate.ts';
import { namedFile } from './named-file.ts';
import { outFolder } from './out-folder.ts';
import type { Parts } from './parts.ts';

export interface ReportOptions {
  readonly reporter?: readonly string[];
  readonly out: string;
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
  const out = outFolder(options.out, console.folder);
  const found = readReport(await namedFile(console.folder, file), file);
  const baseline = options.baseline === undefined ? undefined : await baselineFrom(options.baseline, console);
  const style = styleOf(console);
  console.stdout(
    `${terminal(found, { ruling: (id) => parts.rulings[id]?.ruling, again: againFrom(console, found) }, style)}\n`,
  );
  if (baseline) console.stdout(`${changed(changes(baseline, found), baseline, found, style).join('\n')}\n\n`);
  if (reporters.length === 0) return exitCodes.conformant;
  const folder = out.of(found);
  await prepareFolder(
    folder,
    reporters.map((one) => one.file),
  );
  // The exchanges that the report kept are all that is left of the transcript.
  const result = { report: found, transcript: found.exchanges };
  const context = { rulings: parts.rulings, ...defined({ baseline }) };
  const written = await writeReports(folder, result, reporters, context, console.redact);
  console.stdout(written.map((path) => `Written: ${path}\n`).join(''));
  return exitCodes.conformant;
}
