// What `covenant init` writes, as texts: from the files of the package and what the person answered.
import { readFileSync } from 'node:fs';
import { defaultProfile, type ProfileName } from '../catalogue/profiles.ts';
import { packageFolder } from '../runtime/version.ts';
import { documentText } from '../schema/document.ts';
import { productFile } from './sources.ts';

export const services = ['github', 'gitlab'] as const;
export type Service = (typeof services)[number];

export const productMembers = ['implementation', 'version', 'vendor', 'contact'] as const;
export type ProductMember = (typeof productMembers)[number];

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
