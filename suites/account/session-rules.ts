// Rules over the account a session acts on, by its last switch or X-Active-Account: its reads, and keys it creates.
import {
  type Accounts,
  grouped,
  isShown,
  isUnderHeader,
  type Judge,
  type JudgedId,
  type Keys,
  type Reply,
  type Rule,
  session,
  singleSlugs,
  tokenOf,
} from '../../lib/index.ts';
import { numberIn, scalarValuesOf } from '../shared/answer.ts';
import { isWholeView, profile, type View, views } from './view-rules.ts';

export const sessions: Rule = ({ replies, accounts, keys }, judge) => {
  const shown = [...viewsIn(replies, accounts), ...creationsIn(keys, accounts)];
  const all = shown
    .map((one) => ({ ...one, stored: accounts.storedBy(one.reply), kind: accounts.namedBy(one.reply)?.kind }))
    .sort((one, other) => one.reply.id - other.reply.id);
  judgeStored(all, judge);
  judgeNamed(all, accounts.kinds, judge);
};

/** A reply to the session: `slug` is the account it should show, `actual` the one it shows. */
interface Shown {
  readonly reply: Reply;
  readonly slug: string;
  readonly actual: string;
}

interface Judged extends Shown {
  /** Undefined if the stored account is unknown. */
  readonly stored: ReturnType<Accounts['storedBy']>;
  /** The member of an account record whose value X-Active-Account has. */
  readonly kind: string | undefined;
}

/** A key belongs to the account that its validation reports; its slug is known by account records or earlier keys. */
function creationsIn(keys: Keys, accounts: Accounts): readonly Shown[] {
  return keys.all.flatMap(({ token, created }): Shown[] => {
    const slug = dueOf(created, accounts);
    const actual = accounts.slugOfKey(token, true);
    return slug === undefined || actual === undefined ? [] : [{ reply: created, slug, actual }];
  });
}

/** The account due by the last switch or the header, even if other requests may wrongly have changed it. */
const dueOf = (reply: Reply, accounts: Accounts): string | undefined =>
  (isUnderHeader(reply) ? accounts.namedBy(reply) : accounts.storedBy(reply))?.slug;

type ScalarValues = ReadonlyMap<string, string>;

/** Reads of billing, team and profile, compared with the usual values of each account. */
function viewsIn(replies: readonly Reply[], accounts: Accounts): readonly Shown[] {
  const asked = replies.filter(
    (reply) => views.includes(reply.operation ?? 'GET /health') && isWholeView(reply) && isShown(reply),
  );
  return [...grouped(asked, ({ operation }) => operation).values()].flatMap((group) => {
    const viewed = (slugOf: (reply: Reply) => string | undefined): readonly View[] =>
      group.flatMap((reply) => {
        const account = slugOf(reply);
        return account === undefined ? [] : [{ reply, account, scalars: scalarValuesOf(reply) }];
      });
    const ofSession = viewed((reply) => dueOf(reply, accounts));
    const sure = viewed((reply) => (reply.credential === session ? accounts.slugOf(reply) : undefined));
    const ofKeys = viewed((reply) => (isOfKey(reply) ? accounts.slugOfKey(tokenOf(reply)) : undefined));
    const usual = usualOf(sure, ofKeys);
    return ofSession.flatMap((view): Shown[] => {
      const actual = shownIn(view, usual, [...sure, ...ofKeys]);
      return actual === undefined ? [] : [{ reply: view.reply, slug: view.account, actual }];
    });
  });
}

/** A key's view of its account; GET /me also shows the user, so it does not count. */
const isOfKey = (reply: Reply): boolean =>
  reply.operation !== profile && reply.credential !== session && !isUnderHeader(reply);

/** Minimum views for a usual value; fewer by keys, because a key stays on its account. */
const [usualMin, usualOfKeysMin] = [3, 2];
/** Minimum share of an account's views that show a usual value. */
const shareMin = 0.6;

/** The usual values of each account, by slug; those from keys replace those from the session. */
function usualOf(ofSession: readonly View[], ofKeys: readonly View[]): ReadonlyMap<string, ScalarValues> {
  const usual = new Map<string, ScalarValues>();
  for (const [views, min] of [[ofSession, usualMin] as const, [ofKeys, usualOfKeysMin] as const])
    for (const [slug, own] of grouped(views, ({ account }) => account)) {
      const values = usualIn(own, min);
      if (values.size > 0) usual.set(slug, values);
    }
  return usual;
}

function usualIn(all: readonly View[], min: number): ScalarValues {
  const values = grouped(
    all.flatMap(({ scalars }) => [...scalars]),
    ([path, value]) => JSON.stringify([path, value]),
  );
  const isUsual = ({ length }: readonly unknown[]): boolean => length >= min && length >= shareMin * all.length;
  return new Map([...values.values()].filter(isUsual).flatMap(([leaf]) => (leaf ? [leaf] : [])));
}

/** The account whose usual values the view shows wherever two accounts differ; undefined if that is not certain. */
function shownIn(view: View, usual: ReadonlyMap<string, ScalarValues>, all: readonly View[]): string | undefined {
  const own = usual.get(view.account);
  if (own === undefined) return undefined;
  // An account with equal values, or one seen too rarely, cannot be distinguished.
  const others = [...usual].filter(([slug, values]) => slug !== view.account && differing(own, values).length > 0);
  if (others.length === 0) return undefined;
  const other = others.find(([, values]) => isOf(values, own, view, all));
  if (other) return other[0];
  const isOwn = others.every(([, values]) =>
    differing(own, values).some(([path, value]) => view.scalars.get(path) === value),
  );
  return isOwn ? view.account : undefined;
}

const differing = (own: ScalarValues, other: ScalarValues): readonly (readonly [path: string, value: string])[] =>
  [...own].filter(([path, value]) => other.has(path) && other.get(path) !== value);

/**
 * If two accounts differ only in numbers, spending may turn one balance into the other: then it counts only if the own
 * values came before and after the reply.
 */
function isOf(
  other: ScalarValues,
  own: ScalarValues,
  { account, scalars, reply }: View,
  all: readonly View[],
): boolean {
  const between = differing(own, other);
  if (between.length === 0 || between.some(([path]) => scalars.get(path) !== other.get(path))) return false;
  const mayMove = between.every(([path, value]) =>
    [value, other.get(path)].every((one) => numberIn(one) !== undefined),
  );
  const usually = all.filter(
    (one) => one.account === account && between.every(([path, value]) => one.scalars.get(path) === value),
  );
  const isAround = usually.some((one) => one.reply.id < reply.id) && usually.some((one) => one.reply.id > reply.id);
  return !mayMove || isAround;
}

const message = 'a session should act on the account that it chose';
const foundIn = ({ slug, actual }: Shown, ...because: readonly Reply[]) => ({
  expected: `account ${slug}`,
  actual: `account ${actual}`,
  because,
});

/** What must not have changed the account: refused switches, and requests with the header. */
const causesOf = (since: readonly Reply[]): readonly JudgedId[] => [
  ...new Set(
    since.flatMap((reply): readonly JudgedId[] => {
      const isSwitch = reply.request.method === 'PATCH';
      const ofHeader = isUnderHeader(reply) ? (['account-header-temporary'] as const) : [];
      return [...ofHeader, ...(isSwitch ? (['account-active-refused-effect'] as const) : [])];
    }),
  ),
];

/** Without X-Active-Account a session acts on the account of its last switch. */
function judgeStored(all: readonly Judged[], { expect, count }: Judge): void {
  const bare = all.filter(({ reply, stored }) => stored && !isUnderHeader(reply));
  const wrong = bare.filter(({ slug, actual }) => slug !== actual);
  const unmoved = new Set(
    wrong.filter(({ stored }) => stored?.since.length === 0).map(({ reply: { operation } }) => operation),
  );
  for (const one of bare) {
    const { reply, slug, actual, stored } = one;
    if (stored === undefined) continue;
    if (slug === actual) {
      count('account-active-switch-effect', reply);
      for (const id of causesOf(stored.since)) count(id, reply);
      continue;
    }
    const right = bare.findLast(
      (former) => former.reply.id <= reply.after && former.stored?.by === stored.by && former.actual === slug,
    );
    const since = stored.since.filter(({ id }) => id > (right?.reply.after ?? 0));
    // An operation that shows another account even if nothing was sent since the switch never follows it.
    const [id = 'account-active-switch-effect', ...more] = unmoved.has(reply.operation) ? [] : causesOf(since);
    // It is unknown which of several causes it was.
    if (more.length === 0) expect(id, reply, false, message, foundIn(one, stored.by, ...since.slice(-1)));
  }
}

/** With X-Active-Account a session acts on the named account, whatever is stored. */
function judgeNamed(all: readonly Judged[], kinds: readonly string[], { expect, count }: Judge): void {
  // If the header names the stored account, the reply proves nothing.
  const named = all.filter(({ kind, slug, stored }) => kind !== undefined && stored?.slug !== slug);
  const acceptedNames = new Set(
    named.filter(({ slug, actual, stored }) => stored && slug === actual).map(({ kind }) => kind),
  );
  // A target may accept only one kind of name: ignoring all is a violation where each kind was tried. Without a known
  // stored account most profiles must show the slug that the header named.
  const provesIgnored = named.some(({ stored }) => stored)
    ? kinds.every((kind) => named.some((one) => one.kind === kind))
    : areNamed(all);
  if (acceptedNames.size === 0 && !provesIgnored) return;
  for (const one of named) {
    const { reply, slug, actual, kind, stored } = one;
    if (acceptedNames.size > 0 && !acceptedNames.has(kind)) continue;
    const isFresh = stored?.since.every(({ id }) => id > reply.after) && acceptedNames.has(kind);
    const id: JudgedId = isFresh ? 'account-header-wins' : 'account-header-selects';
    if (slug === actual && isFresh) count('account-header-selects', reply);
    expect(id, reply, slug === actual, message, foundIn(one, ...(stored ? [stored.by] : [])));
  }
}

/** Whether most profiles show the slug that the header named. */
function areNamed(all: readonly Shown[]): boolean {
  const profiles = all.filter(({ reply }) => reply.operation === profile && isUnderHeader(reply));
  const slugs = new Set(profiles.map(({ slug }) => slug));
  const shown = profiles.flatMap(({ reply, slug }) => {
    const own = singleSlugs(reply).map((one) => one.slug);
    return own.some((one) => slugs.has(one)) ? [own.includes(slug)] : [];
  });
  return shown.filter(Boolean).length >= shareMin * shown.length;
}
