// Rules over account lists and profiles: a caller's lists agree, and a session's profile shows one of its accounts.
import {
  type Accounts,
  accountHeaderOf,
  at,
  grouped,
  isSession,
  isShown,
  type Judge,
  queryOf,
  type Reply,
  type Rule,
  singleSlugs,
  slugsIn,
  tokenOf,
} from '../../lib/index.ts';

export const lists: Rule = ({ replies, keys, accounts }, judge) => {
  const own = replies.filter((reply) => keys.ownerOf(tokenOf(reply)) !== undefined && isShown(reply));
  const callerOf = (reply: Reply): string => {
    const [token, owner = ''] = [tokenOf(reply), keys.ownerOf(tokenOf(reply))];
    // A session's key may list its own account only, so its lists are compared among themselves.
    return (keys.of(token) && isSession(owner) ? token : owner) ?? '';
  };
  for (const [caller, seen] of grouped(own, callerOf)) {
    const shown = seen.filter(isWhole);
    judgeLists(shown, judge);
    const known = new Set(shown.flatMap(slugsOf).map((slug) => slug.toLowerCase()));
    const profiles = seen.filter(({ operation }) => operation === 'GET /me');
    if (isSession(caller) && known.size > 0) judgeProfiles(profiles, known, accounts, judge);
  }
};

const slugsOf = (reply: Reply): readonly string[] => slugsIn(reply).map(({ slug }) => slug);
const isWhole = (reply: Reply): boolean =>
  reply.operation === 'GET /me/accounts' &&
  queryOf(reply).size === 0 &&
  at(reply.json, 'pagination', 'has_more') !== true;

/** The replies with the most frequent list. */
const usualOf = (all: readonly Reply[]): readonly Reply[] =>
  [...grouped(all, (reply) => [...slugsOf(reply)].sort().join()).values()].reduce(
    (most, some) => (some.length > most.length ? some : most),
    [],
  );

/** Every list between two replies with the caller's most frequent list must equal it. */
function judgeLists(all: readonly Reply[], { expect, count }: Judge): void {
  const usual = usualOf(all);
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

const isOfStored = (reply: Reply): boolean => accountHeaderOf(reply) === undefined;

/**
 * A session's profile shows a slug of one of its accounts. It may show none until the session has switched or a profile
 * has shown a stored account. Members that mostly hold such slugs must never hold only other slugs.
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
  const stored = profiles.find((reply) => isOfStored(reply) && slugsOf(reply).some(isKnown));
  for (const reply of profiles) {
    const actual = slugsOf(reply);
    const own = singleSlugs(reply).filter(({ path }) => isOfAccount(path));
    const isForeign = own.length > 0 && !own.some(({ slug }) => isKnown(slug));
    const mayBeNone = (stored === undefined || reply.after < stored.id) && accounts.storedBy(reply) === undefined;
    // A shown slug may belong to something else, such as the platform.
    const holds = !isForeign && (actual.some(isKnown) || mayBeNone);
    const message = 'GET /me should show the slug of an account of the session';
    expect('account-me-slug', reply, holds, message, { expected: [...known], actual });
  }
}
