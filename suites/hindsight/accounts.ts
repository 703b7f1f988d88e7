// The accounts that a caller is shown: the same ones throughout the run, and one of them in each profile of a session.
import {
  at,
  type JudgedId,
  type Reply,
  type Story,
  singleSlugs,
  slugsIn,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { isSession, queryOf, tokenOf } from './sent.ts';
import type { Tokens } from './tokens.ts';

export const accountIds = [
  'account-accounts-complete',
  'account-accounts-only-own',
  'account-me-slug',
] as const satisfies readonly JudgedId[];

const slugsOf = (reply: Reply): readonly string[] => slugsIn(reply).map(({ slug }) => slug);
const isWhole = (reply: Reply): boolean =>
  reply.operation === 'GET /me/accounts' &&
  wasAccepted(reply) &&
  queryOf(reply).size === 0 &&
  at(reply.json, 'pagination', 'has_more') !== true;

const sameFor = (reply: Reply): string => [...slugsOf(reply)].sort().join();

/** Those that show what most of them show. */
function usualOf(lists: readonly Reply[]): readonly Reply[] {
  const alike = new Map<string, Reply[]>();
  for (const one of lists) alike.set(sameFor(one), [...(alike.get(sameFor(one)) ?? []), one]);
  return [...alike.values()].reduce((most, some) => (some.length > most.length ? some : most), []);
}

/** Between two lists of a caller that show what most do, every other one does, too. */
function ofLists(lists: readonly Reply[]): readonly Wrong[] {
  const usual = usualOf(lists);
  const [first, last] = [usual[0], usual.at(-1)];
  if (first === undefined || last === undefined) return [];
  const expected = slugsOf(first);
  return lists.flatMap((reply): Wrong[] => {
    if (reply.id < first.id || reply.id > last.id) return [];
    const shown = slugsOf(reply);
    const isShort = expected.some((slug) => !shown.includes(slug));
    if (!isShort && shown.every((slug) => expected.includes(slug))) return [];
    const id = isShort ? 'account-accounts-complete' : 'account-accounts-only-own';
    return [
      wrong(id, 'GET /me/accounts', 'the same accounts should be listed throughout', {
        expected,
        actual: shown,
        replies: [first, reply, last],
      }),
    ];
  });
}

const isOfStored = ({ request, undocumented }: Reply): boolean =>
  request.headers['x-active-account'] === undefined && !undocumented;

/**
 * Of the slugs that a profile shows a session, one leads to an account; a session without an account may be shown none,
 * until it was shown that one is stored. Where most profiles show one of its accounts, all do.
 */
function ofProfiles(profiles: readonly Reply[], known: ReadonlySet<string>): readonly Wrong[] {
  const isKnown = (slug: string) => known.has(slug.toLowerCase());
  const all = profiles.flatMap(singleSlugs);
  const isOfAccount = (path: string): boolean => {
    const there = all.filter((one) => one.path === path);
    return there.filter(({ slug }) => isKnown(slug)).length > there.length / 2;
  };
  const stored = profiles.find((reply) => isOfStored(reply) && slugsOf(reply).some(isKnown));
  const mayBeNone = (reply: Reply): boolean => stored === undefined || reply.after < stored.id;
  return profiles.flatMap((reply): Wrong[] => {
    const shown = slugsOf(reply);
    const own = singleSlugs(reply).filter(({ path }) => isOfAccount(path));
    const strayed = own.length > 0 && !own.some(({ slug }) => isKnown(slug));
    // What is shown may be the slug of something else, such as the platform's.
    if (!strayed && (shown.some(isKnown) || mayBeNone(reply))) return [];
    return [
      wrong('account-me-slug', 'GET /me', 'GET /me should show the slug of an account of the session', {
        expected: [...known],
        actual: shown,
        replies: [reply],
      }),
    ];
  });
}

export function judgeAccounts({ replies }: Story, tokens: Tokens): readonly Wrong[] {
  const callers = new Map<string, Reply[]>();
  for (const reply of replies) {
    const token = tokenOf(reply);
    const root = tokens.rootOf(token);
    if (token === undefined || root === undefined || !wasAccepted(reply)) continue;
    // A session's keys may be shown their own account only.
    const caller = tokens.lifeOf(token) && isSession(root) ? token : root;
    callers.set(caller, [...(callers.get(caller) ?? []), reply]);
  }
  return [...callers].flatMap(([caller, seen]) => {
    const lists = seen.filter(isWhole);
    const known = new Set(lists.flatMap(slugsOf).map((slug) => slug.toLowerCase()));
    const profiles = isSession(caller) && known.size > 0 ? seen.filter(({ operation }) => operation === 'GET /me') : [];
    return [...ofLists(lists), ...ofProfiles(profiles, known)];
  });
}
