// What the plan needs to know of the accounts, derived from the probe.
import type { Case } from '../case.ts';
import type { RateClass } from '../catalogue/operations.ts';
import { type Api, Client, type Connection } from '../client/client.ts';
import type { Credential } from '../client/credential.ts';
import { Inconclusive, Mismatch } from '../client/errors.ts';
import { dataOf, type Reply, walk } from '../client/reply.ts';
import type { CredentialName, Target } from '../configuration/settings.ts';
import { spares } from '../fixtures/credentials.ts';
import { readAccounts } from '../fixtures/memberships.ts';
import { type CredentialStatus, type CredentialStatuses, probeTitle } from '../fixtures/probe.ts';
import { slugsIn } from '../fixtures/slugs.ts';
import { wordOf } from '../runtime/text.ts';
import { type Accounts, payerNamed, type SpareName } from './plan.ts';

const exhaustibleName = 'COVENANT_RATE_API_KEY';
/** Their requests may count on the exhausted account, or on none. */
const reserved: readonly CredentialName[] = [exhaustibleName, 'COVENANT_RATE_API_KEY_SIBLING', 'COVENANT_JWT_EXPIRED'];

/** The texts that identify an account in a list of accounts. */
function marksOf({ me, validation }: CredentialStatus): ReadonlySet<string> {
  const slugs = me ? slugsIn(me).map(({ slug }) => slug) : [];
  return new Set([...slugs, ...(validation?.account === undefined ? [] : [validation.account])]);
}

const mentions = (replies: readonly Reply[], marks: ReadonlySet<string>): boolean =>
  replies.some((reply) => walk(dataOf(reply)).some(({ value }) => marks.has(wordOf(value))));

/** A session can switch to each of its accounts, so it must not be a member of the exhausted one. */
async function isReachable(marks: ReadonlySet<string>, session: Api): Promise<boolean> {
  try {
    return mentions(await readAccounts(session), marks);
  } catch (error) {
    if (error instanceof Mismatch || error instanceof Inconclusive) return true;
    throw error;
  }
}

/** Whether nothing else spends the limits of the exhausted account; false if that is unknown. */
async function isApart(
  statuses: CredentialStatuses,
  target: Target,
  as: (of: CredentialStatus) => Api,
): Promise<boolean> {
  const exhaustible = statuses.get(exhaustibleName);
  if (exhaustible?.me?.status !== 200 || exhaustible.credential.accounts.join() !== exhaustibleName) return false;
  const others = [...statuses].filter(([name]) => !reserved.includes(name)).map(([, status]) => status);
  if (others.some(({ credential }) => credential.accounts.includes(exhaustibleName))) return false;
  const marks = marksOf(exhaustible);
  if (target.foreignSlug !== undefined && marks.has(target.foreignSlug)) return false;
  const sessions = others.filter(({ credential }) => credential.kind === 'session');
  const known = slugsKnown(exhaustible) || sessions.length === 0;
  if (!known) return false;
  for (const session of sessions) {
    const accountless = session.credential.name === 'COVENANT_JWT_NO_ACCOUNT';
    if (!accountless && (await isReachable(marks, as(session)))) return false;
  }
  return true;
}

const slugsKnown = ({ me }: CredentialStatus): boolean => me !== undefined && slugsIn(me).length > 0;

/** A session writes to two of its accounts, to those of no key first; but it switches to each of them. */
const sessionAccounts = 2;
const movedShare = 0.6;

/** The share of a session's requests that counts on a key's account. */
function sessionShare({ accounts }: Credential, statuses: CredentialStatuses, { pacing }: Connection): number {
  const session = statuses.get('COVENANT_JWT')?.credential;
  if (!session?.accounts.some((account) => accounts.includes(account))) return 0;
  const moved = Math.min(pacing.active.apartFrom(session).length, sessionAccounts) / sessionAccounts;
  return 1 - movedShare * moved;
}

/** Reads the accounts of the session if an account may be exhausted. */
export async function accountsOf(
  statuses: CredentialStatuses,
  connection: Connection,
  cases: readonly Case[],
): Promise<Accounts> {
  const { pacing, target } = connection;
  const as = ({ credential }: CredentialStatus) => new Client(connection, credential, probeTitle);
  const apart = await isApart(statuses, target, as);
  const exhausts = cases.some((one) => one.exhausts);
  const exhaustible = apart ? statuses.get(exhaustibleName) : undefined;
  const given = [...spares(statuses), ...(exhaustible ? [exhaustible.credential] : [])];
  const least = (accounts: readonly string[], rate: RateClass): number =>
    Math.min(...accounts.map((account) => pacing.limit(account, rate)));
  const spare = given.map((credential) => ({
    name: credential.name as SpareName,
    payers: { [payerNamed[credential.name as SpareName]]: 1, session: sessionShare(credential, statuses, connection) },
    writes: least(credential.accounts, 'write'),
    reads: least(credential.accounts, 'read'),
    ...(exhausts && credential.name === exhaustibleName ? { isExhausted: true as const } : {}),
  }));
  return { spare, exhaustibleApart: apart };
}

/** The key of a case that may run on any account. */
export function keyNamed(name: SpareName, statuses: CredentialStatuses): Credential {
  const spare = statuses.get(name);
  if (!spare) throw new Error('no credential status for the spare account');
  return spare.credential;
}
