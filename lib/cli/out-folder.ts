// Where files are: the folder of reports, whose name may hold the run and its date, pointers to the last run, and files that the person named, with one sentence for each reason why one cannot be read.
import { access, lstat, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { didYouMean } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import { prepareFolder, writeWhole } from '../report/folder.ts';
import type { Report } from '../result.ts';
import { codeOf, unreadable } from '../runtime/disk.ts';
import type { GuardedConsole } from './console.ts';

export interface OutFolder {
  /** The folders in front of the first placeholder: ledgers and the pointer stay there. */
  readonly base: string;
  /** The folder for the reports of a run. */
  of(report: Pick<Report, 'run'>): string;
}

const names = ['run', 'date'] as const;
/** What leads to the last run, and to the last whole one. */
const latest = 'latest';
export const lastWhole = 'last-whole';

function checkPlaceholders(pattern: string): void {
  for (const [whole, name = ''] of pattern.matchAll(/\{([^{}]*)\}?|\}/g)) {
    if (whole.endsWith('}') && names.some((one) => one === name)) continue;
    throw new UsageError(
      `--out knows no placeholder ${whole}${didYouMean(
        whole,
        names.map((one) => `{${one}}`),
      )} There are {run} and {date}.`,
    );
  }
}

/** @throws UsageError on a report whose run could not have been named by Covenant: it would lead elsewhere. */
function checkRun({ run }: Pick<Report, 'run'>): void {
  if (/^\w[\w-]*$/.test(run.id)) return;
  throw new UsageError(`The run of this report is called ${JSON.stringify(run.id)}, so no folder can be named {run}.`);
}

/**
 * `{run}` is the identifier of the run, `{date}` the day on which it began, in UTC.
 * @throws UsageError on another placeholder.
 */
export function outFolder(pattern: string, folder: string): OutFolder {
  checkPlaceholders(pattern);
  const head = pattern.split('{')[0] ?? '';
  const base = resolve(folder, head === pattern ? pattern : head.replace(/[^/\\]*$/, ''));
  return {
    base,
    of: (report) => {
      if (pattern.includes('{run}')) checkRun(report);
      const { id, started_at } = report.run;
      return resolve(folder, pattern.replaceAll('{run}', id).replaceAll('{date}', started_at.slice(0, 10)));
    },
  };
}

/** Of a pointer that is a file: where it leads. */
async function written(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return /^[^\n]+\n$/.test(text) ? text.trimEnd() : undefined;
}

/** Only what a run put there is ever replaced. */
async function isOurs(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found === undefined || found.isSymbolicLink() || (found.isFile() && (await written(path)) !== undefined);
}

/**
 * Lets the name in `base` lead to the folder: a link, or where the file system has none, a file that names it.
 * Returns where it is; undefined where something else has that name.
 */
export async function pointTo(
  base: string,
  folder: string,
  name: typeof latest | typeof lastWhole = latest,
  link: typeof symlink = symlink,
): Promise<string | undefined> {
  const path = join(base, name);
  if (!(await isOurs(path))) return undefined;
  const target = relative(base, folder);
  const beside = `${path}.${process.pid}.part`;
  try {
    await link(target, beside, 'junction');
    // Windows moves no link onto another one.
    await rename(beside, path).catch(async () => {
      await rm(path, { force: true });
      await rename(beside, path);
    });
  } catch {
    await rm(beside, { force: true });
    await writeWhole(path, `${target.replaceAll('\\', '/')}\n`);
  }
  return path;
}

/** Through a pointer that is a file, as a link leads by itself. */
async function through(folder: string, path: string): Promise<string> {
  const pointer = dirname(path);
  const target = [latest, lastWhole].includes(basename(pointer)) ? await written(resolve(folder, pointer)) : undefined;
  return target === undefined ? path : join(dirname(pointer), target, basename(path));
}

/** Where a file is: at its path, or else in the folder of the last run, or of the last whole one. A path that leads nowhere stays as it is. */
export async function located(folder: string, path: string): Promise<string> {
  const beside = [latest, lastWhole].map((name) => join(dirname(path), name, basename(path)));
  for (const candidate of [path, ...beside]) {
    const found = await through(folder, candidate);
    if (await isThere(folder, found)) return found;
  }
  return path;
}

const utf8 = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

async function read<T>(folder: string, path: string, decoded: (bytes: Uint8Array) => T): Promise<T> {
  try {
    return decoded(await readFile(resolve(folder, await located(folder, path))));
  } catch (error) {
    throw new UsageError(unreadable(path, error));
  }
}

/** @throws UsageError where the file cannot be read as UTF-8 text. */
export const namedFile = (folder: string, path: string): Promise<string> => read(folder, path, utf8);

/** @throws UsageError where the file cannot be read. */
export const namedBytes = (folder: string, path: string): Promise<Uint8Array> => read(folder, path, (bytes) => bytes);

export const isThere = (folder: string, path: string): Promise<boolean> =>
  access(resolve(folder, path)).then(
    () => true,
    () => false,
  );

/** @throws UsageError where the file is there and cannot be read as UTF-8 text. */
export async function envText(folder: string): Promise<string | undefined> {
  const path = join(folder, '.env');
  try {
    return utf8(await readFile(path));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder; remove it or put a file in its place.`);
    throw new UsageError(unreadable(path, error));
  }
}

/**
 * Writes these texts by the names of their files, and says where they are.
 * @throws UsageError where the folder cannot be written to.
 */
export async function writeAll(
  folder: string,
  texts: Readonly<Record<string, string>>,
  console: GuardedConsole,
): Promise<void> {
  await prepareFolder(folder, Object.keys(texts));
  for (const [name, text] of Object.entries(texts)) {
    await writeWhole(join(folder, name), console.redact(text));
    console.stdout(`Written: ${join(folder, name)}\n`);
  }
}
