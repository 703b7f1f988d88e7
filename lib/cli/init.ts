// `covenant init`: writes what a project needs to be examined, and overwrites nothing: files of the package, with what the flags say put in.
import { readFileSync } from 'node:fs';
import { access, appendFile, constants, lstat, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { defaultProfile, type ProfileName, profileNames } from '../catalogue/profiles.ts';
import { checkedBaseUrl, chosenProfile } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { defined } from '../runtime/defined.ts';
import { explain, NotWritten } from '../runtime/disk.ts';
import { packageFolder } from '../runtime/version.ts';
import { documentText, violations } from '../schema/schema.ts';
import { callable, type GuardedConsole } from './console.ts';
import { type Finish, productFile } from './options.ts';
import { namedFile } from './out-folder.ts';
import type { Parts } from './parts.ts';

interface InitOptions {
  readonly baseUrl?: string;
  readonly github?: boolean;
  readonly gitlab?: boolean;
  readonly implementation?: string;
  /** Of the product; `--version` is that of Covenant. */
  readonly versionOf?: string;
  readonly vendor?: string;
  readonly contact?: string;
  readonly profile?: string;
}

const flags = {
  implementation: '--implementation',
  version: '--version-of',
  vendor: '--vendor',
  contact: '--contact',
} as const;
type Product = Readonly<Partial<Record<keyof typeof flags, string>>>;
const members = Object.keys(flags) as (keyof typeof flags)[];

/** @throws UsageError where the schema of covenant.product.json does not allow a member. */
function productOf({ implementation, versionOf, vendor, contact }: InitOptions): Product {
  const product: Product = defined({ implementation, version: versionOf, vendor, contact });
  for (const name of members) {
    const whole = Object.fromEntries(members.map((member) => [member, 'something']));
    const [wrong] = violations('product', { ...whole, ...defined({ [name]: product[name] }) });
    if (wrong) throw new UsageError(`${flags[name]} ${JSON.stringify(product[name])} should be ${wrong.expected}.`);
  }
  return product;
}

interface NewFile {
  /** Relative to the working directory, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly mode?: number;
}

/** On every system with the line ends of ours. */
const packaged = (path: string): string => readFileSync(new URL(path, packageFolder), 'utf8').replaceAll('\r\n', '\n');

/** The example's own heading says how to copy it, which is done here. */
const env = (baseUrl: string): string =>
  packaged('.env.example')
    .replace(/^(?:#.*\n)+/, '# What stays empty counts as not set. Only the first two are needed.\n')
    .replace(
      /^COVENANT_BASE_URL=$/m,
      () => `COVENANT_BASE_URL=${/[\s#'"`]/.test(baseUrl) ? JSON.stringify(baseUrl) : baseUrl}`,
    );

/** A text in double quotes means the same in YAML as in JSON. */
const workflow = (path: string, from: string, baseUrl: string): NewFile => ({
  path,
  text: packaged(from).replace(/(?<=COVENANT_BASE_URL: )""/, () => JSON.stringify(baseUrl)),
});

/** Absent where something of the product is not known, which a certificate needs, and nothing is declared, which a run needs. */
function productFiles(product: Product, profile: ProfileName): readonly NewFile[] {
  if (profile === defaultProfile && members.some((name) => product[name] === undefined)) return [];
  const declared = profile === defaultProfile ? {} : { profile };
  return [{ path: productFile, text: documentText('product', { ...product, ...declared }) }];
}

/** Everything but the lines of .gitignore. */
export function newFiles(
  { github, gitlab, ...options }: InitOptions,
  product: Product,
  profile: ProfileName,
): NewFile[] {
  const { baseUrl: given } = options;
  const baseUrl = given === undefined ? '' : checkedBaseUrl({ value: given, where: '--base-url' }).url;
  return [
    { path: '.env', text: env(baseUrl), mode: 0o600 },
    ...(github || !gitlab ? [workflow('.github/workflows/conformance.yml', 'ci/github.yml', baseUrl)] : []),
    ...(gitlab ? [workflow('.gitlab-ci.yml', 'ci/gitlab.yml', baseUrl)] : []),
    ...productFiles(product, profile),
  ];
}

const ignored = ['.env', 'reports/', 'covenant-key.pem'] as const;

/** What has to be appended to a .gitignore so that it names credentials, reports and private keys; empty where it does. */
function ignoreLines(before: string): string {
  const bare = (line: string): string => line.trim().replace(/^\/|\/$/g, '');
  const there = new Set(before.split(/\r?\n/).map(bare));
  const missing = ignored.filter((line) => !there.has(bare(line)));
  if (missing.length === 0) return '';
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  const gap = before === '' || before.endsWith('\n') ? '' : end;
  return gap + missing.map((line) => line + end).join('');
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

/** @throws UsageError where it cannot be read or written. */
async function missingIgnores(folder: string): Promise<string> {
  const there = await taken(join(folder, '.gitignore'));
  const lines = ignoreLines(there ? await namedFile(folder, '.gitignore') : '');
  if (lines !== '')
    await access(join(folder, there ? '.gitignore' : '.'), constants.W_OK).catch((error: unknown) => {
      throw new UsageError(`.gitignore cannot be written: ${explain(error)}; nothing was written.`);
    });
  return lines;
}

/** What is there already and what is missing, a sentence each. */
function notes(left: readonly string[], product: Product, profile: ProfileName): readonly string[] {
  const missing = members.filter((name) => product[name] === undefined);
  const stays = left.includes(productFile);
  return [
    ...left.map((path) => `${path} is there already and stays as it is.`),
    ...(stays && profile !== defaultProfile ? [`Put "profile": ${JSON.stringify(profile)} into ${productFile}.`] : []),
    ...(stays || missing.length === 0
      ? []
      : [
          `No ${profile === defaultProfile ? '' : 'whole '}${productFile}, which a certificate needs: ${missing.join(', ')} not given.`,
        ]),
  ];
}

/** @throws UsageError on a flag that cannot be used, or a folder that cannot be written; then nothing is written. */
async function init(options: InitOptions, console: GuardedConsole): Promise<number> {
  const { folder } = console;
  const product = productOf(options);
  const profile = chosenProfile(options.profile);
  const files: NewFile[] = [];
  const left: string[] = [];
  for (const file of newFiles(options, product, profile)) {
    if (await taken(join(folder, file.path))) left.push(file.path);
    else files.push(file);
  }
  const lines = await missingIgnores(folder);
  for (const { path } of files) await checkPlace(folder, path);
  // Never over what somebody has put there in the meantime.
  for (const { path, text, mode } of files) {
    try {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text, { flag: 'wx', ...defined({ mode }) });
    } catch (error) {
      throw new NotWritten(path, error);
    }
    console.stdout(`Written: ${path}${mode === undefined ? '' : ' (only you may read it)'}\n`);
  }
  if (lines !== '') {
    await appendFile(join(folder, '.gitignore'), lines);
    console.stdout(`Appended to .gitignore: ${lines.trim().split(/\r?\n/).join(', ')}\n`);
  }
  for (const note of notes(left, product, profile)) console.stdout(`${note}\n`);
  const next = 'Next: put the credentials into .env, then covenant doctor.';
  const nothing = files.length === 0 && lines === '';
  console.stdout(callable(`${nothing ? 'Nothing was written.' : next}\n`, console));
  return exitCodes.conformant;
}

export function addInit(program: Command, console: GuardedConsole, _: Parts, finish: Finish): void {
  program
    .command('init')
    .description('write .env, a CI workflow and covenant.product.json; overwrites nothing')
    .option('--base-url <url>', 'the target, without /api/external/v2')
    .option('--github', 'a workflow for GitHub; the default')
    .option('--gitlab', 'a pipeline for GitLab')
    .option('--implementation <name>', 'the name of the product, for a certificate')
    .option('--version-of <version>', 'its version')
    .option('--vendor <name>', 'who offers it')
    .option('--contact <address>', 'an address to write to')
    .option('--profile <name>', `what the product offers: ${profileNames.join(' or ')}`)
    .action((options: InitOptions) => finish(init(options, console)));
}
