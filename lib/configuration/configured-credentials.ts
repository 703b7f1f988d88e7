// Checks keys and tokens before anything is sent; no message ever shows a value.
import { type CredentialName, type Credentials, credentialNames, type Found, UsageError } from './settings.ts';
import type { Lookup } from './settings-sources.ts';

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
