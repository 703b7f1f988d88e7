// What validations and profiles say of each token: the same whenever it is asked, and of its own user.
import {
  at,
  bodyOf,
  dataOf,
  isSession,
  isShown,
  type Judge,
  type Keys,
  type Reply,
  type Rule,
  rules,
  scopesIn,
  textsIn,
  tokenOf,
  validatedIn,
  type World,
  wasAccepted,
} from '../../lib/index.ts';
import { profileOf } from '../shared/profile.ts';
import { validIn } from '../shared/validate.ts';

const ids = [
  'public-validate-valid',
  'public-validate-invalid',
  'public-validate-facts',
  'api-keys-revoked-validate',
  'api-keys-made-identity',
  'api-keys-made-scopes',
  'account-me-caller',
] as const;
type Id = (typeof ids)[number];

const validations: Rule<Id> = ({ replies, keys }, judge) => {
  const all = replies.flatMap((reply) => {
    const token = validatedIn(reply);
    return token === undefined ? [] : [{ reply, token }];
  });
  const facts = new Facts(keys, judge);
  const areAnswered = all.some(({ reply }) => typeof validIn(reply) === 'boolean');
  for (const { reply, token } of all) {
    if (areAnswered) judgeAnswer(reply, token, keys, judge);
    judgeLife(reply, token, keys, judge);
    if (validIn(reply) === true) facts.judge(reply, token);
  }
};

/** A session is none, whatever the validation says of it. */
function isKey(token: string, keys: Keys): boolean {
  const owner = keys.ownerOf(token);
  return keys.of(token) !== undefined || (owner !== undefined && !isSession(owner));
}

/** What is no text is no key, whatever a look-up makes of it; one that holds a key may be read as that key. */
const others: Rule<Id> = ({ replies, keys }, { expect }) => {
  for (const reply of replies) {
    const body = bodyOf(reply);
    const isAsked =
      reply.operation === 'POST /auth/validate-api-key' && reply.request.headers.authorization === undefined;
    if (!isAsked || !wasAccepted(reply) || body === undefined || typeof body.api_key === 'string') continue;
    if (textsIn(body).some((text) => keys.ownerOf(text) !== undefined)) continue;
    const found = { expected: 'valid false, or a refusal', actual: dataOf(reply) };
    expect('public-validate-invalid', reply, validIn(reply) !== true, 'what is no text should be no valid key', found);
  }
};

/** Whatever text is asked about: a validation says whether it is valid, as others do. */
function judgeAnswer(reply: Reply, token: string, keys: Keys, { expect }: Judge<Id>): void {
  const id = isKey(token, keys) ? 'public-validate-valid' : 'public-validate-invalid';
  const found = { expected: 'true or false', actual: validIn(reply) };
  if (typeof validIn(reply) !== 'boolean')
    expect(id, reply, false, 'a validation should say whether the key is valid', found);
}

function judgeLife(reply: Reply, token: string, keys: Keys, { expect }: Judge<Id>): void {
  const valid = validIn(reply);
  const revoked = keys.of(token)?.revoked;
  if (isKey(token, keys) && keys.isLive(token, reply))
    expect('public-validate-valid', reply, valid !== false, 'a live key should be valid', {
      expected: true,
      actual: valid,
    });
  if (revoked && keys.isRevoked(token, reply))
    expect('api-keys-revoked-validate', reply, valid !== true, 'a revoked key should not be valid', {
      expected: false,
      actual: valid,
      because: [revoked],
    });
}

/** In whatever order. */
const listed = (reply: Reply): string => JSON.stringify([...new Set(scopesIn(reply))].sort());
const identity = ['user_id', 'account_id'];

/** What stays the same of one key; who it belongs to also of all keys that come of it. */
class Facts {
  private readonly first = new Map<string, Reply>();
  private readonly scopes = new Map<string, { readonly reply: Reply; readonly token: string }>();
  private readonly keys: Keys;
  private readonly verdict: Judge<Id>;

  constructor(keys: Keys, judge: Judge<Id>) {
    this.keys = keys;
    this.verdict = judge;
  }

  judge(reply: Reply, token: string): void {
    const owner = this.keys.ownerOf(token);
    const holds = this.compare(`key ${token}`, reply, identity, 'public-validate-facts');
    if (!holds || owner === undefined) return;
    // A session makes keys on whichever of its accounts is active.
    this.compare(`owner ${owner}`, reply, isSession(owner) ? ['user_id'] : identity, 'api-keys-made-identity');
    this.judgeScopes(reply, owner, token);
  }

  /** Keys of one user on one account have the scopes of the first that was asked about. */
  private judgeScopes(reply: Reply, owner: string, token: string): void {
    // What is said of a dead key is judged by itself.
    if (scopesIn(reply) === undefined || this.keys.isRevoked(token, reply)) return;
    const whose = `${owner} on ${String(at(dataOf(reply), 'account_id'))}`;
    const first = this.scopes.get(whose);
    this.scopes.set(whose, first ?? { reply, token });
    // A configured key says the same of itself, or it is its own matter.
    if (first === undefined || (this.keys.of(token) ?? this.keys.of(first.token)) === undefined) return;
    const message = 'keys of one user on one account should have the same scopes';
    this.verdict.expect('api-keys-made-scopes', reply, listed(first.reply) === listed(reply), message, {
      expected: scopesIn(first.reply),
      actual: scopesIn(reply),
      because: [first.reply],
    });
  }

  private compare(whose: string, reply: Reply, names: readonly string[], id: Id): boolean {
    const first = this.first.get(whose);
    this.first.set(whose, first ?? reply);
    if (first === undefined) return true;
    return names
      .map((name) => {
        const [expected, actual] = [first, reply].map((one) => at(dataOf(one), name));
        const found = { expected, actual, because: [first] };
        return this.verdict.expect(id, reply, expected === actual, `${name} should be that of the key`, found);
      })
      .every((holds) => holds);
  }
}

/** Profiles of two users are two. */
const profiles: Rule<Id> = ({ replies, keys }: World, { expect }) => {
  const users = new Map<string, unknown>();
  for (const reply of replies) {
    const owner = keys.ownerOf(validatedIn(reply));
    const user = at(dataOf(reply), 'user_id') ?? undefined;
    if (owner !== undefined && user !== undefined && !users.has(owner)) users.set(owner, user);
  }
  const userOf = (reply: Reply): unknown => users.get(keys.ownerOf(tokenOf(reply)) ?? '');
  const first = new Map<string, Reply>();
  for (const reply of replies) {
    if (reply.operation !== 'GET /me' || !isShown(reply) || userOf(reply) === undefined) continue;
    const profile = profileOf(dataOf(reply));
    const other = first.get(profile) ?? reply;
    first.set(profile, other);
    const found = { expected: 'two profiles', actual: 'the same profile', because: [other] };
    const holds = userOf(other) === userOf(reply);
    expect('account-me-caller', reply, holds, 'two users should get their own profiles', found);
  }
};

export const publicRules = rules(ids, validations, others, profiles);
