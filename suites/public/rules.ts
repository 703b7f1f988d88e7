// Rules over validations and profiles: a token has the same facts whenever it is asked about, those of its own user.
import {
  at,
  bodyOf,
  dataOf,
  formerOf,
  isBare,
  isSession,
  isShown,
  type Judge,
  type JudgedId,
  type Keys,
  probeTitle,
  type Reply,
  type Rule,
  restricted,
  rules,
  scopesIn,
  slugsIn,
  textsIn,
  tokenOf,
  validatedIn,
  type World,
  wasAccepted,
  wordOf,
} from '../../lib/index.ts';
import { isText, profileOf } from '../shared/answer.ts';
import { keyPrefix } from '../shared/keys.ts';
import { validationAnswer, validIn } from '../shared/validate.ts';

const validations: Rule = ({ replies, keys }, judge) => {
  const judgeSame = factsJudge(keys, judge);
  const areAnswered = replies.some((reply) => validatedIn(reply) !== undefined && typeof validIn(reply) === 'boolean');
  for (const reply of replies) {
    const token = validatedIn(reply);
    if (token === undefined) continue;
    judgeValidity(reply, token, keys, judge, areAnswered);
    if (validIn(reply) === true) judgeSame(reply, token);
    judgeFacts(reply, judge);
  }
};

type Fact = readonly [what: string, fits: (value: unknown) => boolean];
const identifier: Fact = ['an identifier', (value) => typeof value === 'number' || (value !== '' && isText(value))];

/** Members returned for a live key. */
const facts: Readonly<Record<string, Fact>> = {
  user_id: identifier,
  account_id: identifier,
  scopes: ['an array of texts', (value) => Array.isArray(value) && value.every(isText)],
  tier: ['a text', isText],
};

/** A live key has all of them, and an invalid one none. */
function judgeFacts(reply: Reply, { expect }: Judge): void {
  for (const [name, [expected, fits]] of Object.entries(facts)) {
    const actual = at(dataOf(reply), name);
    const message = `${name} should be returned for a live key, and for no other`;
    if (validIn(reply) === true) expect('public-validate-facts', reply, fits(actual), message, { expected, actual });
    const none = { expected: 'absent or null', actual };
    if (validIn(reply) === false)
      expect('public-validate-invalid-bare', reply, (actual ?? null) === null, message, none);
  }
}

const validation = 'POST /auth/validate-api-key';
const isAnonymous = ({ request }: Reply): boolean => request.headers.authorization === undefined;
/** A key as a lenient target compares it. */
const foldedOf = (key: unknown): string => (isText(key) ? key.trim().toLowerCase() : '');

/** Both operations answer 200 without credentials; a validation also for an unknown key. */
const open: Rule = ({ replies, keys }, { expect }) => {
  const ofRun = replies.filter(({ credential }) => /^(COVENANT|MADE_KEY)_/.test(credential)).map(tokenOf);
  // A credential that was configured may not have been used yet.
  const configured = replies.filter(({ owner }) => owner === probeTitle).map(validatedIn);
  const made = replies.map((reply) => at(dataOf(reply), 'api_key'));
  const issued = new Set([...ofRun, ...configured, ...made].map(foldedOf));
  const asked = replies.filter(isAnonymous);
  const isValid = asked.some((reply) => reply.operation === validation && validIn(reply) === true);
  for (const reply of asked) {
    const { operation, status } = reply;
    const message = `${operation} should answer without credentials`;
    // What GET /health answers when the target is not well is open.
    if (operation === 'GET /health' && status < 429)
      expect('public-health-open', reply, status === 200, message, { expected: 200 });
    if (operation !== validation || status === 429) continue;
    const key = reply.undocumented ? undefined : bodyOf(reply)?.api_key;
    const isLive = isText(key) && isKey(key, keys);
    const isUnknown = isText(key) && key.startsWith(keyPrefix) && !issued.has(foldedOf(key));
    // With a charset behind the media type it may be refused for that.
    const isPlain = reply.request.headers['content-type'] === 'application/json';
    const isAnswered = isLive && isPlain ? status === 200 : status !== 401 && status !== 403;
    if (!isUnknown) expect('public-validate-open', reply, isAnswered, message, { expected: 200 });
    else if (isValid) {
      const found = { expected: '200, valid false', actual: validationAnswer(reply) };
      const isInvalid = status === 200 && validIn(reply) === false;
      expect('public-validate-invalid', reply, isInvalid, 'a key that was never issued should be invalid', found);
    }
  }
};

/** A session token is no key, whatever a validation says of it. */
function isKey(token: string, keys: Keys): boolean {
  const owner = keys.ownerOf(token);
  return keys.of(token) !== undefined || (owner !== undefined && !isSession(owner));
}

/** A value that is no text must not be a valid key; one that contains a key may be read as that key. */
const others: Rule = ({ replies, keys }, { expect }) => {
  for (const reply of replies) {
    const body = bodyOf(reply);
    if (reply.operation !== validation || !isAnonymous(reply) || !wasAccepted(reply)) continue;
    if (body === undefined || isText(body.api_key)) continue;
    if (textsIn(body).some((text) => keys.ownerOf(text) !== undefined)) continue;
    const found = { expected: 'valid false, or a refusal', actual: dataOf(reply) };
    expect('public-validate-invalid', reply, validIn(reply) !== true, 'what is no text should be no valid key', found);
  }
};

/** A validation of any text says whether it is valid, as others do. */
function judgeValidity(reply: Reply, token: string, keys: Keys, { expect }: Judge, areAnswered: boolean): void {
  const actual = validIn(reply);
  const found = { expected: 'true or false', actual };
  if (areAnswered && typeof actual !== 'boolean' && !isKey(token, keys))
    expect('public-validate-invalid', reply, false, 'a validation should say whether the key is valid', found);
  if (isKey(token, keys) && keys.isLive(token, reply))
    expect('public-validate-valid', reply, actual === true, 'a live key should be valid', { expected: true, actual });
  const ofRevoked = { expected: false, actual, because: [keys.of(token)?.revoked].filter((one) => one !== undefined) };
  if (keys.isRevoked(token, reply))
    expect('api-keys-revoked-validate', reply, actual !== true, 'a revoked key should not be valid', ofRevoked);
}

/** In any order. */
const listed = (reply: Reply): string => JSON.stringify([...new Set(scopesIn(reply))].sort());
const identity = ['user_id', 'account_id'] as const;

/** Facts that stay the same for a key; its user and account also for all keys made by it. */
function factsJudge(keys: Keys, { expect }: Judge): (reply: Reply, token: string) => void {
  const firsts = new Map<string, Reply>();
  const compare = (whose: string, reply: Reply, names: readonly string[], id: JudgedId): boolean => {
    const first = formerOf(firsts, whose, reply);
    if (first === undefined) return true;
    const held = names.map((name) => {
      const [expected, actual] = [first, reply].map((one) => at(dataOf(one), name));
      const found = { expected, actual, because: [first] };
      return expect(id, reply, expected === actual, `${name} should be that of the key`, found);
    });
    return !held.includes(false);
  };

  /** Keys of one user on one account have the scopes of the first one validated. */
  const judgeScopes = (reply: Reply, owner: string, token: string): void => {
    // A revoked key that is called valid violates another requirement.
    if (scopesIn(reply) === undefined || keys.isRevoked(token, reply)) return;
    const first = formerOf(firsts, `scopes of ${owner} on ${at(dataOf(reply), 'account_id')}`, reply);
    // Two validations of configured keys are not compared here.
    if (first === undefined || (keys.of(token) ?? keys.of(validatedIn(first))) === undefined) return;
    const message = 'keys of one user on one account should have the same scopes';
    const found = { expected: scopesIn(first), actual: scopesIn(reply), because: [first] };
    expect('api-keys-made-scopes', reply, listed(first) === listed(reply), message, found);
  };

  return (reply, token) => {
    const owner = keys.ownerOf(token);
    if (!compare(`key ${token}`, reply, identity, 'public-validate-facts') || owner === undefined) return;
    // A session makes keys on whichever of its accounts is active.
    compare(`owner ${owner}`, reply, isSession(owner) ? ['user_id'] : identity, 'api-keys-made-identity');
    judgeScopes(reply, owner, token);
  };
}

/** The configured keys of other users, and what distinguishes them from the primary one. */
const otherKeys = { COVENANT_API_KEY_SECONDARY: identity, [restricted]: ['user_id'] } as const;

/** Two users have two user_ids, and two accounts two account_ids, if anything else shows that there are two. */
const identities: Rule = ({ replies, keys }, { expect }) => {
  const isOwn = (key: string, token: string | undefined): boolean =>
    keys.ownerOf(token) === key && keys.of(token) === undefined;
  const validOf = (key: string) => replies.find((reply) => validIn(reply) === true && isOwn(key, validatedIn(reply)));
  const readsOf = (key: string) => replies.filter((reply) => isBare(reply) && keys.ownerOf(tokenOf(reply)) === key);
  const slugsOf = (key: string) =>
    readsOf(key).flatMap((reply) => (reply.operation === 'GET /me' ? slugsIn(reply).map(({ slug }) => slug) : []));
  const [own, slugs] = [readsOf('COVENANT_API_KEY'), slugsOf('COVENANT_API_KEY')];
  for (const [key, names] of Object.entries(otherKeys)) {
    const [one, other] = [validOf('COVENANT_API_KEY'), validOf(key)];
    if (one === undefined || other === undefined) continue;
    const others = slugsOf(key);
    const isRefused = ({ operation }: Reply): boolean =>
      own.some((one) => one.operation === operation && one.status === 403);
    // As is configured, the primary key may read what the restricted one may not.
    const isForbidden = (read: Reply): boolean => read.status === 403 && !isRefused(read);
    const areOnDifferentAccounts =
      slugs.length > 0 && others.length > 0 && !others.some((slug) => slugs.includes(slug));
    const isOther = key === restricted ? readsOf(key).some(isForbidden) : areOnDifferentAccounts;
    const valuesOf = (name: string) => [one, other].flatMap((reply) => at(dataOf(reply), name) ?? []).map(wordOf);
    const differs = (name: string): boolean => new Set(valuesOf(name)).size === 2;
    for (const name of isOther || differs(names.at(-1) ?? '') ? names : []) {
      const found = { expected: 'two values', actual: at(dataOf(other), name), because: [one] };
      const message = `${name} of two callers should differ`;
      if (valuesOf(name).length === 2) expect('public-validate-identity', other, differs(name), message, found);
    }
  }
};

/** Two users have different profiles. */
const profiles: Rule = ({ replies, keys }: World, { expect }) => {
  const users = new Map<string, unknown>();
  for (const reply of replies) {
    const owner = keys.ownerOf(validatedIn(reply));
    const user = at(dataOf(reply), 'user_id') ?? undefined;
    if (owner !== undefined && user !== undefined) formerOf(users, owner, user);
  }
  const userOf = (reply: Reply): unknown => users.get(keys.ownerOf(tokenOf(reply)) ?? '');
  const first = new Map<string, Reply>();
  for (const reply of replies) {
    if (reply.operation !== 'GET /me' || !isShown(reply) || userOf(reply) === undefined) continue;
    const other = formerOf(first, profileOf(dataOf(reply)), reply) ?? reply;
    const found = { expected: 'two profiles', actual: 'the same profile', because: [other] };
    const holds = userOf(other) === userOf(reply);
    expect('account-me-caller', reply, holds, 'two users should get their own profiles', found);
  }
};

export const publicRules = rules(
  ['account-me-caller', 'api-keys-made-identity', 'api-keys-made-scopes', 'api-keys-revoked-validate'],
  open,
  validations,
  others,
  identities,
  profiles,
);
