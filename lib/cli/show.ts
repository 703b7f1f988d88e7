// `covenant show`: the page of the last report, opened in the browser, or its path where there is none; and what a run says of it.
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exitCodes } from '../gate/exit-code.ts';
import { writeReports } from '../report/folder.ts';
import { views } from '../report/views.ts';
import { failedAt } from '../report/wording.ts';
import type { Report } from '../result.ts';
import { againFrom, callable, quoted } from './again.ts';
import type { Console, GuardedConsole } from './console.ts';
import { lastReport } from './last-failed.ts';
import type { OutFolder } from './out-folder.ts';
import type { Parts } from './parts.ts';

export interface ShowOptions {
  readonly out: string;
}

/** The line that leads to the page, at its first failure, and on a terminal the command; empty where there is neither. */
export function pageLink(written: readonly string[], report: Report, { base }: OutFolder, console: Console): string {
  const page = written.find((path) => basename(path) === views.html.file);
  const [first] = [...failedAt(report, 'must'), ...failedAt(report, 'should')];
  if (page === undefined || first === undefined) return '';
  const link = `Look at: ${pathToFileURL(page).href}#${first.id}\n`;
  if (!console.stdoutIsTerminal) return link;
  const folder = relative(console.folder, base);
  const out = folder === 'reports' ? '' : ` --out ${quoted(folder || '.')}`;
  return `${link}${callable(`     or: covenant show${out}\n`, console)}`;
}

/**
 * Opens it and says the exit code: 0, whatever the verdict of the run was.
 * @throws UsageError where there is no report.
 */
export async function showPage({ out }: ShowOptions, console: GuardedConsole, { rulings }: Parts): Promise<number> {
  const { path, report } = await lastReport(out, console);
  const folder = dirname(resolve(console.folder, path));
  const page = join(folder, views.html.file);
  // It is written only where something failed, or where it is asked for.
  if (!(await readFile(page, 'utf8').catch(() => '')).includes(report.run.id)) {
    const context = { rulings, again: againFrom(console, report) };
    await writeReports(folder, { report, transcript: report.exchanges }, [views.html], context, console.redact);
  }
  const opens = await console.open?.(page);
  console.stdout(`${opens ? 'Opening: ' : ''}${page}\n`);
  return exitCodes.conformant;
}
