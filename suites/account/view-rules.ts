// Rules against data of one account in replies for another: a view changes and back, or the header is foreign.
import {
  type Accounts,
  at,
  computedOnce,
  grouped,
  isSession,
  isShown,
  isUnderHeader,
  type Judge,
  type JudgedId,
  type Keys,
  type OperationId,
  queryOf,
  type Reply,
  type Rule,
  session,
  tokenOf,
  wasAccepted,
} from '../../lib/index.ts';
import { numberIn, scalarValuesOf } from '../shared/answer.ts';

export const mixups: Rule = ({ replies, keys, accounts }, judge) => {
  for (const operation of views) {
    const asked = replies.filter(
      (reply) =>
        reply.operation === operation &&
        // Under a foreign header the status is open, but not what the reply may show.
        (isShown(reply) || (wasAccepted(reply) && accounts.isUnderForeign(reply))) &&
        isWholeView(reply) &&
        !(operation === profile && isSession(reply.credential)),
    );
    const whole = asked.map(
      (reply): View => ({ reply, account: accounts.of(reply) ?? unknownAccount, scalars: scalarValuesOf(reply) }),
    );
    const isForeign = ({ reply }: View): boolean => accounts.isUnderForeign(reply);
    const seen = whole.map(
      withoutCountersOf(whole.filter((view) => view.account !== unknownAccount || isForeign(view))),
    );
    const known = seen.filter(({ account }) => account !== unknownAccount);
    const others = seen.filter(({ account }) => account === unknownAccount);
    judgeKnown(known, keys, judge);
    countRefused(replies, operation, accounts, judge);
    if (operation === profile) judgeUnknown(known, others, judge);
    const own = accounts.ofSession;
    if (own) judgeForeign(known, others.filter(isForeign), own, judge);
  }
};

/** The violation by a foreign X-Active-Account, and what is expected under one. */
export const foreignMessage = 'no header should open an account of others';
export const foreignExpected = 'a refusal, or what is seen without the header';
/** Reads that show the account and nothing of the caller. */
export const accountViews: readonly OperationId[] = [
  'GET /billing/summary',
  'GET /billing/credits/balance',
  'GET /me/team-accounts',
  'GET /account/team',
];
/** Also shows the account of a key; for a session it may show the user and all accounts. */
export const profile: OperationId = 'GET /me';
export const views: readonly OperationId[] = [...accountViews, profile];

/** Complete and asked for without parameters: the team's row names none, and a single page shows less. */
export const isWholeView = (reply: Reply): boolean =>
  queryOf(reply).size === 0 && at(reply.json, 'pagination', 'has_more') !== true;

export interface View {
  readonly reply: Reply;
  readonly account: string;
  readonly scalars: ReadonlyMap<string, string>;
}

/** Stands for an unknown account. */
const unknownAccount = '';

/** Leaves out counters and times: members with more values than there are accounts plus one. */
function withoutCountersOf(all: readonly View[]): (view: View) => View {
  const most = new Set(all.map(({ account }) => account).filter((account) => account !== unknownAccount)).size + 1;
  const values = new Map<string, Set<string>>();
  for (const { scalars } of all)
    for (const [path, value] of scalars) values.set(path, (values.get(path) ?? new Set()).add(value));
  const stays = ([path]: readonly [string, string]): boolean => (values.get(path)?.size ?? 0) <= most;
  return (view) => ({ ...view, scalars: new Map([...view.scalars].filter(stays)) });
}

const stateOf = computedOnce(({ scalars }: View): string => JSON.stringify([...scalars].sort()));

/** Minimum length: two accounts may share shorter values, such as small numbers, by chance. */
const distinctiveMin = 3;
/** A member that only one view has does not count: nodes may show different members. */
const differs = (view: View, from: View): boolean =>
  [...view.scalars].some(([path, value]) => {
    const other = from.scalars.get(path);
    return value.length >= distinctiveMin && other !== undefined && other !== value;
  });

/** Numbers so far apart are neither two spellings of one value nor the balance that a slow node still shows. */
const apartMin = 100;
const areApart = (one: string, other: string): boolean =>
  Math.abs((numberIn(one) ?? Number.NaN) - (numberIn(other) ?? Number.NaN)) >= apartMin;

/**
 * Whether a view lacks a value of the former one that the other account never shows. If nodes write a value in two ways,
 * both accounts show both.
 */
function isOnlyOf({ account }: View, view: View, former: View, all: readonly View[]): boolean {
  const others = all.filter((one) => one.account === account);
  return [...former.scalars].some(([path, value]) => {
    const seen = view.scalars.get(path);
    const isOther = seen !== undefined && seen !== value && seen.length >= distinctiveMin;
    return isOther && (areApart(value, seen) || others.every(({ scalars }) => scalars.get(path) !== value));
  });
}

/** A differing view of the same account that came before and came again later; undefined if it did not come back. */
function formerOf(view: View, own: readonly View[]): View | undefined {
  const others = own.filter((one) => differs(view, one));
  const before = others.filter(({ reply }) => reply.id <= view.reply.after);
  const again = new Set(others.filter(({ reply }) => reply.after >= view.reply.id).map(stateOf));
  return before.findLast((one) => again.has(stateOf(one)));
}

/** The requirement for a key: by the header at its creation, and by whether it showed its account before. */
function idOfKey({ reply }: View, former: View, all: readonly View[], keys: Keys): JudgedId {
  const created = keys.of(tokenOf(reply))?.created;
  if (created && isUnderHeader(created))
    return created.credential === session ? 'account-header-selects' : 'account-header-key-unmoved';
  const wasThere = all.some(
    (one) => tokenOf(one.reply) === tokenOf(reply) && one.reply.id < reply.id && stateOf(one) === stateOf(former),
  );
  return created && !wasThere ? 'api-keys-made-identity' : 'account-active-key-unmoved';
}

function idOf(view: View, former: View, all: readonly View[], keys: Keys): JudgedId {
  const { operation, credential } = view.reply;
  const isUnder = isUnderHeader(view.reply);
  if (operation === profile && !isUnder) return 'account-me-caller';
  if (credential === session) return isUnder ? 'account-header-selects' : 'account-active-switch-effect';
  return isUnder ? 'account-header-key-unmoved' : idOfKey(view, former, all, keys);
}

/** Counts refusals of a header that selects no other account: they are correct. */
function countRefused(replies: readonly Reply[], operation: OperationId, accounts: Accounts, { count }: Judge): void {
  for (const reply of replies) {
    const isRefused = reply.operation === operation && [400, 403, 404, 422].includes(reply.status);
    if (!isRefused || !isUnderHeader(reply)) continue;
    if (accounts.isUnderForeign(reply)) count('account-header-foreign', reply);
    else if (!isSession(reply.credential)) count('account-header-key-unmoved', reply);
  }
}

/** Views of the account that a view is of, those of other accounts, and all whose account is known. */
type Sides = Readonly<Record<'own' | 'others' | 'all', readonly View[]>>;

/** Violation: a view equals one of another account, though views of its own account before and after it differ. */
function judgeView(view: View, { own, others, all }: Sides, idOf: (former: View) => JudgedId, judge: Judge): void {
  const other = others.find((one) => stateOf(one) === stateOf(view));
  const former = other && formerOf(view, own);
  if (!former || !isOnlyOf(other, view, former, all)) return;
  const id = idOf(former);
  const isForeign = id === 'account-header-foreign';
  const message = isForeign ? foreignMessage : 'one account should not be shown as another';
  judge.expect(id, view.reply, false, message, {
    expected: isForeign ? foreignExpected : `what account ${view.account} was shown as before, and again later`,
    actual: `what account ${other.account} is shown as`,
    because: [former.reply, other.reply],
  });
}

function judgeKnown(all: readonly View[], keys: Keys, judge: Judge): void {
  for (const [account, own] of grouped(all, (view) => view.account)) {
    const others = all.filter((one) => one.account !== account);
    for (const view of own) {
      const { reply } = view;
      if (!isSession(reply.credential) && others.some((one) => differs(view, one)))
        judge.count(isUnderHeader(reply) ? 'account-header-key-unmoved' : 'account-active-key-unmoved', reply);
      judgeView(view, { own, others, all }, (former) => idOf(view, former, all, keys), judge);
    }
  }
}

/** A view under a foreign header must not show a foreign account. */
function judgeForeign(
  all: readonly View[],
  foreign: readonly View[],
  accounts: ReadonlySet<string>,
  judge: Judge,
): void {
  const own = all.filter(({ account }) => accounts.has(account));
  const others = all.filter(({ account }) => !accounts.has(account));
  for (const view of foreign) {
    if (others.length > 0 || own.some((one) => stateOf(one) === stateOf(view)))
      judge.count('account-header-foreign', view.reply);
    if (own.every((one) => differs(view, one)))
      judgeView(view, { own, others, all }, () => 'account-header-foreign', judge);
  }
}

/** Keys of unknown account: each shows one account only, recognised by the views of keys whose account is known. */
function judgeUnknown(all: readonly View[], unknown: readonly View[], { expect }: Judge): void {
  // A view under a header may itself be wrong, so it is no reference.
  const states = grouped(
    all.filter(({ reply }) => !isUnderHeader(reply)),
    stateOf,
  );
  const shown = unknown.flatMap((view): readonly View[] => {
    const [account, ...more] = new Set(states.get(stateOf(view))?.map((one) => one.account));
    return account === undefined || more.length > 0 ? [] : [{ ...view, account }];
  });
  for (const view of shown) {
    const others = shown.filter(
      ({ reply, account }) => account !== view.account && tokenOf(reply) === tokenOf(view.reply),
    );
    const before = others.findLast(({ reply }) => reply.id <= view.reply.after);
    const again = others.find(({ reply, account }) => account === before?.account && reply.after >= view.reply.id);
    if (before === undefined || again === undefined) continue;
    const because = [before.reply, again.reply];
    const isUnder = [...because, view.reply].some((reply) => isUnderHeader(reply));
    const id = isUnder ? 'account-header-key-unmoved' : 'account-active-key-unmoved';
    const found = { expected: `account ${before.account}, as before and again later`, actual: view.account, because };
    expect(id, view.reply, false, 'a key should be shown one account', found);
  }
}
