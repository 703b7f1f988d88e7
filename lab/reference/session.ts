// Who sent a request: the session behind the Authorization header, and its active account (Authentication).
import { refuse, unauthorized } from './refusal.ts';
import type { Service } from './service.ts';
import type { Account, User } from './store.ts';
import { keyPrefix, type Session } from './tokens.ts';

/** The session of an API key: its user, and its account whatever X-Active-Account says. */
function keySession({ store, choices }: Service, secret: string, now: number): Session {
  const key = store.keysBySecret.get(secret);
  if (key === undefined) throw unauthorized();
  if (choices.lastUsedAt === 'tracked') key.lastUsedAt = now;
  return { user: key.user, account: key.account, key };
}

/** The account of a JWT session: the header's, or the stored preference. */
function chosenAccount({ choices }: Service, user: User, header: string | null): Account | undefined {
  const active = user.memberships.filter((membership) => membership.active).map((membership) => membership.account);
  if (header === null || header === '') return active.find((account) => account === user.preferred);
  const { activeAccountValue } = choices;
  const chosen = active.find(
    ({ id, slug }) =>
      (activeAccountValue !== 'id' && slug === header) || (activeAccountValue !== 'slug' && String(id) === header),
  );
  if (chosen === undefined) throw refuse(choices.foreignActiveAccount, 'X-Active-Account names no account of yours');
  return chosen;
}

/** The session; refuses missing, invalid, expired and revoked credentials with 401. Asynchronous only for a JWT not seen before. */
export function authenticate(service: Service, headers: Headers, now: number): Session | Promise<Session> {
  const [scheme = '', token = '', ...rest] = (headers.get('authorization') ?? '').split(' ');
  const known = service.choices.bearer === 'exact' ? scheme === 'Bearer' : scheme.toLowerCase() === 'bearer';
  if (!known || token === '' || rest.length > 0) throw unauthorized();
  if (token.startsWith(keyPrefix)) return keySession(service, token, now);
  const sessionOf = (user: User | undefined): Session => {
    if (user === undefined) throw unauthorized();
    return { user, account: chosenAccount(service, user, headers.get('x-active-account')), key: undefined };
  };
  const remembered = service.tokens.remembered(token, now);
  return remembered === undefined ? service.tokens.verify(token, now).then(sessionOf) : sessionOf(remembered);
}
