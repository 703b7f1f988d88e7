// The account that a session acts on, by its last switch or by X-Active-Account: each reply shows that one, and not another.
import {
  accountHeaderOf,
  grouped,
  isShown,
  type OperationId,
  type Reply,
  type Rule,
  session,
  singleSlugs,
} from '../../lib/index.ts';
import { numberIn, scalarValuesOf } from '../shared/scalar-values.ts';
import { accountViews, isWholeView } from './view-rules.ts';

export const sessionIds = ['account-active-switch-effect', 'account-header-selects'] as const;
type Id = (typeof sessionIds)[number];

export const sessions: Rule<Id> = ({ replies, accounts }, { expect, count }) => {
  const all = replies.flatMap((reply): View[] => {
    const { operation, credential } = reply;
    const isView = operation !== undefined && (operation === 'GET /me' || accountViews.includes(operation));
    if (!isView || credential !== session || !isWholeView(reply) || !isShown(reply)) return [];
    const account = accounts.slugOf(reply);
    const id = accountHeaderOf(reply) === undefined ? 'account-active-switch-effect' : 'account-header-selects';
    return account === undefined ? [] : [{ reply, operation, account, id, leaves: scalarValuesOf(reply) }];
  });
  const judged = takesSlugs(all) ? all : all.filter(({ id }) => id !== 'account-header-selects');
  for (const group of grouped(judged, ({ operation, id }) => `${operation} ${id}`).values()) {
    const byAccount = grouped(group, ({ account }) => account);
    const usual = new Map([...byAccount].map(([account, views]) => [account, usualIn(views)]));
    for (const [account, views] of byAccount)
      for (const view of views) {
        const own = usual.get(account) ?? new Map<string, string>();
        const other = [...usual].find(([name, values]) => name !== account && isOf(values, own, view, views));
        if (other === undefined) {
          if (usual.size > 1 && own.size > 0) count(view.id);
          continue;
        }
        const found = { expected: `what ${account} shows`, actual: `what ${other[0]} shows` };
        expect(view.id, view.reply, false, 'a session should act on the account that it chose', found);
      }
  }
};

type Leaves = ReadonlyMap<string, string>;

interface View {
  readonly reply: Reply;
  readonly operation: OperationId;
  /** The slug of the account that it should show. */
  readonly account: string;
  readonly id: Id;
  readonly leaves: Leaves;
}

/** Fewer say nothing of what is usual. */
const usualMin = 3;
/** Of the views of an account, and of profiles under X-Active-Account, so many at least show what it is. */
const shareMin = 0.6;

/** The values that nearly all views of an account show. */
function usualIn(views: readonly View[]): Leaves {
  const values = grouped(
    views.flatMap(({ leaves }) => [...leaves]),
    ([path, value]) => JSON.stringify([path, value]),
  );
  const isUsual = ({ length }: readonly unknown[]): boolean => length >= usualMin && length >= shareMin * views.length;
  return new Map([...values.values()].filter(isUsual).flatMap(([leaf]) => (leaf ? [leaf] : [])));
}

/**
 * Wherever the two accounts usually differ it shows the other one. Where they differ in numbers alone, one may have come
 * from the other's or to it, as credits do that are spent: then its own do not stand before it and after it.
 */
function isOf(other: Leaves, own: Leaves, { leaves, reply }: View, views: readonly View[]): boolean {
  const differing = [...own].filter(([path, value]) => other.has(path) && other.get(path) !== value);
  if (differing.length === 0 || differing.some(([path]) => leaves.get(path) !== other.get(path))) return false;
  const mayMove = differing.every(([path, value]) =>
    [value, other.get(path)].every((one) => numberIn(one) !== undefined),
  );
  const usually = views.filter((one) => differing.every(([path, value]) => one.leaves.get(path) === value));
  const isAround = usually.some((one) => one.reply.id < reply.id) && usually.some((one) => one.reply.id > reply.id);
  return !mayMove || isAround;
}

/** A target may take an identifier in X-Active-Account, and a slug for nothing. */
function takesSlugs(views: readonly View[]): boolean {
  const known = new Set(views.map(({ account }) => account));
  const shown = views
    .filter(({ operation, id }) => operation === 'GET /me' && id === 'account-header-selects')
    .map(({ account, reply }) => ({ account, slugs: singleSlugs(reply).map(({ slug }) => slug) }))
    .filter(({ slugs }) => slugs.some((slug) => known.has(slug)));
  return shown.filter(({ account, slugs }) => slugs.includes(account)).length >= shareMin * shown.length;
}
