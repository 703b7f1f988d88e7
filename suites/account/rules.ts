// Rules of the account suite: profiles, account lists and the active account (Authentication, 9).
import {
  type Accounts,
  at,
  dataOf,
  grouped,
  identifierOf,
  isBare,
  isSession,
  isShown,
  isUnderHeader,
  itemsOf,
  type Judge,
  type Reply,
  type Rule,
  rules,
  session,
  singleSlugs,
  tokenOf,
  validatedIn,
  wasAccepted,
  wordOf,
} from '../../lib/index.ts';
import { hasSlug, slugsOf } from '../shared/answer.ts';
import { sessions } from './session-rules.ts';
import { switches } from './switch-rules.ts';
import { foreignExpected, foreignMessage, isWholeView, mixups } from './view-rules.ts';

/** The profile of who has an account shows its rate limits, and each listed account has a slug. */
const shown: Rule = ({ replies, accounts }, { expect }) => {
  for (const reply of replies.filter(isShown)) {
    // A session may have several accounts and have chosen none.
    const hasAccount = !isSession(reply.credential) || accounts.storedBy(reply) !== undefined;
    if (reply.operation === 'GET /me' && hasAccount) {
      const limits = at(dataOf(reply), 'platform', 'rate_limits') ?? undefined;
      const found = { expected: 'data.platform.rate_limits', actual: limits };
      expect('account-me-rate-limits', reply, limits !== undefined, 'GET /me should hold platform.rate_limits', found);
    }
    const nameless = reply.operation === 'GET /me/accounts' ? itemsOf(reply).filter((one) => !hasSlug(one)) : undefined;
    const found = { expected: 'a slug in each record', actual: nameless };
    if (nameless)
      expect('account-accounts-slugs', reply, nameless.length === 0, 'every listed account should have a slug', found);
  }
};

/** The configured session without an active account; a request may name one. */
const accountless = 'COVENANT_JWT_NO_ACCOUNT';

const undetermined: Rule = ({ replies }, { expect }) => {
  const own = replies.filter(({ credential }) => credential === accountless);
  const switched = own.find((one) => one.operation === 'PATCH /me/active-account' && wasAccepted(one));
  const asked = own.filter((one) => one.operation === 'GET /me/team-accounts' && isBare(one));
  // The configuration does not promise this user the scope: 403 is accepted unless some reply is 400.
  const mayLackScope = !asked.some(({ status }) => status === 400);
  for (const reply of asked) {
    const { status } = reply;
    if ([401, 429].includes(status) || status >= 500 || (status === 403 && mayLackScope)) continue;
    if (switched && switched.after < reply.id) continue;
    const message = 'without an account the team accounts should be refused with 400';
    expect('account-team-accounts-undetermined', reply, status === 400, message, { expected: 400, actual: status });
  }
};

/** A key keeps the account that validations report, and X-Active-Account makes none of another account. */
const keysOfAccounts: Rule = ({ replies, keys, accounts }, { expect }) => {
  const first = new Map<string, string>();
  for (const reply of replies) {
    const token = validatedIn(reply);
    const account = at(dataOf(reply), 'account_id') ?? undefined;
    const created = keys.of(token)?.created;
    if (token === undefined || account === undefined || created === undefined) continue;
    const [actual, expected] = [wordOf(account), first.get(token)];
    first.set(token, expected ?? actual);
    const found = { expected, actual, because: [created] };
    if (expected !== undefined)
      expect('account-active-key-unmoved', reply, actual === expected, 'a key should stay on its account', found);
    else if (accounts.isUnderForeign(created)) {
      const due = { ...found, expected: 'a refusal, or a key of an account of the session' };
      expect('account-header-foreign', reply, !accounts.isOfOthers(actual), foreignMessage, due);
    } else if (isUnderHeader(created) && created.credential !== session) {
      const ofMaker = accounts.ofToken(tokenOf(created));
      const message = 'a key should be of the account of the key that made it, whatever the header says';
      if (ofMaker !== undefined)
        expect('account-header-key-unmoved', reply, actual === ofMaker, message, { ...found, expected: ofMaker });
    }
  }
};

const kinds = { 'GET /companies': ['company', 'name'], 'GET /contacts': ['contact', 'last_name'] } as const;

/** Under a foreign X-Active-Account a list must not show records that only keys of other accounts see. */
const foreignLists: Rule = ({ replies, accounts }, { expect }) => {
  for (const [operation, [kind, name]] of Object.entries(kinds)) {
    const all = replies.filter((reply) => reply.operation === operation && wasAccepted(reply));
    const marksIn = (reply: Reply): readonly string[] =>
      itemsOf(reply).map((item) => JSON.stringify([identifierOf(kind, item), item[name]]));
    const isOfOthers = (reply: Reply): boolean =>
      reply.credential !== session && accounts.isOfOthers(accounts.of(reply) ?? '');
    const foreign = all.filter((reply) => accounts.isUnderForeign(reply));
    const others = new Set(all.filter((one) => isOfOthers(one) && isShown(one)).flatMap(marksIn));
    for (const one of all.filter((reply) => !isOfOthers(reply) && !foreign.includes(reply)))
      for (const mark of marksIn(one)) others.delete(mark);
    for (const reply of foreign) {
      const actual = marksIn(reply).filter((mark) => others.has(mark));
      const found = { expected: foreignExpected, actual };
      if (others.size > 0) expect('account-header-foreign', reply, actual.length === 0, foreignMessage, found);
    }
  }
};

/** The lists of a caller agree. */
const lists: Rule = ({ replies, keys, accounts }, judge) => {
  const own = replies.filter((reply) => keys.ownerOf(tokenOf(reply)) !== undefined && isShown(reply));
  const callerOf = (reply: Reply): string => {
    const [token, owner = ''] = [tokenOf(reply), keys.ownerOf(tokenOf(reply))];
    // A session's key may list its own account only, so its lists are compared among themselves.
    return (keys.of(token) && isSession(owner) ? token : owner) ?? '';
  };
  for (const [caller, seen] of grouped(own, callerOf)) {
    const shown = seen.filter((reply) => reply.operation === 'GET /me/accounts' && isWholeView(reply));
    judgeLists(shown, judge);
    const known = new Set(shown.flatMap(slugsOf).map((slug) => slug.toLowerCase()));
    const profiles = seen.filter(({ operation }) => operation === 'GET /me');
    if (isSession(caller) && known.size > 0) judgeProfiles(profiles, known, accounts, judge);
  }
};

/** Every list between two occurrences of the caller's most frequent list must equal it. */
function judgeLists(all: readonly Reply[], { expect, count }: Judge): void {
  const groups = [...grouped(all, (reply) => [...slugsOf(reply)].sort().join()).values()];
  const [usual = []] = groups.sort((one, other) => other.length - one.length);
  const [first, last] = [usual[0], usual.at(-1)];
  if (first === undefined || last === undefined) return;
  const expected = slugsOf(first);
  for (const reply of all) {
    if (reply.id <= first.id || reply.id >= last.id) continue;
    const actual = slugsOf(reply);
    const isShort = expected.some((slug) => !actual.includes(slug));
    const holds = !isShort && actual.every((slug) => expected.includes(slug));
    const id = isShort ? 'account-accounts-complete' : 'account-accounts-only-own';
    const found = { expected, actual, because: [first, last] };
    if (holds) for (const one of ['account-accounts-complete', 'account-accounts-only-own'] as const) count(one, reply);
    else expect(id, reply, false, 'the same accounts should be listed throughout', found);
  }
}

/**
 * A session's profile shows a slug of one of its accounts. It may show none until the session has switched or a profile
 * has shown a stored account, and under a header, whose value need not name one. Members that mostly hold such slugs
 * must never hold only other slugs.
 */
function judgeProfiles(
  profiles: readonly Reply[],
  known: ReadonlySet<string>,
  accounts: Accounts,
  { expect }: Judge,
): void {
  const isKnown = (slug: string): boolean => known.has(slug.toLowerCase());
  const all = profiles.flatMap(singleSlugs);
  const isOfAccount = (path: string): boolean => {
    const there = all.filter((one) => one.path === path);
    return there.filter(({ slug }) => isKnown(slug)).length > there.length / 2;
  };
  const stored = profiles.find((reply) => !isUnderHeader(reply) && slugsOf(reply).some(isKnown));
  for (const reply of profiles) {
    const actual = slugsOf(reply);
    const own = singleSlugs(reply).filter(({ path }) => isOfAccount(path));
    const isForeign = own.length > 0 && !own.some(({ slug }) => isKnown(slug));
    const isUnstored = (stored === undefined || reply.after < stored.id) && accounts.storedBy(reply) === undefined;
    const mayBeNone = isUnstored || isUnderHeader(reply);
    // A shown slug may belong to something else, such as the platform.
    const holds = !isForeign && (actual.some(isKnown) || mayBeNone);
    const message = 'GET /me should show the slug of an account of the session';
    expect('account-me-slug', reply, holds, message, { expected: [...known], actual });
  }
}

export const accountRules = rules(
  ['api-keys-made-identity'],
  shown,
  undetermined,
  keysOfAccounts,
  foreignLists,
  lists,
  sessions,
  switches,
  mixups,
);
