// `covenant init`: writes what a project needs to be examined, shows it before, and overwrites nothing.
import { constants } from 'node:fs';
import { access, appendFile, lstat, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { defaultProfile, profileNames } from '../catalogue/profiles.ts';
import { UsageError } from '../configuration/settings.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { defined } from '../runtime/defined.ts';
import { codeOf, explain } from '../runtime/disk.ts';
import { callable } from './command-lines.ts';
import type { GuardedConsole } from './console.ts';
import {
  type Answers,
  type Ask,
  answersFrom,
  type InitOptions,
  ignoreLines,
  type NewFile,
  newFiles,
  productMembers,
  Unanswered,
} from './init-answers.ts';
import { type Finish, productFile } from './options.ts';
import { namedFile } from './out-folder.ts';
import type { Parts } from './parts.ts';

interface Planned {
  readonly files: readonly NewFile[];
  /** What is there already, whatever is in it. */
  readonly left: readonly string[];
  /** To be appended to .gitignore. */
  readonly lines: string;
}

/** The disk, or somebody else, came between the look and the writing: what is shown before this file is written. */
class Interfered extends Error {
  constructor(path: string, error: unknown) {
    super(
      `${path} could not be written: ${codeOf(error) === 'EEXIST' ? 'it was made in the meantime' : explain(error)}; try again.`,
    );
  }
}

/** Also where it is a link that leads nowhere: such a name is taken, too. */
const taken = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );

/** @throws UsageError where a file could not be made there; so either all are written or none. */
async function checkPlace(folder: string, path: string): Promise<void> {
  let parent = dirname(join(folder, path));
  while (!(await taken(parent)) && dirname(parent) !== parent) parent = dirname(parent);
  try {
    if (!(await stat(parent)).isDirectory()) throw Object.assign(new Error(parent), { code: 'ENOTDIR' });
    await access(parent, constants.W_OK);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${explain(error)} (${parent}); nothing was written.`);
  }
}

async function planned(answers: Answers, { folder }: GuardedConsole): Promise<Planned> {
  const files: NewFile[] = [];
  const left: string[] = [];
  for (const file of newFiles(answers)) {
    if (await taken(join(folder, file.path))) left.push(file.path);
    else files.push(file);
  }
  const there = await taken(join(folder, '.gitignore'));
  const lines = ignoreLines(there ? await namedFile(folder, '.gitignore') : '');
  for (const { path } of files) await checkPlace(folder, path);
  if (lines !== '')
    await access(join(folder, there ? '.gitignore' : '.'), constants.W_OK).catch((error: unknown) => {
      throw new UsageError(`.gitignore cannot be written: ${explain(error)}; nothing was written.`);
    });
  return { files, left, lines };
}

const indented = (text: string): string =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');

function shown({ files, left, lines }: Planned, { product, profile }: Answers): string {
  const parts = files.map(
    ({ path, text, mode }) => `${path}${mode === undefined ? '' : ' (only you may read it)'}\n${indented(text)}\n`,
  );
  if (lines !== '') parts.push(`.gitignore, appended\n${indented(lines.trimStart())}\n`);
  for (const path of left) parts.push(`${path} is there already and stays as it is.\n`);
  if (profile !== defaultProfile && left.includes(productFile))
    parts.push(`Put "profile": ${JSON.stringify(profile)} into ${productFile}.\n`);
  const missing = productMembers.filter((name) => product[name] === undefined);
  if (missing.length > 0 && !left.includes(productFile)) {
    const what = files.some(({ path }) => path === productFile) ? `No whole ${productFile}` : `No ${productFile}`;
    parts.push(`${what}, which a certificate needs: ${missing.join(', ')} not given.\n`);
  }
  return `${parts.join('\n')}\n`;
}

/** Never over what somebody has put there in the meantime. */
async function write({ files, lines }: Planned, { folder }: GuardedConsole): Promise<void> {
  let current = '';
  try {
    for (const { path, text, mode } of files) {
      current = path;
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text, { flag: 'wx', ...defined({ mode }) });
    }
    current = '.gitignore';
    if (lines !== '') await appendFile(join(folder, current), lines);
  } catch (error) {
    throw new Interfered(current, error);
  }
}

async function confirmed(ask: Ask | undefined): Promise<boolean> {
  if (ask === undefined) return true;
  const answer = await ask('Write this? (Y/n) ');
  if (answer === undefined) throw new Unanswered();
  return !/^\s*n/i.test(answer);
}

/** @throws UsageError on a flag that cannot be used, or a folder that cannot be written; then nothing is written. */
async function init(options: InitOptions, console: GuardedConsole): Promise<number> {
  const ask = options.yes ? undefined : console.ask;
  if (ask === undefined && !options.yes) {
    throw new UsageError('There is no terminal to ask on; give --yes, and the flags that covenant init --help names.');
  }
  try {
    const answers = await answersFrom(options, console, ask);
    const plan = await planned(answers, console);
    console.stdout(shown(plan, answers));
    const nothing = plan.files.length === 0 && plan.lines === '';
    if (nothing || !(await confirmed(ask))) {
      console.stdout('Nothing was written.\n');
      return exitCodes.conformant;
    }
    await write(plan, console);
    console.stdout(callable('Written. Next: put the credentials into .env, then covenant doctor.\n', console));
    return exitCodes.conformant;
  } catch (error) {
    if (error instanceof Interfered) {
      console.stderr(`covenant: ${error.message}\n`);
      return exitCodes.couldNotJudge;
    }
    if (!(error instanceof Unanswered)) throw error;
    console.stderr('covenant: stopped before anything was written.\n');
    return exitCodes.interrupted;
  }
}

export function addInit(program: Command, console: GuardedConsole, _: Parts, finish: Finish): void {
  program
    .command('init')
    .description('write .env, a CI workflow and covenant.product.json; asks on a terminal, and overwrites nothing')
    .option('--base-url <url>', 'the target, without /api/external/v2')
    .option('--github', 'a workflow for GitHub; the default')
    .option('--gitlab', 'a pipeline for GitLab')
    .option('--implementation <name>', 'the name of the product, for a certificate')
    .option('--version-of <version>', 'its version')
    .option('--vendor <name>', 'who offers it')
    .option('--contact <address>', 'an address to write to')
    .option('--profile <name>', `what the product offers: ${profileNames.join(' or ')}`)
    .option('--yes', 'ask nothing; what no flag says stays empty')
    .action((options: InitOptions) => finish(init(options, console)));
}
