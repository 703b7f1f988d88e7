// The account that a session acts on, by its last switch or by X-Active-Account: what it is shown, and the keys that it makes.
import {
  type Accounts,
  accountHeaderOf,
  type Blame,
  blamed,
  grouped,
  isShown,
  type Judge,
  type Keys,
  type OperationId,
  otherwise,
  type Reply,
  type Rule,
  session,
  singleSlugs,
  tokenOf,
} from '../../lib/index.ts';
import { numberIn, scalarValuesOf } from '../shared/answer.ts';
import { accountViews, isWholeView } from './view-rules.ts';

export const sessionIds = [
  'account-active-refused-effect',
  'account-active-switch-effect',
  'account-header-selects',
  'account-header-temporary',
  'account-header-wins',
] as const;
type Id = (typeof sessionIds)[number];

export const sessions: Rule<Id> = ({ replies, accounts, keys }, judge) => {
  const shown = [...viewsIn(replies, accounts), ...creationsIn(keys, accounts)];
  const all = shown.sort((one, other) => one.reply.id - other.reply.id);
  judgeStored(all, accounts, judge);
  judgeNamed(all, accounts, judge);
};

/** A reply to the session, and the slug of the account that it shows; `slug` of the one that it should show. */
interface Shown {
  readonly reply: Reply;
  readonly slug: string;
  readonly actual: string;
}

/** A key is of the account that a validation reports of it: another account's is known by its record, or by an earlier key. */
function creationsIn(keys: Keys, accounts: Accounts): readonly Shown[] {
  return keys.all.flatMap(({ token, created }): Shown[] => {
    const slug = dueOf(created, accounts);
    const actual = accounts.slugOfKey(token, true);
    return slug === undefined || actual === undefined ? [] : [{ reply: created, slug, actual }];
  });
}

/** Whether a value of X-Active-Account is taken, and what is left of former requests, is judged. */
const dueOf = (reply: Reply, accounts: Accounts): string | undefined =>
  accountHeaderOf(reply) === undefined ? accounts.storedBy(reply)?.slug : accounts.namedBy(reply)?.slug;

type Leaves = ReadonlyMap<string, string>;

interface View {
  readonly reply: Reply;
  readonly slug: string;
  readonly leaves: Leaves;
}

/** Billing, the team and the profile, each account's as it usually is. */
function viewsIn(replies: readonly Reply[], accounts: Accounts): readonly Shown[] {
  const asked = replies.filter(
    (reply) => views.includes(reply.operation ?? 'GET /health') && isWholeView(reply) && isShown(reply),
  );
  return [...grouped(asked, ({ operation }) => operation).values()].flatMap((group) => {
    const viewed = (slugOf: (reply: Reply) => string | undefined): readonly View[] =>
      group.flatMap((reply) => {
        const slug = slugOf(reply);
        return slug === undefined ? [] : [{ reply, slug, leaves: scalarValuesOf(reply) }];
      });
    const ofSession = viewed((reply) => (reply.credential === session ? dueOf(reply, accounts) : undefined));
    const sure = viewed((reply) => (reply.credential === session ? accounts.slugOf(reply) : undefined));
    const ofKeys = viewed((reply) => (isOfKey(reply) ? accounts.slugOfKey(tokenOf(reply)) : undefined));
    const usual = usualOf(sure, ofKeys);
    return ofSession.flatMap((view): Shown[] => {
      const actual = shownIn(view, usual, [...sure, ...ofKeys]);
      return actual === undefined ? [] : [{ reply: view.reply, slug: view.slug, actual }];
    });
  });
}

const profile: OperationId = 'GET /me';
const views: readonly OperationId[] = [...accountViews, profile];
/** A key's view of its account; GET /me also shows the user, so it does not count. */
const isOfKey = (reply: Reply): boolean =>
  reply.operation !== profile && reply.credential !== session && accountHeaderOf(reply) === undefined;

/** How many views of an account show what is usual for it; by its keys fewer do, because a key stays on its account. */
const [usualMin, usualOfKeysMin] = [3, 2];
/** Of the views of an account so many at least show what it is. */
const shareMin = 0.6;

/** The values that nearly all views of an account show, by account. */
function usualOf(ofSession: readonly View[], ofKeys: readonly View[]): ReadonlyMap<string, Leaves> {
  const usual = new Map(
    [...grouped(ofSession, ({ slug }) => slug)].map(([slug, own]) => [slug, usualIn(own, usualMin)]),
  );
  for (const [slug, own] of grouped(ofKeys, (one) => one.slug)) {
    const values = usualIn(own, usualOfKeysMin);
    if (values.size > 0) usual.set(slug, values);
  }
  return usual;
}

function usualIn(all: readonly View[], min: number): Leaves {
  const values = grouped(
    all.flatMap(({ leaves }) => [...leaves]),
    ([path, value]) => JSON.stringify([path, value]),
  );
  const isUsual = ({ length }: readonly unknown[]): boolean => length >= min && length >= shareMin * all.length;
  return new Map([...values.values()].filter(isUsual).flatMap(([leaf]) => (leaf ? [leaf] : [])));
}

/** The account that it shows: its own, or another one's wherever the two usually differ; undefined where it may be either. */
function shownIn(view: View, usual: ReadonlyMap<string, Leaves>, all: readonly View[]): string | undefined {
  const own = usual.get(view.slug);
  if (own === undefined) return undefined;
  // Of an account that is alike, or that nobody has seen often, it says nothing.
  const others = [...usual].filter(([slug, values]) => slug !== view.slug && differing(own, values).length > 0);
  if (others.length === 0) return undefined;
  const other = others.find(([, values]) => isOf(values, own, view, all));
  if (other) return other[0];
  const isOwn = others.every(([, values]) =>
    differing(own, values).some(([path, value]) => view.leaves.get(path) === value),
  );
  return isOwn ? view.slug : undefined;
}

const differing = (own: Leaves, other: Leaves): readonly (readonly [path: string, value: string])[] =>
  [...own].filter(([path, value]) => other.has(path) && other.get(path) !== value);

/**
 * Where two accounts differ in numbers alone, one may have come from the other's or to it, as credits do that are spent:
 * then its own do not stand before it and after it.
 */
function isOf(other: Leaves, own: Leaves, { slug, leaves, reply }: View, all: readonly View[]): boolean {
  const between = differing(own, other);
  if (between.length === 0 || between.some(([path]) => leaves.get(path) !== other.get(path))) return false;
  const mayMove = between.every(([path, value]) =>
    [value, other.get(path)].every((one) => numberIn(one) !== undefined),
  );
  const usually = all.filter(
    (one) => one.slug === slug && between.every(([path, value]) => one.leaves.get(path) === value),
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

interface Facts {
  /** This operation shows another account also where nothing came after the switch. */
  readonly neverFollows: boolean;
  /** Since the session was last shown where it should be. */
  readonly refused: boolean;
  readonly named: boolean;
}

/** What moves a session that no switch has moved; of a refusal under the header it is not known which of the two did. */
const causes: Blame<Facts, Id | 'open'> = [
  [({ neverFollows, refused, named }) => neverFollows || !(refused || named), 'account-active-switch-effect'],
  [({ refused, named }) => refused && !named, 'account-active-refused-effect'],
  [({ refused }) => !refused, 'account-header-temporary'],
  [otherwise, 'open'],
];

const isNamed = (reply: Reply): boolean => accountHeaderOf(reply) !== undefined;

/** Without X-Active-Account: where the last switch led, and nothing else. */
function judgeStored(all: readonly Shown[], accounts: Accounts, { expect, count }: Judge<Id>): void {
  const bare = all.flatMap((one) => {
    const stored = isNamed(one.reply) ? undefined : accounts.storedBy(one.reply);
    return stored ? [{ one, stored }] : [];
  });
  const wrong = bare.filter(({ one }) => one.slug !== one.actual);
  const unmoved = new Set(
    wrong.filter(({ stored }) => stored.since.length === 0).map(({ one }) => one.reply.operation),
  );
  for (const { one, stored } of bare) {
    const { reply, slug, actual } = one;
    if (slug === actual) {
      count('account-active-switch-effect');
      if (stored.since.some(isNamed)) count('account-header-temporary');
      if (stored.since.some((former) => !isNamed(former))) count('account-active-refused-effect');
      continue;
    }
    const right = bare.findLast(
      (former) => former.one.reply.id <= reply.after && former.stored.by === stored.by && former.one.actual === slug,
    );
    const since = stored.since.filter(({ id }) => id > (right?.one.reply.after ?? 0));
    const id = blamed(causes, {
      neverFollows: unmoved.has(reply.operation),
      refused: since.some((former) => !isNamed(former) || former.request.method === 'PATCH'),
      named: since.some(isNamed),
    });
    if (id !== 'open') expect(id, reply, false, message, foundIn(one, stored.by, ...since.slice(-1)));
  }
}

interface Named {
  readonly one: Shown;
  /** The member of the account's record that it was named by. */
  readonly kind: string;
  /** Absent where it is not known what is stored. */
  readonly stored: ReturnType<Accounts['storedBy']>;
}

/** Under X-Active-Account: what it names, whatever is stored. */
function judgeNamed(all: readonly Shown[], accounts: Accounts, { expect, count }: Judge<Id>): void {
  const named = all.flatMap((one): Named[] => {
    const kind = accounts.namedBy(one.reply)?.kind;
    const stored = accounts.storedBy(one.reply);
    // Where both are the same it says nothing.
    return kind === undefined || stored?.slug === one.slug ? [] : [{ one, kind, stored }];
  });
  const taken = new Set(named.filter(({ one, stored }) => stored && one.slug === one.actual).map(({ kind }) => kind));
  if (taken.size === 0 && !isTold(named, all, accounts)) return;
  for (const { one, kind, stored } of named) {
    if (taken.size > 0 && !taken.has(kind)) continue;
    const isFresh = stored?.since.every(({ id }) => id > one.reply.after) && taken.has(kind);
    const id: Id = isFresh ? 'account-header-wins' : 'account-header-selects';
    const holds = one.slug === one.actual;
    if (holds && isFresh) count('account-header-selects');
    if (holds) count(id);
    else expect(id, one.reply, false, message, foundIn(one, ...(stored ? [stored.by] : [])));
  }
}

/** A target may take an identifier there, and a slug for nothing: that none is taken says something where each was tried. */
function isTold(named: readonly Named[], all: readonly Shown[], { kinds }: Accounts): boolean {
  if (named.every(({ stored }) => stored === undefined)) return areNamed(all);
  return kinds.every((kind) => named.some((one) => one.kind === kind));
}

/** Where nothing is known to be stored: most profiles show the slug that they were asked for under. */
function areNamed(all: readonly Shown[]): boolean {
  const profiles = all.filter(({ reply }) => reply.operation === profile && isNamed(reply));
  const slugs = new Set(profiles.map(({ slug }) => slug));
  const shown = profiles.flatMap(({ reply, slug }) => {
    const own = singleSlugs(reply).map((one) => one.slug);
    return own.some((one) => slugs.has(one)) ? [own.includes(slug)] : [];
  });
  return shown.filter(Boolean).length >= shareMin * shown.length;
}
