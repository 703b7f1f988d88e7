// What validations and profiles say of each token: the same whenever it is asked, and of its own user.
import { at, dataOf, type JudgedId, type Reply, type Story, type Wrong, wasAccepted } from '../../lib/index.ts';
import { profileOf } from '../shared/profile.ts';
import { wrong } from './judgement.ts';
import { isSession, sentBody, tokenOf } from './sent.ts';
import type { Tokens } from './tokens.ts';

export const factIds = [
  'public-validate-valid',
  'public-validate-invalid',
  'public-validate-facts',
  'api-keys-revoked-validate',
  'api-keys-made-identity',
  'api-keys-made-scopes',
  'account-me-caller',
] as const satisfies readonly JudgedId[];

const operation = 'POST /auth/validate-api-key';

/** The key that a validation was asked about. */
export function validated(reply: Reply): string | undefined {
  if (reply.operation !== operation || !wasAccepted(reply) || reply.undocumented) return undefined;
  const key = sentBody(reply)?.api_key;
  return typeof key === 'string' ? key : undefined;
}

const isValid = (reply: Reply): boolean => at(dataOf(reply), 'valid') === true;

export function scopesOf(reply: Reply): readonly unknown[] | undefined {
  const scopes = at(dataOf(reply), 'scopes');
  return isValid(reply) && Array.isArray(scopes) ? scopes : undefined;
}

/** A session is none, whatever the validation says of it. */
const isKey = (token: string, tokens: Tokens): boolean =>
  tokens.lifeOf(token) !== undefined || !/JWT/.test(tokens.rootOf(token) ?? 'JWT');

function ofLife(reply: Reply, token: string, tokens: Tokens): readonly Wrong[] {
  const valid = at(dataOf(reply), 'valid');
  const end = tokens.lifeOf(token)?.end;
  if (valid === false && isKey(token, tokens) && tokens.isLive(token, reply))
    return [
      wrong('public-validate-valid', operation, 'a live key should be valid', {
        expected: true,
        actual: false,
        replies: [reply],
      }),
    ];
  if (valid === true && end && tokens.isDead(token, reply))
    return [
      wrong('api-keys-revoked-validate', operation, 'a revoked key should not be valid', {
        expected: false,
        actual: true,
        replies: [end, reply],
      }),
    ];
  return [];
}

const hasAnswer = (reply: Reply): boolean => typeof at(dataOf(reply), 'valid') === 'boolean';

/** Whatever text is asked about: a validation says whether it is valid, as others do. */
function ofAnswer(reply: Reply, token: string, tokens: Tokens): readonly Wrong[] {
  if (hasAnswer(reply)) return [];
  const id = isKey(token, tokens) ? 'public-validate-valid' : 'public-validate-invalid';
  const found = { expected: 'true or false', actual: at(dataOf(reply), 'valid'), replies: [reply] };
  return [wrong(id, operation, 'a validation should say whether the key is valid', found)];
}

/** In whatever order. */
const listed = (reply: Reply): string => JSON.stringify([...new Set(scopesOf(reply))].sort());

/** What stays the same of one key; who it belongs to also of all keys that come of it. */
class Facts {
  private readonly first = new Map<string, Reply>();
  private readonly scopes = new Map<string, { readonly reply: Reply; readonly token: string }>();

  judge(reply: Reply, token: string, tokens: Tokens): readonly Wrong[] {
    if (!isValid(reply)) return [];
    const root = tokens.rootOf(token);
    const names = ['user_id', 'account_id'] as const;
    const ofKey = this.compared(`key ${token}`, reply, names, 'public-validate-facts');
    if (ofKey.length > 0 || root === undefined) return ofKey;
    // A session makes keys on whichever of its accounts is active.
    return [
      ...this.compared(`family ${root}`, reply, isSession(root) ? ['user_id'] : names, 'api-keys-made-identity'),
      ...this.ofScopes(reply, root, token, tokens),
    ];
  }

  /** Keys of one user on one account have the scopes of the first that was asked about. */
  private ofScopes(reply: Reply, root: string, token: string, tokens: Tokens): readonly Wrong[] {
    // What is said of a dead key is judged by itself.
    if (scopesOf(reply) === undefined || tokens.isDead(token, reply)) return [];
    const whose = `${root} on ${String(at(dataOf(reply), 'account_id'))}`;
    const first = this.scopes.get(whose);
    this.scopes.set(whose, first ?? { reply, token });
    // A configured key says the same of itself, or it is its own matter.
    const isMade = [token, first?.token].some((one) => one !== undefined && tokens.lifeOf(one) !== undefined);
    if (first === undefined || !isMade || listed(first.reply) === listed(reply)) return [];
    return [
      wrong('api-keys-made-scopes', operation, 'keys of one user on one account should have the same scopes', {
        expected: scopesOf(first.reply),
        actual: scopesOf(reply),
        replies: [first.reply, reply],
      }),
    ];
  }

  private compared(
    whose: string,
    reply: Reply,
    names: readonly string[],
    id: (typeof factIds)[number],
  ): readonly Wrong[] {
    const first = this.first.get(whose);
    if (first === undefined) {
      this.first.set(whose, reply);
      return [];
    }
    return names.flatMap((name): Wrong[] => {
      const [expected, actual] = [first, reply].map((one) => at(dataOf(one), name));
      if (expected === actual) return [];
      return [wrong(id, operation, `${name} should be that of the key`, { expected, actual, replies: [first, reply] })];
    });
  }
}

/** Profiles of two users are two. */
function ofProfiles(profiles: readonly Reply[], userOf: (reply: Reply) => unknown): readonly Wrong[] {
  const first = new Map<string, Reply>();
  return profiles.flatMap((reply): Wrong[] => {
    const user = userOf(reply);
    if (user === undefined) return [];
    const profile = profileOf(dataOf(reply));
    const other = first.get(profile) ?? reply;
    first.set(profile, other);
    if (userOf(other) === user) return [];
    const found = { expected: 'two profiles', actual: 'the same profile', replies: [other, reply] };
    return [wrong('account-me-caller', 'GET /me', 'two users should get their own profiles', found)];
  });
}

export function judgeFacts({ replies }: Story, tokens: Tokens): readonly Wrong[] {
  const facts = new Facts();
  const users = new Map<string, unknown>();
  const areAnswered = replies.some((reply) => validated(reply) !== undefined && hasAnswer(reply));
  const found = replies.flatMap((reply) => {
    const token = validated(reply);
    if (token === undefined) return [];
    const root = tokens.rootOf(token);
    const user = at(dataOf(reply), 'user_id');
    if (root !== undefined && user !== undefined && user !== null && !users.has(root)) users.set(root, user);
    const unanswered = areAnswered ? ofAnswer(reply, token, tokens) : [];
    return [...unanswered, ...ofLife(reply, token, tokens), ...facts.judge(reply, token, tokens)];
  });
  const userOf = (reply: Reply): unknown => users.get(tokens.rootOf(tokenOf(reply)) ?? '');
  const profiles = replies.filter((reply) => reply.operation === 'GET /me' && wasAccepted(reply));
  return [...found, ...ofProfiles(profiles, userOf)];
}
