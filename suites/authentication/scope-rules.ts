// Rules for scopes: replies of operations that need a scope, GET /me, and key validations.
import {
  accountHeaderOf,
  at,
  dataOf,
  isBare,
  isSession,
  isShown,
  type Judge,
  type JudgedId,
  operations,
  type Reply,
  type Rule,
  restricted,
  rules,
  scopesIn,
  session,
  slugsIn,
  tokenOf,
  validatedIn,
  type World,
  wasAccepted,
} from '../../lib/index.ts';
import { namesScope, type Scope } from '../shared/scopes.ts';

/** Without an account a session may get 400, but it has no scope that its GET /me never names. */
const accountless: Rule = ({ replies }, { expect }) => {
  const own = replies.filter(({ credential }) => credential === 'COVENANT_JWT_NO_ACCOUNT').filter(isBare);
  const profiles = own.filter((reply) => reply.operation === 'GET /me' && wasAccepted(reply));
  if (profiles.length === 0 || profiles.some((me) => namesScope(dataOf(me), 'billing:read'))) return;
  for (const reply of own.filter((one) => scopeOf(one) === 'billing:read' && one.status < 429)) {
    const id = requirements[reply.operation ?? ''];
    const found = { expected: '400 or 403', because: profiles.slice(0, 1) };
    if (id) expect(id, reply, !wasAccepted(reply), 'a session without billing:read should see no billing', found);
  }
};

const scopes: Rule = (world, judge) => {
  const { replies, keys } = world;
  const owners = new Map<string, Owner>();
  const ownerOf = (name: string | undefined): Owner | undefined => {
    if (name === undefined || (isSession(name) && name !== session)) return undefined;
    const owner = owners.get(name) ?? ownerNamed(name, world);
    owners.set(name, owner);
    return owner;
  };
  for (const reply of replies) {
    const owner = ownerOf(keys.ownerOf(tokenOf(reply)));
    const asked = validatedIn(reply);
    // Other requirements judge validations of a revoked key.
    const shown = asked === undefined || keys.isRevoked(asked, reply) ? undefined : ownerOf(keys.ownerOf(asked));
    if (owner) judgeOperation(reply, owner, world, judge);
    if (owner && reply.operation === 'GET /me' && isShown(reply)) judgeProfile(reply, owner, judge);
    if (shown) judgeValidation(reply, shown, judge);
  }
};

const requirements: Readonly<Record<string, JudgedId>> = {
  'GET /billing/summary': 'billing-summary-scope',
  'GET /billing/credits/balance': 'billing-credits-scope',
  'GET /me/team-accounts': 'account-team-accounts-scope',
};
const named: readonly Scope[] = ['billing:read', 'account:read'];
const scopeOf = ({ operation }: Reply): Scope | undefined => operation && operations[operation].scope;

type Owner = ReturnType<typeof ownerNamed>;

/** What replies show of the scopes of one configured credential and the keys created with it. */
function ownerNamed(name: string, { replies, keys }: World) {
  const own = replies.filter((reply) => scopeOf(reply) && keys.ownerOf(tokenOf(reply)) === name);
  const seen = own.filter(isBare);
  const validationsOf = (key: string) => replies.filter((reply) => keys.ownerOf(validatedIn(reply)) === key);
  const usersOf = (key: string) => validationsOf(key).flatMap((reply) => at(dataOf(reply), 'user_id') ?? []);
  const users = usersOf('COVENANT_API_KEY');
  const isPrimary = usersOf(name).some((user) => users.includes(user));
  /** The scopes that validations list for the user's keys. */
  const listed = validationsOf(name).flatMap((reply) => scopesIn(reply) ?? []);
  const number = (scope: Scope, fits: (reply: Reply) => boolean): number =>
    seen.filter((reply) => scopeOf(reply) === scope && fits(reply)).length;
  const forbidden = (scope: Scope): number => number(scope, ({ status }) => status === 403);

  const accounts = new Set(own.filter(wasAccepted).map(accountHeaderOf));
  const lists = replies.filter(({ operation, credential }) => operation === 'GET /me/accounts' && credential === name);
  // It once had no stored account and thus no scopes; or it may act on accounts with unknown scopes.
  const wasWithout = seen.some(({ status, credential }) => status === 400 && credential === name);
  const isUncertain = isSession(name) && (wasWithout || lists.some((reply) => slugsIn(reply).length > 2));

  /** Every such request of this credential was accepted. */
  const hasEachTime = (credential: string, scope: Scope): boolean => {
    const isIts = (reply: Reply): boolean => reply.credential === credential;
    return number(scope, (reply) => isIts(reply) && !wasAccepted(reply)) === 0 && number(scope, isIts) > 1;
  };
  return {
    name,
    hasEachTime,
    /** Whether its scopes on the account are known: the stored one, or one that a request was accepted on. */
    actsOn: (account?: string): boolean =>
      account === undefined ? !isUncertain : !isSession(name) || accounts.has(account),
    /** Operations that need the scope were accepted more than once and never refused with 403. */
    has: (scope: Scope): boolean => name !== restricted && number(scope, wasAccepted) > 1 && forbidden(scope) === 0,
    /** The user has the scope on every account. */
    hasEverywhere: (scope: Scope): boolean => !isUncertain && hasEachTime(name, scope),
    /** As configured; if validations contradict that, by whether most requests that need the scope got 403. */
    lacks: (scope: Scope): boolean => {
      const isRefused = forbidden(scope) > 1 && forbidden(scope) > number(scope, wasAccepted);
      return name === restricted && (isRefused || !(isPrimary || listed.includes(scope)));
    },
  };
}

function judgeOperation(reply: Reply, owner: Owner, { keys, replies }: World, { expect }: Judge): void {
  const { status, credential, operation } = reply;
  const [scope, id] = [scopeOf(reply), requirements[operation ?? '']];
  if (scope === undefined || id === undefined) return;
  const isOffered = () => replies.some((one) => one.operation === operation && wasAccepted(one));
  // A bare call gets 403. Another call may get another 4xx, and a revoked key 401.
  const isItself = status !== 401 || keys.isLive(tokenOf(reply), reply);
  if (owner.lacks(scope) && isItself && status < 429 && isOffered()) {
    const message = `what needs ${scope} should be refused to ${credential}`;
    const holds = isBare(reply) ? status === 403 : !wasAccepted(reply);
    expect(id, reply, holds, message, { expected: 403 });
  }
  // A key has the permissions of the user who created it.
  if (credential === owner.name || !isBare(reply) || !keys.isLive(tokenOf(reply), reply)) return;
  const message = 'a key should have the scopes of the user who created it';
  if (owner.hasEverywhere(scope)) expect('api-keys-made-rights', reply, status !== 403, message, { expected: 200 });
}

/** A token has a scope if its owner does. So does a created key that was never refused: it has one account. */
function judgeProfile(reply: Reply, owner: Owner, { expect }: Judge): void {
  const { credential } = reply;
  const has = (scope: Scope): boolean =>
    (owner.actsOn(accountHeaderOf(reply)) && owner.has(scope)) ||
    (credential !== owner.name && owner.hasEachTime(credential, scope));
  for (const scope of named.filter(has)) {
    const holds = namesScope(dataOf(reply), scope);
    const message = `GET /me should name ${scope}, which the token has`;
    expect('account-me-scopes', reply, holds, message, { expected: `${scope} in the data`, actual: 'not named' });
  }
}

function judgeValidation(reply: Reply, owner: Owner, { expect }: Judge): void {
  const listed = scopesIn(reply);
  if (listed === undefined) return;
  const message = 'scopes should be those of the key';
  for (const scope of named) {
    const isListed = listed.includes(scope);
    if (owner.lacks(scope))
      expect('public-validate-scopes-lacking', reply, !isListed, message, { expected: `no ${scope}`, actual: listed });
    if (owner.has(scope) && owner.actsOn())
      expect('public-validate-scopes-granted', reply, isListed, message, { expected: scope, actual: listed });
  }
}

export const scopeRules = rules(
  [
    ...([
      'billing-summary-scope',
      'billing-credits-scope',
      'account-team-accounts-scope',
      'account-me-scopes',
    ] as const),
    ...(['api-keys-made-rights', 'public-validate-scopes-granted', 'public-validate-scopes-lacking'] as const),
  ],
  scopes,
  accountless,
);
