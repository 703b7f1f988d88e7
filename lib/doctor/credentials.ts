// What the doctor finds out about each credential: set or not, accepted or not, and of the right kind, by reads alone.
import type { ProfileName } from '../catalogue/profiles.ts';
import { Client, type Connection } from '../client/client.ts';
import type { Credential } from '../client/credential.ts';
import { Inconclusive } from '../client/errors.ts';
import { itemsOf, type Reply } from '../client/reply.ts';
import { type CredentialName, credentialNames, existsIn } from '../configuration/settings.ts';
import { meaningOf, unlockedBy } from '../configuration/variables.ts';
import type { CredentialStatuses } from '../fixtures/probe.ts';
import { slugsIn } from '../fixtures/slugs.ts';
import { type UnfitCredential, unfitCredentials } from '../fixtures/unfit-credentials.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Check } from './target.ts';

interface Probe {
  readonly connection: Connection;
  readonly statuses: CredentialStatuses;
}

const owner = 'the doctor';
type Asked = Parameters<Client['send']>;

/** A read on behalf of a credential that is set; undefined where no reply came. */
async function ask({ connection, statuses }: Probe, name: CredentialName, ...asked: Asked): Promise<Reply | undefined> {
  const credential = statuses.get(name)?.credential;
  if (credential === undefined) return undefined;
  return new Client(connection, credential, owner).send(...asked).catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  });
}

const wrong = (name: CredentialName, what: string): UnfitCredential => ({ name, reason: `${name} ${what}` });

async function restricted(probe: Probe): Promise<UnfitCredential | undefined> {
  const name = 'COVENANT_API_KEY_RESTRICTED';
  const companies = await ask(probe, name, 'GET /companies', { query: { limit: 1 } });
  return companies?.status === 200 && itemsOf(companies).length === 0 ? wrong(name, 'sees no company') : undefined;
}

async function session(probe: Probe): Promise<UnfitCredential | undefined> {
  const name = 'COVENANT_JWT';
  const accounts = await ask(probe, name, 'GET /me/accounts');
  const slugs = accounts?.status === 200 ? slugsIn(accounts).map(({ slug }) => slug) : [];
  if (slugs.length < 2) return wrong(name, 'belongs to a user with fewer than two memberships in GET /me/accounts');
  for (const account of slugs.slice(0, 2)) {
    for (const operation of ['GET /me/team-accounts', 'GET /billing/summary'] as const) {
      const reply = await ask(probe, name, operation, { account });
      if (reply?.status === 403) return wrong(name, `may not ${operation} on the account ${account}`);
    }
  }
  const foreign = probe.connection.target.foreignSlug;
  return foreign !== undefined && slugs.includes(foreign)
    ? wrong(name, 'is of a member of COVENANT_FOREIGN_SLUG, which must be an account of other people')
    : undefined;
}

async function accountless(probe: Probe): Promise<UnfitCredential | undefined> {
  const name = 'COVENANT_JWT_NO_ACCOUNT';
  const team = await ask(probe, name, 'GET /me/team-accounts');
  return team?.status === 200 ? wrong(name, 'has an active account: GET /me/team-accounts answers 200') : undefined;
}

/** Without it the primary account is exhausted, last. */
const replaceable: CredentialName = 'COVENANT_RATE_API_KEY';

function unset(name: CredentialName | 'COVENANT_FOREIGN_SLUG', profile: ProfileName | undefined): Check {
  // The slug is for what a session must not reach.
  if (!existsIn(name === 'COVENANT_FOREIGN_SLUG' ? 'COVENANT_JWT' : name, profile))
    return { what: name, state: 'fine', says: `Not needed in the ${profile} profile.` };
  if (name === replaceable) {
    return {
      what: name,
      state: 'fine',
      says: 'Not set; the limits of the primary account are exceeded instead, last.',
    };
  }
  const unlocks = unlockedBy(name);
  return {
    what: name,
    state: 'missing',
    says: `Not set${unlocks === undefined ? '' : `, so not tested: ${unlocks}`}.`,
    remedy: `Set it to: ${meaningOf(name)}.`,
  };
}

function checkOf(
  name: CredentialName,
  statuses: CredentialStatuses,
  short: readonly UnfitCredential[],
  profile: ProfileName | undefined,
): Check {
  if (!statuses.has(name)) return unset(name, profile);
  const found = short.find((one) => one.name === name);
  if (found === undefined) return { what: name, state: 'fine', says: 'Accepted, and what it should be.' };
  return { what: name, state: 'wrong', says: `${found.reason}.`, remedy: `It should be: ${meaningOf(name)}.` };
}

const slugCheck = ({ target }: Connection, profile: ProfileName | undefined): Check =>
  target.foreignSlug === undefined
    ? unset('COVENANT_FOREIGN_SLUG', profile)
    : { what: 'COVENANT_FOREIGN_SLUG', state: 'fine', says: 'Set; whether it exists shows when a run asks for it.' };

/** One check a credential, and one for the foreign slug. */
export async function credentialChecks(
  connection: Connection,
  statuses: CredentialStatuses,
  profile?: ProfileName,
): Promise<readonly Check[]> {
  const probe: Probe = { connection, statuses };
  const primary = statuses.get('COVENANT_API_KEY');
  if (primary === undefined) throw new Error('no credential status for the primary key');
  const api = new Client(connection, primary.credential, owner);
  const short = [
    ...(await unfitCredentials({ statuses, target: connection.target, api, now: connection.clock.now() })),
  ];
  for (const [name, closer] of closerLooks) {
    const found = statuses.has(name) && !short.some((one) => one.name === name) ? await closer(probe) : undefined;
    if (found) short.push(found);
  }
  return [...credentialNames.map((name) => checkOf(name, statuses, short, profile)), slugCheck(connection, profile)];
}

/** What can be said of a credential where the primary key is refused: whether the target accepts it at all. */
async function acceptance(connection: Connection, name: CredentialName, profile?: ProfileName): Promise<Check> {
  const token = connection.target.credentials[name];
  if (token === undefined) return unset(name, profile);
  const credential: Credential = { name, kind: 'invalid', token, accounts: [name] };
  const reply = await new Client(connection, credential, owner).send('GET /me').catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  });
  const remedy = `It should be: ${meaningOf(name)}.`;
  if (reply === undefined) return { what: name, state: 'open', says: 'GET /me got no reply with it.' };
  const expired = name === 'COVENANT_JWT_EXPIRED';
  if ((reply.status === 401) === expired) {
    const says = `GET /me answers ${reply.status} to it, as it should; the rest shows when COVENANT_API_KEY is accepted.`;
    return { what: name, state: 'open', says };
  }
  return { what: name, state: 'wrong', says: `GET /me answers ${reply.status} to it.`, remedy };
}

/** One check for every credential but the primary key, which is refused, and one for the foreign slug. */
export async function acceptanceChecks(
  connection: Connection,
  secrets: Secrets,
  profile?: ProfileName,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const name of credentialNames.filter((one) => one !== 'COVENANT_API_KEY')) {
    secrets.add(name, connection.target.credentials[name] ?? '');
    checks.push(await acceptance(connection, name, profile));
  }
  return [...checks, slugCheck(connection, profile)];
}

const closerLooks = [
  ['COVENANT_API_KEY_RESTRICTED', restricted],
  ['COVENANT_JWT', session],
  ['COVENANT_JWT_NO_ACCOUNT', accountless],
] as const satisfies readonly (readonly [CredentialName, (probe: Probe) => Promise<UnfitCredential | undefined>])[];
