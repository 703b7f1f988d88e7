// Where a setting comes from: flags, environment, .env, in this order; keys and tokens are checked before anything is sent.
import { parse } from 'dotenv';
import { didYouMean } from './checked.ts';
import { type CredentialName, type Credentials, credentialNames, type Found, UsageError } from './settings.ts';
import { isHeaderVariable, variableNames } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a CI service runs this. */
export const isCi = ({ CI = '' }: Environment): boolean => !['', 'false', '0'].includes(CI);

export interface Lookup {
  (name: string): Found | undefined;
  /** All that is set, ours or not. */
  readonly names: readonly string[];
}

/** Reads a file that a setting names, as text. @throws Error with the system's code where it cannot. */
export type ReadFile = (path: string) => string;

function refuseUnknown(name: string, where: string): void {
  if (!name.startsWith('COVENANT_') || isHeaderVariable(name)) return;
  if ((variableNames as readonly string[]).includes(name)) return;
  throw new UsageError(`${name} ${where} is not a variable of Covenant${didYouMean(name, variableNames)}`);
}

/**
 * Looks a variable up; an empty one counts as not set.
 * @throws UsageError where a variable that begins with COVENANT_ is not one of ours: a mistyped credential would leave its checks untested.
 */
export function variableLookup(environment: Environment, file: readonly EnvEntry[], fileName = '.env'): Lookup {
  for (const name of Object.keys(environment)) refuseUnknown(name, 'in the environment');
  for (const entry of file) refuseUnknown(entry.name, `on line ${entry.line} of ${fileName}`);
  const find = (name: string): Found | undefined => {
    const set = environment[name];
    if (set !== undefined && set !== '') return { value: set, where: `the environment variable ${name}` };
    const entry = file.findLast((candidate) => candidate.name === name && candidate.value !== '');
    return entry && { value: entry.value, where: `${name} on line ${entry.line} of ${fileName}` };
  };
  const names = [...new Set([...Object.keys(environment), ...file.map(({ name }) => name)])];
  return Object.assign(find, { names });
}

/** One setting of a `.env` file and the line on which it starts, counted from 1. */
export interface EnvEntry {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

const assignment = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/;
/** What other programs keep in the same file may be written in other ways. */
const ours = /^\s*(?:export\s+)?COVENANT_/;

/** What is wrong with a line of ours, of which `rest` is what follows it; undefined where nothing is. */
function complaint(line: string, rest: readonly string[]): string | undefined {
  const value = assignment.exec(line)?.[2];
  if (value === undefined) return 'is not a setting; write NAME=value, or begin the line with # to make it a comment.';
  const [quote] = /^['"`]/.exec(value) ?? [];
  if (quote && ![value.slice(1), ...rest].some((text) => text.includes(quote)))
    return 'opens a quote that is never closed; close it at the end of the value.';
  return quote === undefined && /\S#/.test(value)
    ? 'has a # inside a value without quotes, which would be cut off there; put the value in quotes.'
    : undefined;
}

/**
 * The settings of a `.env` file in their order.
 * @throws UsageError naming the line that cannot be understood; never its content, which may be a secret.
 */
export function parseEnvFile(text: string, file = '.env'): readonly EnvEntry[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    const wrong = ours.test(line) ? complaint(line, lines.slice(index + 1)) : undefined;
    if (wrong !== undefined) throw new UsageError(`Line ${index + 1} of ${file} ${wrong}`);
  }
  const lineOf = (name: string): number => lines.findLastIndex((line) => assignment.exec(line)?.[1] === name) + 1;
  return Object.entries(parse(lines.join('\n'))).map(([name, value]) => ({ name, value, line: lineOf(name) }));
}

const control = /\p{Cc}/u;

function checkText({ value, where }: Found): void {
  const wrong = (what: string, remedy: string): never => {
    throw new UsageError(`The credential in ${where} ${what}; ${remedy}.`);
  };
  if (/^bearer\s/i.test(value)) wrong('begins with "Bearer"', 'leave that word off, it is added');
  if (/^['"`]|['"`]$/.test(value)) wrong('still has quotes around it', 'remove them');
  if (/^<.*>$/.test(value)) wrong('is a placeholder', 'put the real value in its place');
  if (control.test(value))
    wrong('contains a control character or a line break', 'copy it again, without what came along');
  if (/\s/.test(value)) wrong('contains white space', 'copy it again, without what came along');
  if (!/^[\x21-\x7e]+$/.test(value))
    wrong('contains characters that no header can carry', 'copy it again as plain ASCII');
}

function isObject(part: string | undefined): boolean {
  if (part === undefined || !/^[\w-]+$/.test(part)) return false;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Three parts of base64url of which the first two are JSON objects. */
function isJwt(value: string): boolean {
  const parts = value.split('.');
  return parts.length === 3 && isObject(parts[0]) && isObject(parts[1]) && /^[\w-]+$/.test(parts[2] ?? '');
}

function checkKind(name: CredentialName, { value, where }: Found): void {
  const wantsJwt = name.startsWith('COVENANT_JWT');
  if (wantsJwt && !isJwt(value)) {
    throw new UsageError(
      `The credential in ${where} is not a JWT (three base64url parts joined by dots); copy it again in full.`,
    );
  }
  if (!wantsJwt && isJwt(value)) {
    throw new UsageError(
      `The credential in ${where} is a JWT, but an API key belongs there; JWTs go into COVENANT_JWT.`,
    );
  }
}

/** Roles that only make sense when they are played by different credentials. */
const distinct: readonly (readonly CredentialName[])[] = [
  ['COVENANT_API_KEY', 'COVENANT_API_KEY_RESTRICTED', 'COVENANT_API_KEY_SECONDARY'],
  ['COVENANT_API_KEY_RESTRICTED', 'COVENANT_RATE_API_KEY'],
  ['COVENANT_RATE_API_KEY', 'COVENANT_RATE_API_KEY_SIBLING'],
  ['COVENANT_JWT', 'COVENANT_JWT_EXPIRED', 'COVENANT_JWT_NO_ACCOUNT'],
];

function refuseDuplicates(credentials: Credentials, roles: readonly CredentialName[]): void {
  for (const [index, second] of roles.entries()) {
    const first = roles.slice(0, index).find((role) => credentials[role] === credentials[second]);
    if (first === undefined || credentials[second] === undefined) continue;
    throw new UsageError(
      `${first} and ${second} hold the same credential, but must be different ones; leave the second unset if there is none.`,
    );
  }
}

function refuseSharedRoles(credentials: Credentials): void {
  for (const roles of distinct) refuseDuplicates(credentials, roles);
  if (credentials.COVENANT_RATE_API_KEY === undefined) {
    refuseDuplicates(credentials, ['COVENANT_API_KEY', 'COVENANT_RATE_API_KEY_SIBLING']);
  }
}

/**
 * The credentials that are set, each fit to be sent.
 * @throws UsageError on text that cannot be a credential, and on one credential in two roles that must differ.
 */
export function checkedCredentials(lookup: Lookup): Credentials {
  const found: Partial<Record<CredentialName, string>> = {};
  for (const name of credentialNames) {
    const candidate = lookup(name);
    if (candidate === undefined) continue;
    checkText(candidate);
    checkKind(name, candidate);
    found[name] = candidate.value;
  }
  refuseSharedRoles(found);
  return found;
}
