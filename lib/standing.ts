// The look that every run begins with: does the target answer at all, whose credentials are these, which limits hold.

import type { RateClass } from './catalogue/operations.ts';
import { Client, clientPool, type Line } from './client/client.ts';
import { anonymous, type Credential } from './client/credential.ts';
import { Inconclusive } from './client/errors.ts';
import { readLimits } from './client/limits.ts';
import { defaultLimits } from './client/pacing.ts';
import { at, dataOf, type Reply, walk } from './client/reply.ts';
import { type CredentialName, credentialNames } from './configuration/settings.ts';
import type { Secrets } from './secrets/secrets.ts';

/** Nothing can be judged; the message says why and what to do. */
export class Aborted extends Error {
  override readonly name = 'Aborted';
}

/** What POST /auth/validate-api-key tells of a key; members are absent where it does not. */
export interface Validation {
  readonly valid: boolean;
  readonly user?: string;
  readonly account?: string;
  readonly scopes?: readonly string[];
}

/** What is known of one configured credential. */
export interface Standing {
  readonly credential: Credential;
  readonly me?: Reply;
  readonly validation?: Validation;
  /** The reply that tells it. */
  readonly validated?: Reply;
  /** Requests a minute that GET /me or, where it cannot be read, the configuration tells. */
  readonly told: Readonly<Partial<Record<RateClass, number>>>;
}

export type Standings = ReadonlyMap<CredentialName, Standing>;

const owner = 'the look at the start';
const sessions: readonly CredentialName[] = ['COVENANT_JWT', 'COVENANT_JWT_EXPIRED', 'COVENANT_JWT_NO_ACCOUNT'];
const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

export function validationOf(reply: Reply): Validation | undefined {
  const data = dataOf(reply);
  const valid = at(data, 'valid');
  if (typeof valid !== 'boolean') return undefined;
  const user = text(at(data, 'user_id'));
  const account = text(at(data, 'account_id'));
  const scopes = at(data, 'scopes');
  return {
    valid,
    ...(user === undefined ? {} : { user }),
    ...(account === undefined ? {} : { account }),
    ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
  };
}

/** Throws `Aborted` where no run makes sense: unreachable, another service, a redirect, or the primary key refused. */
async function checkTarget(line: Line, primary: Credential): Promise<Reply> {
  const api = new Client(line, primary, owner);
  const { baseUrl } = line.target;
  const reply = await api.send('GET /me').catch((error: unknown) => {
    if (error instanceof Inconclusive)
      throw new Aborted(
        `${baseUrl} does not answer: ${error.message}. Check COVENANT_BASE_URL and that the target runs.`,
      );
    throw error;
  });
  if (reply.status >= 300 && reply.status < 400) {
    const to = reply.headers.location ?? 'another address';
    throw new Aborted(
      `${baseUrl} redirects to ${to}; credentials are not sent on to another address. Set COVENANT_BASE_URL to where the target really is.`,
    );
  }
  if (reply.json === undefined || reply.status === 404) {
    const health = await api.as(anonymous).send('GET /health');
    const foreign = reply.json === undefined ? health.json === undefined : health.status === 404;
    const kind = reply.headers['content-type'] ?? 'no content type';
    if (foreign)
      throw new Aborted(
        `${reply.request.url} answers ${reply.status} (${kind}) and not as the interface does. Check the host and path of COVENANT_BASE_URL.`,
      );
  }
  if (reply.status === 401 && (await api.send('GET /companies', { query: { limit: 1 } })).status === 401) {
    throw new Aborted(
      `the target refuses COVENANT_API_KEY with 401. Check that the key is whole, not revoked, and made for ${baseUrl}.`,
    );
  }
  return reply;
}

const validate = (line: Line, credential: Credential): Promise<Reply> =>
  new Client(line, anonymous, owner).send('POST /auth/validate-api-key', { body: { api_key: credential.token } });

/** Trouble with one credential is no reason to end the run: whatever rests on it will say so. */
const quietly = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  });

/** A session may act on the primary account if that account's identifier stands among what it is told; then its requests count there too. */
function poolsOf(given: Credential, me: Reply | undefined, primaryAccount: string | undefined): readonly string[] {
  const told = walk(me === undefined ? undefined : dataOf(me)).map(({ value }) => text(value));
  const apart = primaryAccount !== undefined && me?.status === 200 && !told.includes(primaryAccount);
  return apart ? [given.name] : given.accounts;
}

/** `known`: the pool that stands for each account, the primary's first. */
async function lookAt(line: Line, given: Credential, known: Map<string, string>, me?: Reply): Promise<Standing> {
  const validated = given.kind === 'key' ? await quietly(validate(line, given)) : undefined;
  const validation = validated && validationOf(validated);
  const account = validation?.account;
  if (account !== undefined && !known.has(account)) known.set(account, given.name);
  const pool = account === undefined ? undefined : known.get(account);
  // A request whose account is not known is counted against the primary account too.
  const asker = pool === undefined ? given : { ...given, accounts: [pool] };
  const expired = given.name === 'COVENANT_JWT_EXPIRED';
  const seen = me ?? (expired ? undefined : await quietly(new Client(line, asker, owner).send('GET /me')));
  const told = seen?.status === 200 ? readLimits(at(dataOf(seen), 'platform', 'rate_limits')) : {};
  const [primaryAccount] = known.keys();
  const accounts = given.kind === 'session' ? poolsOf(given, seen, primaryAccount) : asker.accounts;
  return {
    credential: { ...given, accounts },
    told,
    ...(seen ? { me: seen } : {}),
    ...(validated ? { validated } : {}),
    ...(validation ? { validation } : {}),
  };
}

/** Paces every account by what GET /me tells of it; the configuration beats it for the account that is exhausted. */
function pace({ pacing, target }: Line, standings: Standings): void {
  const exhausted = standings.get('COVENANT_RATE_API_KEY') ?? standings.get('COVENANT_API_KEY');
  for (const { credential, told } of standings.values()) {
    const configured = credential.accounts[0] === exhausted?.credential.accounts[0] ? target.limits : {};
    for (const rate of ['read', 'write'] as const) {
      const limit = configured[rate] ?? told[rate];
      if (limit !== undefined && credential.accounts[0]) pacing.setLimit(credential.accounts[0], rate, limit);
    }
  }
  const validates = [...standings.values()].flatMap(({ told }) => told.validate ?? []);
  pacing.setLimit(
    clientPool,
    'validate',
    target.limits.validate ?? Math.min(...validates, ...(validates.length ? [] : [defaultLimits.validate])),
  );
}

/** Looks at each configured credential once; rejects with `Aborted` where nothing can be judged. */
export async function look(line: Line, secrets: Secrets): Promise<Standings> {
  const { credentials } = line.target;
  const given = credentialNames.flatMap((name): Credential[] => {
    const token = credentials[name];
    if (token === undefined) return [];
    secrets.add(name, token);
    const kind = sessions.includes(name) ? 'session' : 'key';
    return [{ name, kind, token, accounts: [...new Set([name, 'COVENANT_API_KEY'])] }];
  });
  const [primary, ...others] = given;
  if (primary?.name !== 'COVENANT_API_KEY') throw new Aborted('COVENANT_API_KEY is not set');
  const me = await checkTarget(line, primary);
  const known = new Map<string, string>();
  const standings = new Map<CredentialName, Standing>();
  standings.set('COVENANT_API_KEY', await lookAt(line, primary, known, me));
  for (const one of others) standings.set(one.name as CredentialName, await lookAt(line, one, known));
  pace(line, standings);
  return standings;
}
