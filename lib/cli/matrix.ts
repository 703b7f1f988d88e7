// `covenant matrix`: the reports of several implementations, or of several releases of one, on one page.
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../configuration/settings.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { prepareFolder, writeWhole } from '../report/folder.ts';
import { MatrixBuilder } from '../report/matrix/model.ts';
import { matrixMarkdown, matrixPage } from '../report/matrix/page.ts';
import { readReport } from '../report/read.ts';
import { hostOf } from '../report/wording.ts';
import { documentText } from '../schema/schema.ts';
import type { GuardedConsole } from './console.ts';
import { namedFile } from './named-file.ts';
import type { Finish } from './options.ts';
import type { Parts } from './parts.ts';

interface MatrixOptions {
  readonly out: string;
}

/** By host; where several reports are of one, also by the moment of the run and the number of the report. */
function namesOf(hosts: readonly string[], moments: readonly string[]): readonly string[] {
  const names = hosts.map((host, index) =>
    hosts.filter((one) => one === host).length === 1 ? host : `${host} ${moments[index]?.slice(0, 16) ?? ''}`,
  );
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name} (${index + 1})`));
}

/**
 * Writes the matrix and says the exit code: 0, whatever the verdicts are.
 * @throws UsageError on a file that is not a report.
 */
async function matrix(files: readonly string[], options: MatrixOptions, console: GuardedConsole): Promise<number> {
  if (/[{}]/.test(options.out)) throw new UsageError('A matrix is of several runs, so its --out has no placeholders.');
  const builder = new MatrixBuilder();
  for (const file of files) {
    const report = readReport(await namedFile(console.folder, file), file);
    builder.add(report, hostOf(report));
  }
  const found = builder.build();
  const names = namesOf(
    found.columns.map(({ name }) => name),
    found.columns.map(({ at }) => at),
  );
  const named = { ...found, columns: found.columns.map((column, index) => ({ ...column, name: names[index] ?? '' })) };
  const folder = resolve(console.folder, options.out);
  const texts = {
    'matrix.html': matrixPage(named),
    'matrix.md': matrixMarkdown(named),
    'matrix.json': documentText('matrix', named, 0),
  };
  await prepareFolder(folder, Object.keys(texts));
  for (const [file, text] of Object.entries(texts)) await writeWhole(join(folder, file), console.redact(text));
  console.stdout(
    Object.keys(texts)
      .map((file) => `Written: ${join(folder, file)}\n`)
      .join(''),
  );
  return exitCodes.conformant;
}

export function addMatrix(program: Command, console: GuardedConsole, _: Parts, finish: Finish): void {
  program
    .command('matrix <files...>')
    .description('put the reports of several implementations, or releases, on one page')
    .option('--out <folder>', 'where matrix.html, matrix.md and matrix.json go', 'reports/')
    .action((files: readonly string[], options: MatrixOptions) => finish(matrix(files, options, console)));
}
