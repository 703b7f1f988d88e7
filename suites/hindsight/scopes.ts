// What the operations that need a scope answered to each family of keys, and what its profiles and validations say of it.
import {
  dataOf,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  slugsIn,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { namesScope, type Scope } from '../shared/scopes.ts';
import { scopesOf } from './facts.ts';
import { wrong } from './judgement.ts';
import { isBare, isSession, tokenOf } from './sent.ts';
import type { Tokens } from './tokens.ts';

const doors = {
  'GET /billing/summary': { scope: 'billing:read', id: 'billing-summary-scope' },
  'GET /billing/credits/balance': { scope: 'billing:read', id: 'billing-credits-scope' },
  'GET /me/team-accounts': { scope: 'account:read', id: 'account-team-accounts-scope' },
} as const;

export const scopeIds = [
  'billing-summary-scope',
  'billing-credits-scope',
  'account-team-accounts-scope',
  'account-me-scopes',
  'api-keys-made-rights',
  'public-validate-scopes-granted',
  'public-validate-scopes-lacking',
] as const satisfies readonly JudgedId[];

const doorOf = ({ operation }: Reply) =>
  operation !== undefined && operation in doors ? doors[operation as keyof typeof doors] : undefined;

const accountOf = ({ request }: Reply): string | undefined => request.headers['x-active-account'];

/** The contract gives it to a run with the scopes on two accounts. */
const session = 'COVENANT_JWT';
/** The contract gives it to a run because it lacks the scopes. */
const restricted = 'COVENANT_API_KEY_RESTRICTED';

/** The replies at the doors of a scope to one configured key and the keys that come of it. */
class Family {
  readonly root: string;
  private readonly seen: readonly Reply[];
  private readonly accounts: ReadonlySet<string>;
  /** Its session may come to accounts on which nobody promised it the scopes. */
  private readonly hasMore: boolean;

  constructor(root: string, replies: readonly Reply[], tokens: Tokens) {
    this.root = root;
    const own = replies.filter((reply) => doorOf(reply) && tokens.rootOf(tokenOf(reply)) === root);
    this.seen = own.filter(isBare);
    this.accounts = new Set(own.filter(wasAccepted).flatMap((reply) => accountOf(reply) ?? []));
    const lists = replies.filter(
      ({ operation, credential }) => operation === 'GET /me/accounts' && credential === root,
    );
    this.hasMore = lists.some((reply) => slugsIn(reply).length > 2);
  }

  /** Without X-Active-Account, or under one that some door was opened under; a key stays where it is. */
  actsOn = (account: string | undefined): boolean =>
    !isSession(this.root) || (account === undefined ? !this.hasMore : this.accounts.has(account));

  private count(scope: Scope, fits: (reply: Reply) => boolean): number {
    return this.seen.filter((reply) => doorOf(reply)?.scope === scope && fits(reply)).length;
  }

  /** Nothing else was ever answered than what the scope opens. */
  has = (scope: Scope): boolean =>
    this.root !== restricted &&
    this.count(scope, wasAccepted) > 1 &&
    this.count(scope, ({ status }) => status === 403) === 0;

  /** To this credential of the family, what needs it was opened each time. */
  opensTo(credential: string, scope: Scope): boolean {
    const isIts = (reply: Reply): boolean => reply.credential === credential;
    const refused = this.count(scope, (reply) => isIts(reply) && !wasAccepted(reply));
    return refused === 0 && this.count(scope, isIts) > 1;
  }

  /** To the user itself, on every account. */
  opensToMaker = (scope: Scope): boolean => !(isSession(this.root) && this.hasMore) && this.opensTo(this.root, scope);

  /** Mostly refused for want of it. */
  lacks(scope: Scope): boolean {
    const closed = this.count(scope, ({ status }) => status === 403);
    return this.root === restricted && closed > 1 && closed > this.count(scope, wasAccepted);
  }
}

/** Bare it is refused with 403; what stands beside the call may be refused otherwise. */
function ofDoor(reply: Reply, family: Family): readonly Wrong[] {
  const door = doorOf(reply);
  if (door === undefined || !family.lacks(door.scope) || reply.undocumented) return [];
  // Whether the token is accepted is judged elsewhere.
  const isRight = isBare(reply) ? [401, 403].includes(reply.status) || reply.status >= 429 : !wasAccepted(reply);
  if (isRight) return [];
  return [
    wrong(
      door.id,
      reply.operation as OperationId,
      `what needs ${door.scope} should be refused to ${reply.credential}`,
      {
        expected: 403,
        actual: reply.status,
        replies: [reply],
      },
    ),
  ];
}

/** A key has the permissions of the user who made it. */
function ofMadeKey(reply: Reply, family: Family, tokens: Tokens): readonly Wrong[] {
  const door = doorOf(reply);
  const token = tokenOf(reply);
  if (door === undefined || reply.status !== 403 || reply.credential === family.root || !isBare(reply)) return [];
  if (token === undefined || !tokens.isLive(token, reply) || !family.opensToMaker(door.scope)) return [];
  const found = { expected: 200, actual: 403, replies: [reply] };
  return [
    wrong('api-keys-made-rights', reply.operation as OperationId, 'a made key should open what its maker opens', found),
  ];
}

/** What a token has by its family; or a made key, which has one account, because doors were opened to it and none was closed. */
function ofProfile(reply: Reply, family: Family): readonly Wrong[] {
  if (reply.operation !== 'GET /me' || !wasAccepted(reply)) return [];
  const isMade = reply.credential !== family.root;
  const has = (scope: Scope): boolean =>
    (family.actsOn(accountOf(reply)) && family.has(scope)) || (isMade && family.opensTo(reply.credential, scope));
  return (['billing:read', 'account:read'] as const)
    .filter((scope) => has(scope) && !namesScope(dataOf(reply), scope))
    .map((scope) =>
      wrong('account-me-scopes', 'GET /me', `GET /me should name ${scope}, which the token has`, {
        expected: `${scope} in the data`,
        actual: 'not named',
        replies: [reply],
      }),
    );
}

function ofValidation(reply: Reply, family: Family): readonly Wrong[] {
  const scopes = scopesOf(reply);
  if (scopes === undefined) return [];
  return (['billing:read', 'account:read'] as const).flatMap((scope): Wrong[] => {
    const listed = scopes.includes(scope);
    const id = listed ? 'public-validate-scopes-lacking' : 'public-validate-scopes-granted';
    if (listed ? !family.lacks(scope) : !(family.has(scope) && family.actsOn(undefined))) return [];
    const expected = listed ? `no ${scope}` : scope;
    return [
      wrong(id, 'POST /auth/validate-api-key', 'scopes should be those of the key', {
        expected,
        actual: scopes,
        replies: [reply],
      }),
    ];
  });
}

export function judgeScopes(
  { replies }: Story,
  tokens: Tokens,
  validated: (reply: Reply) => string | undefined,
): readonly Wrong[] {
  const families = new Map<string, Family>();
  const familyOf = (root: string | undefined): Family | undefined => {
    if (root === undefined || (isSession(root) && root !== session)) return undefined;
    const family = families.get(root) ?? new Family(root, replies, tokens);
    families.set(root, family);
    return family;
  };
  return replies.flatMap((reply) => {
    const family = familyOf(tokens.rootOf(tokenOf(reply)));
    const asked = validated(reply);
    // What is said of a dead key is judged by itself.
    const shown = asked === undefined || tokens.isDead(asked, reply) ? undefined : familyOf(tokens.rootOf(asked));
    return [
      ...(family ? [...ofDoor(reply, family), ...ofMadeKey(reply, family, tokens), ...ofProfile(reply, family)] : []),
      ...(shown ? ofValidation(reply, shown) : []),
    ];
  });
}
