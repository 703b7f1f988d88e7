// What the target's operator offers by configuration, and whether it is what the contract says it is.
import type { Api } from './client/client.ts';
import type { Credential } from './client/credential.ts';
import { NotTested } from './client/errors.ts';
import type { Reply } from './client/reply.ts';
import type { CredentialName, Target } from './configuration/settings.ts';
import { type Memberships, slugsIn } from './memberships.ts';
import type { Standing, Standings } from './standing.ts';

/** The standing of a credential that is set and accepted. */
function accepted(standings: Standings, name: CredentialName): Standing {
  const standing = standings.get(name);
  if (!standing) throw new NotTested(`${name} is not set`);
  if (standing.validation?.valid === false && standing.me?.status !== 200)
    throw new NotTested(`${name} is no valid key`);
  if (standing.me?.status === 401) throw new NotTested(`${name} is refused with 401`);
  return standing;
}

const primaryOf = (standings: Standings): Standing => accepted(standings, 'COVENANT_API_KEY');

const guarded = { 'account:read': 'GET /me/team-accounts', 'billing:read': 'GET /billing/summary' } as const;
type Scope = keyof typeof guarded;

/** What validate tells is judged itself: where it speaks against a credential, what the scope opens decides. */
const opened = async (api: Api, scope: Scope): Promise<boolean> => (await api.send(guarded[scope])).status < 300;

export async function withScope(standings: Standings, scope: Scope, api: Api): Promise<Credential> {
  const { credential, validation } = primaryOf(standings);
  if (validation?.scopes && !validation.scopes.includes(scope) && !(await opened(api.as(credential), scope)))
    throw new NotTested(`COVENANT_API_KEY lacks the scope ${scope}`);
  return credential;
}

export async function restricted(standings: Standings, api: Api): Promise<Credential> {
  const name = 'COVENANT_API_KEY_RESTRICTED';
  const { credential, validation } = accepted(standings, name);
  const sameUser = validation?.user !== undefined && validation.user === primaryOf(standings).validation?.user;
  const told = (scope: Scope) => validation?.scopes?.includes(scope) ?? false;
  for (const scope of ['account:read', 'billing:read'] as const) {
    if ((sameUser || told(scope)) && (await opened(api.as(credential), scope)))
      throw new NotTested(
        sameUser
          ? `${name} belongs to the user of COVENANT_API_KEY`
          : `${name} has the scope ${scope}, which it must lack`,
      );
  }
  return credential;
}

/** The slugs in GET /me tell accounts apart where validate does not. */
const differentSlugs = (one: Reply | undefined, other: Reply | undefined): boolean => {
  const [slugs, others] = [one, other].map((reply) => (reply ? slugsIn(reply).map(({ slug }) => slug) : []));
  return !!slugs?.length && !!others?.length && !slugs.some((slug) => others.includes(slug));
};

export function secondary(standings: Standings): Credential {
  const name = 'COVENANT_API_KEY_SECONDARY';
  const { credential, validation, me } = accepted(standings, name);
  const primary = primaryOf(standings);
  const account = validation?.account;
  if (account !== undefined && account === primary.validation?.account && !differentSlugs(me, primary.me))
    throw new NotTested(`${name} belongs to the account of COVENANT_API_KEY`);
  return credential;
}

/** What validate told of a credential when the run began. */
export function validated(standings: Standings, name: CredentialName): Reply {
  const { validated: reply } = accepted(standings, name);
  if (!reply) throw new NotTested(`the validation of ${name} got no reply when the run began`);
  return reply;
}

/** The secondary key where there is a fitting one: two accounts have twice the allowance of one. */
export function spare(standings: Standings): Credential {
  try {
    return secondary(standings);
  } catch (error) {
    if (error instanceof NotTested) return primaryOf(standings).credential;
    throw error;
  }
}

export const session = (standings: Standings, name: 'COVENANT_JWT' | 'COVENANT_JWT_NO_ACCOUNT'): Credential =>
  accepted(standings, name).credential;

/** The moment in `exp`, in milliseconds; undefined where the token is no JWT or has none. */
function expiryOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

export function expiredSession(standings: Standings, now: number): Credential {
  const standing = standings.get('COVENANT_JWT_EXPIRED');
  if (!standing) throw new NotTested('COVENANT_JWT_EXPIRED is not set');
  const expiry = expiryOf(standing.credential.token ?? '');
  if (expiry !== undefined && expiry > now) throw new NotTested('COVENANT_JWT_EXPIRED has not expired');
  return { ...standing.credential, kind: 'invalid', accounts: [] };
}

export function foreignSlug(target: Target, memberships: Memberships): string {
  const slug = target.foreignSlug;
  if (slug === undefined) throw new NotTested('COVENANT_FOREIGN_SLUG is not set');
  if (memberships.all.some((one) => one.slug === slug))
    throw new NotTested('COVENANT_FOREIGN_SLUG is an account of which the user of COVENANT_JWT is a member');
  return slug;
}

export const exhaustible = (standings: Standings): Credential =>
  accepted(standings, standings.has('COVENANT_RATE_API_KEY') ? 'COVENANT_RATE_API_KEY' : 'COVENANT_API_KEY').credential;

export function sibling(standings: Standings): Credential {
  const name = 'COVENANT_RATE_API_KEY_SIBLING';
  const { credential, validation } = accepted(standings, name);
  const other = standings.get(exhaustible(standings).name as CredentialName)?.validation?.account;
  const account = validation?.account;
  if (account !== undefined && other !== undefined && account !== other)
    throw new NotTested(`${name} belongs to another account than the key that is exhausted`);
  return credential;
}
