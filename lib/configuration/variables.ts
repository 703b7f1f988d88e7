// The configuration variables of the contract: what each means, and what a run can test once it is set.

interface Variable {
  /** What to put in, for people. */
  readonly meaning: string;
  /** What cannot be tested without it; absent where nothing depends on it alone. */
  readonly unlocks?: string;
}

const variables = {
  COVENANT_BASE_URL: { meaning: 'the target, without /api/external/v2; may carry a path prefix' },
  COVENANT_API_KEY: {
    meaning:
      'API key of the primary account; its user may create companies, contacts and keys, and has account:read and billing:read',
    unlocks: 'everything that is not listed with another credential',
  },
  COVENANT_API_KEY_RESTRICTED: {
    meaning:
      'API key of another user without account:read and billing:read, who may not create companies or contacts and sees at least one company',
    unlocks: 'refusals with 403: scopes, creation rights, revoking a colleague’s key',
  },
  COVENANT_API_KEY_SECONDARY: {
    meaning: 'full API key of a different user on a different account',
    unlocks: 'separation of accounts: foreign records and keys, budgets of their own',
  },
  COVENANT_JWT: {
    meaning:
      'JWT of a user with at least two active memberships, with account:read and billing:read on both, who may create keys',
    unlocks: 'JWT sessions: switching the active account, X-Active-Account, tampered tokens',
  },
  COVENANT_JWT_EXPIRED: { meaning: 'an expired JWT', unlocks: 'refusal of expired sessions' },
  COVENANT_JWT_NO_ACCOUNT: {
    meaning: 'JWT of a user without a determinable active account, with account:read',
    unlocks: 'the 400 of team accounts without an active account',
  },
  COVENANT_FOREIGN_SLUG: {
    meaning: 'slug of an existing account that the JWT user does not belong to',
    unlocks: 'refusal to switch to an account of other people',
  },
  COVENANT_RATE_API_KEY: {
    meaning:
      'API key of an account that may be exhausted, with billing:read, whose user may create companies; without it the primary account is used, last',
    unlocks: 'rate limits without spending the primary account’s minute',
  },
  COVENANT_RATE_API_KEY_SIBLING: {
    meaning: 'a second API key of the account that is exhausted, preferably of another user',
    unlocks: 'that the keys of two users share the budget of their account',
  },
  COVENANT_LIMIT_READ: {
    meaning: 'reads a minute of the exhausted account, where GET /me does not report it in a form that can be read',
  },
  COVENANT_LIMIT_WRITE: {
    meaning: 'writes a minute of the exhausted account, where GET /me does not report it in a form that can be read',
  },
  COVENANT_LIMIT_VALIDATE: {
    meaning:
      'validations a minute of the exhausted account, where GET /me does not report it in a form that can be read',
  },
  COVENANT_MINUTE_MS: {
    meaning:
      'length of the rate-limit minute in milliseconds, 60000 unless the target is a sandbox; another value rules out a certificate',
  },
  COVENANT_ORIGIN_APP: { meaning: 'value of X-Origin-App, covenant by default' },
  COVENANT_TIMEOUT_MS: { meaning: 'milliseconds that one reply may take, 10000 by default' },
  COVENANT_TLS_CERT: {
    meaning: 'a client certificate, for a target that demands one: the path of a file in PEM, or its text',
  },
  COVENANT_TLS_KEY: { meaning: 'its private key, without a passphrase: the path of a file in PEM, or its text' },
  COVENANT_TLS_CA: {
    meaning: 'an authority to trust besides those that Node trusts: the path of a file in PEM, or its text',
  },
  COVENANT_SIGNING_KEY: {
    meaning: 'Ed25519 private key, PKCS#8 PEM, for covenant run --evidence --sign and covenant sign',
  },
  COVENANT_DEBUG: { meaning: '1 shows the stack trace of an error of our own' },
} as const satisfies Record<`COVENANT_${string}`, Variable>;

export type VariableName = keyof typeof variables;
export const variableNames = Object.keys(variables) as VariableName[];

/** A variable that begins so names a header. */
export const headerPrefix = 'COVENANT_HEADER_';

/** Whether a variable names a header, such as COVENANT_HEADER_X_GATEWAY_KEY. */
export const isHeaderVariable = (name: string): boolean => /^COVENANT_HEADER_[A-Z0-9]+(?:_[A-Z0-9]+)*$/.test(name);

/** Not ours; lower-case spellings count too, and first. */
export type ProxyVariable = 'HTTPS_PROXY' | 'HTTP_PROXY' | 'NO_PROXY';

const table: Readonly<Record<VariableName, Variable>> = variables;
export const meaningOf = (name: VariableName): string => table[name].meaning;
export const unlockedBy = (name: VariableName): string | undefined => table[name].unlocks;

/** The variables that a text names, in the order in which it does. */
export function variablesIn(text: string): VariableName[] {
  const found = text.match(/COVENANT_[A-Z_]*[A-Z]/g) ?? [];
  return [...new Set(found)].filter((name): name is VariableName => name in variables);
}
