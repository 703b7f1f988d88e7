// The doctor's checks of the target and of each credential: set or not, accepted or not, and of the right kind, by
// reads alone.
import { documentedMinuteMs, type RateClass } from '../catalogue/operations.ts';
import type { ProfileName } from '../catalogue/profiles.ts';
import { Client, type Connection } from '../client/client.ts';
import type { Credential } from '../client/credential.ts';
import { Inconclusive } from '../client/errors.ts';
import { itemsOf, type Reply } from '../client/reply.ts';
import { type CredentialName, credentialNames, existsIn, type Target } from '../configuration/settings.ts';
import { meaningOf, unlockedBy } from '../configuration/variables.ts';
import { type UnfitCredential, unfitCredentials } from '../fixtures/credentials.ts';
import type { CredentialStatus, CredentialStatuses } from '../fixtures/probe.ts';
import { slugsIn } from '../fixtures/slugs.ts';
import { unless } from '../runtime/defined.ts';
import { duration } from '../runtime/text.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** A Date header has whole seconds, and replies take their time; only more than this is a skew, in milliseconds. */
const skewMsMin = 5_000;
const classes: readonly RateClass[] = ['read', 'write', 'validate'];

function clock(me: Reply): Check {
  const date = Date.parse(me.headers.date ?? '');
  if (Number.isNaN(date))
    return { what: 'clock', state: 'open', says: 'The target does not say what time it is (no Date header).' };
  const skew = date - (me.sentAt + me.receivedAt) / 2;
  if (Math.abs(skew) <= skewMsMin)
    return { what: 'clock', state: 'fine', says: 'The clocks of target and client agree.' };
  return {
    what: 'clock',
    state: 'wrong',
    says: `The target’s clock is ${duration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} this machine’s.`,
    remedy: 'Set both by NTP: sessions may count as expired too early or too late, and waits may be too short.',
  };
}

function limitsOf({ credential, limits }: CredentialStatus): Check {
  const unread = classes.filter((rate) => limits[rate] === undefined);
  const what = `limits of ${credential.name}`;
  if (unread.length === 0) {
    const known = classes.map((rate) => `${limits[rate]} ${rate}s`);
    return { what, state: 'fine', says: `Known: ${known.join(', ')} a minute.` };
  }
  return {
    what,
    state: 'missing',
    says: `GET /me does not report in a form that can be read how many ${unread.join(', ')} requests a minute are allowed.`,
    remedy: `Set ${unread.map((rate) => `COVENANT_LIMIT_${rate.toUpperCase()}`).join(', ')} to the limits of that account.`,
  };
}

const minute = ({ minuteMs }: Target): readonly Check[] =>
  minuteMs === documentedMinuteMs
    ? []
    : [
        {
          what: 'COVENANT_MINUTE_MS',
          state: 'open',
          says: `The rate-limit minute is set to ${minuteMs} ms, so no run can be a certificate.`,
          remedy: 'Leave it unset unless the target is a sandbox.',
        },
      ];

/** The account whose limits are exceeded on purpose is the one whose limits must be known. */
export function targetChecks(target: Target, statuses: CredentialStatuses): readonly Check[] {
  const primary = statuses.get('COVENANT_API_KEY');
  const exhausted = statuses.get('COVENANT_RATE_API_KEY') ?? primary;
  const answered: Check = { what: 'target', state: 'fine', says: `${target.baseUrl} answers as the interface does.` };
  return [
    answered,
    ...(primary?.me ? [clock(primary.me)] : []),
    ...minute(target),
    ...(exhausted ? [limitsOf(exhausted)] : []),
  ];
}

/**
 * `fine`; `missing`: not configured, so something goes untested; `wrong`: configured, and not what it should be;
 * `open`: cannot be known without writing.
 */
export type State = 'fine' | 'missing' | 'wrong' | 'open';

export interface Check {
  /** A variable, or a part of the target. */
  readonly what: string;
  readonly state: State;
  /** One sentence. */
  readonly says: string;
  /** What to do, in one sentence. */
  readonly remedy?: string;
}

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
  return unless(new Client(connection, credential, owner).send(...asked), Inconclusive);
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
  const reply = await unless(new Client(connection, credential, owner).send('GET /me'), Inconclusive);
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
