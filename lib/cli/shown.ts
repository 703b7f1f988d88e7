// A result that is already there, shown on the terminal and written in the views that are asked for.
import { join, relative, resolve } from 'node:path';
import { isCi } from '../configuration/settings-sources.ts';
import { changes } from '../gate/changes.ts';
import { prepareFolder, writeReports } from '../report/folder.ts';
import { changed } from '../report/terminal/gate.ts';
import { terminal } from '../report/terminal.ts';
import type { View } from '../report/views.ts';
import type { Report } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { type Again, againFrom, callable } from './again.ts';
import { type GuardedConsole, styleOf } from './console.ts';
import type { OutFolder } from './out-folder.ts';
import type { Parts } from './parts.ts';
import { writeRun } from './run-folder.ts';

export interface Showing {
  /** The file that it is from; absent where it is written now. */
  readonly file?: string;
  readonly reporters: readonly View[];
  readonly out: OutFolder;
  readonly baseline?: Report | undefined;
  readonly quiet?: boolean | undefined;
}

/** A log of a service may be cut where it is long, and nobody reads the thirtieth failure there in full. */
const wholeInCi = 10;

/** A result as text for people; `path` is where its report.json is. */
export function shown(
  { report, path }: { readonly report: Report; readonly path: string },
  again: Again,
  console: GuardedConsole,
  { rulings }: Parts,
): string {
  const ruling = (id: string): string | undefined => rulings[id]?.ruling;
  const reader = { ruling, again, ...(isCi(console.environment) && { whole: wholeInCi }) };
  const text = terminal(report, reader, styleOf(console));
  const named = text.replaceAll(/(?<=\bin\s+|\bcovenant report )report\.json\b/g, relative(console.folder, path));
  return callable(`${named}\n`, console);
}

/** Rejects with a UsageError, before anything is shown, where the folder cannot be written to. */
export async function show(
  report: Report,
  { file, reporters, out, baseline, quiet }: Showing,
  console: GuardedConsole,
  parts: Parts,
): Promise<void> {
  const folder = out.of(report);
  if (reporters.length > 0) {
    await prepareFolder(
      folder,
      reporters.map(({ file }) => file),
    );
  }
  const style = styleOf(console);
  const say = quiet ? () => {} : console.stdout;
  const again = againFrom(console, report);
  const path = file ?? join(folder, 'report.json');
  say(shown({ report, path: resolve(console.folder, path) }, again, console, parts));
  if (baseline) say(callable(`${changed(changes(baseline, report), baseline, report, style).join('\n')}\n\n`, console));
  if (reporters.length === 0) return;
  // The exchanges that the report kept are all that is left of the transcript.
  const result = { report, transcript: report.exchanges };
  const context = { rulings: parts.rulings, again, ...defined({ baseline }) };
  const isRun = reporters.some((view) => view.file === 'report.json');
  const written = isRun
    ? await writeRun(out, result, reporters, context, console)
    : await writeReports(folder, result, reporters, context, console.redact);
  say(written.map((path) => `Written: ${path}\n`).join(''));
}
