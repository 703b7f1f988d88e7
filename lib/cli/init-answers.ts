// What `covenant init` asks, and what it writes: texts, from the files of the package and what the person answered.

import { readFileSync } from 'node:fs';
import { defaultProfile, type ProfileName, profileNames } from '../catalogue/profiles.ts';
import { checkedBaseUrl, checkedProfile, chosenProfile, oneOf } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import { defined } from '../runtime/defined.ts';
import { packageFolder } from '../runtime/version.ts';
import { documentText, violations } from '../schema/schema.ts';
import type { GuardedConsole } from './console.ts';
import { productFile } from './options.ts';

export interface InitOptions {
  readonly baseUrl?: string;
  readonly github?: boolean;
  readonly gitlab?: boolean;
  readonly implementation?: string;
  /** Of the product; `--version` is that of Covenant. */
  readonly versionOf?: string;
  readonly vendor?: string;
  readonly contact?: string;
  readonly profile?: string;
  readonly yes?: boolean;
}

export type Ask = NonNullable<GuardedConsole['ask']>;

/** The person closed the terminal's input in the middle. */
export class Unanswered extends Error {}

const checkedUrl = (value: string, where: string): string => checkedBaseUrl({ value, where }).url;

const flags: Readonly<Record<ProductMember, string>> = {
  implementation: '--implementation',
  version: '--version-of',
  vendor: '--vendor',
  contact: '--contact',
};

/** @throws UsageError where the schema of covenant.product.json does not allow it. */
function checkedMember(name: ProductMember, value: string): string {
  const whole = Object.fromEntries(productMembers.map((member) => [member, member === name ? value : 'something']));
  const [wrong] = violations('product', whole);
  if (wrong) throw new UsageError(`${flags[name]} ${JSON.stringify(value)} should be ${wrong.expected}.`);
  return value;
}

function checkedServices(text: string): readonly Service[] {
  const name = oneOf(text, [...services, 'both', 'none'], 'CI service');
  return services.filter((service) => name === service || name === 'both');
}

/** Asks until the answer can be used; an empty one is the default, as where nobody can be asked. */
async function asked<T>(
  question: string,
  checked: (answer: string) => T,
  ask: Ask | undefined,
  console: GuardedConsole,
): Promise<T> {
  if (ask === undefined) return checked('');
  for (;;) {
    const answer = await ask(question);
    if (answer === undefined) throw new Unanswered();
    try {
      return checked(answer.trim());
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      console.stderr(`${error.message}\n`);
    }
  }
}

const questions: Readonly<Record<ProductMember, string>> = {
  implementation: 'Name of the product, for a certificate (empty: later): ',
  version: 'Its version: ',
  vendor: 'Who offers it: ',
  contact: 'An address to write to: ',
};

async function askedProduct(
  given: Answers['product'],
  ask: Ask | undefined,
  console: GuardedConsole,
): Promise<Answers['product']> {
  const product: Partial<Record<ProductMember, string>> = { ...given };
  for (const name of productMembers) {
    if (product[name] !== undefined) continue;
    const checked = (answer: string): string =>
      answer === '' && (name === 'implementation' || ask === undefined) ? '' : checkedMember(name, answer);
    const answer = await asked(questions[name], checked, ask, console);
    if (answer === '') return given;
    product[name] = answer;
  }
  return product;
}

const flagged = ({ github, gitlab }: InitOptions): readonly Service[] | undefined =>
  github || gitlab ? services.filter((service) => (service === 'github' ? github : gitlab)) : undefined;

/**
 * From the flags; where `ask` is given, the rest from the person.
 * @throws UsageError where a flag cannot be used. @throws Unanswered where the person leaves.
 */
export async function answersFrom(
  options: InitOptions,
  console: GuardedConsole,
  ask: Ask | undefined,
): Promise<Answers> {
  const { implementation, versionOf: version, vendor, contact } = options;
  const baseUrl = options.baseUrl === undefined ? undefined : checkedUrl(options.baseUrl, '--base-url');
  const product: Answers['product'] = defined({ implementation, version, vendor, contact });
  for (const name of productMembers) {
    const value = product[name];
    if (value !== undefined) checkedMember(name, value);
  }
  const profile = options.profile === undefined ? undefined : chosenProfile(options.profile);
  const where = 'your answer';
  const answer = async <T>(given: T | undefined, question: string, checked: (text: string) => T): Promise<T> =>
    given ?? asked(`${question}: `, checked, ask, console);
  return {
    baseUrl: await answer(baseUrl, 'Base URL of your server (empty: the bundled implementation)', (text) =>
      text === '' ? '' : checkedUrl(text, where),
    ),
    services: await answer(flagged(options), 'CI service: github, gitlab, both or none (empty: github)', (text) =>
      checkedServices(text || 'github'),
    ),
    profile: await answer(
      profile,
      `What it offers: ${profileNames.join(' or ')}, which has no sessions (empty: ${defaultProfile})`,
      (value) => checkedProfile({ value: value || defaultProfile, where }),
    ),
    product: await askedProduct(product, ask, console),
  };
}

const services = ['github', 'gitlab'] as const;
type Service = (typeof services)[number];

export const productMembers = ['implementation', 'version', 'vendor', 'contact'] as const;
type ProductMember = (typeof productMembers)[number];

export interface Answers {
  /** Empty: the bundled implementation. */
  readonly baseUrl: string;
  readonly services: readonly Service[];
  readonly profile: ProfileName;
  readonly product: Readonly<Partial<Record<ProductMember, string>>>;
}

export interface NewFile {
  /** Relative to the working directory, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly mode?: number;
}

const workflows: Readonly<Record<Service, { readonly from: string; readonly path: string }>> = {
  github: { from: 'ci/github.yml', path: '.github/workflows/conformance.yml' },
  gitlab: { from: 'ci/gitlab.yml', path: '.gitlab-ci.yml' },
};

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
const workflow = (service: Service, baseUrl: string): NewFile => ({
  path: workflows[service].path,
  text: packaged(workflows[service].from).replace(/(?<=COVENANT_BASE_URL: )""/, () => JSON.stringify(baseUrl)),
});

/** Absent where something of the product is not known, which a certificate needs, and nothing is declared, which a run needs. */
function product({ product: known, profile }: Answers): readonly NewFile[] {
  const declared = profile === defaultProfile ? {} : { profile };
  if (profile === defaultProfile && productMembers.some((name) => known[name] === undefined)) return [];
  return [{ path: productFile, text: documentText('product', { ...known, ...declared }) }];
}

/** Everything but the lines of .gitignore. */
export const newFiles = (answers: Answers): readonly NewFile[] => [
  { path: '.env', text: env(answers.baseUrl), mode: 0o600 },
  ...answers.services.map((service) => workflow(service, answers.baseUrl)),
  ...product(answers),
];

const ignored = ['.env', 'reports/', 'covenant-key.pem'] as const;

/** What has to be appended to a .gitignore so that it names credentials, reports and private keys; empty where it does. */
export function ignoreLines(before: string): string {
  const bare = (line: string): string => line.trim().replace(/^\/|\/$/g, '');
  const there = new Set(before.split(/\r?\n/).map(bare));
  const missing = ignored.filter((line) => !there.has(bare(line)));
  if (missing.length === 0) return '';
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  const gap = before === '' || before.endsWith('\n') ? '' : end;
  return gap + missing.map((line) => line + end).join('');
}
