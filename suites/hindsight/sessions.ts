// The account that a session acts on, by its last switch or by X-Active-Account: each reply shows that one, and not another.
import {
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  singleSlugs,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { leavesOf, numberIn } from '../shared/leaves.ts';
import { wrong } from './judgement.ts';
import { accountViews, isWholeView } from './mixed.ts';
import { Choices, headerOf, session } from './whereabouts.ts';

export const sessionIds = [
  'account-active-switch-effect',
  'account-header-selects',
] as const satisfies readonly JudgedId[];

/** What shows an account by single values. */
const views: readonly (OperationId | undefined)[] = ['GET /me', ...accountViews];

interface View {
  readonly reply: Reply;
  readonly operation: OperationId;
  /** The slug of the account that it should show. */
  readonly account: string;
  readonly id: (typeof sessionIds)[number];
  readonly leaves: ReadonlyMap<string, string>;
}

function viewsOf(story: Story): readonly View[] {
  const choices = new Choices(story);
  const own = story.replies.filter(({ credential }) => credential === session);
  return own.flatMap((reply): View[] => {
    const { operation } = reply;
    if (operation === undefined || !views.includes(operation) || !isWholeView(reply) || !wasAccepted(reply)) return [];
    const account = choices.of(reply);
    if (account === undefined) return [];
    const id = headerOf(reply) === undefined ? 'account-active-switch-effect' : 'account-header-selects';
    return [{ reply, operation, account, id, leaves: leavesOf(reply) }];
  });
}

/** Fewer say nothing of what is usual. */
const usualMin = 3;

/** The values that nearly all views of an account show. */
function usualIn(all: readonly View[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { leaves } of all)
    for (const [path, value] of leaves) {
      const values = counts.get(path) ?? new Map<string, number>();
      counts.set(path, values.set(value, (values.get(value) ?? 0) + 1));
    }
  const usual = (values: ReadonlyMap<string, number>): string | undefined =>
    [...values].find(([, count]) => count >= usualMin && count >= 0.6 * all.length)?.[0];
  return new Map(
    [...counts].flatMap(([path, values]): [string, string][] => {
      const value = usual(values);
      return value === undefined ? [] : [[path, value]];
    }),
  );
}

type Leaves = ReadonlyMap<string, string>;

/**
 * Wherever the two accounts usually differ it shows the other one. Where they differ in numbers alone, one may have come
 * from the other's or to it, as credits do that are spent: then its own do not stand before it and after it.
 */
function isOf(other: Leaves, own: Leaves, { leaves, reply }: View, all: readonly View[]): boolean {
  const differing = [...own].filter(([path, value]) => other.has(path) && other.get(path) !== value);
  if (differing.length === 0 || differing.some(([path]) => leaves.get(path) !== other.get(path))) return false;
  const mayMove = differing.every(([path, value]) =>
    [value, other.get(path)].every((one) => numberIn(one) !== undefined),
  );
  const usually = all.filter((one) => differing.every(([path, value]) => one.leaves.get(path) === value));
  const [before, after] = [
    usually.some((one) => one.reply.id < reply.id),
    usually.some((one) => one.reply.id > reply.id),
  ];
  return !mayMove || (before && after);
}

/** Of profiles under X-Active-Account so many at least show the account that it names. */
const shareMin = 0.6;

/** A target may take an identifier there, and a slug for nothing. */
function takesSlugs(all: readonly View[]): boolean {
  const known = new Set(all.map(({ account }) => account));
  const shown = all
    .filter(({ operation, reply }) => operation === 'GET /me' && headerOf(reply) !== undefined)
    .map(({ account, reply }) => ({ account, slugs: singleSlugs(reply).map(({ slug }) => slug) }))
    .filter(({ slugs }) => slugs.some((slug) => known.has(slug)));
  return shown.filter(({ account, slugs }) => slugs.includes(account)).length >= shareMin * shown.length;
}

export function judgeSessions(story: Story): readonly Wrong[] {
  const groups = new Map<string, Map<string, View[]>>();
  const all = viewsOf(story);
  const isOpen = takesSlugs(all) ? undefined : 'account-header-selects';
  for (const view of all.filter(({ id }) => id !== isOpen)) {
    const name = `${view.operation} ${view.id}`;
    const accounts = groups.get(name) ?? new Map<string, View[]>();
    groups.set(name, accounts.set(view.account, [...(accounts.get(view.account) ?? []), view]));
  }
  return [...groups.values()].flatMap((accounts) => {
    const usual = new Map([...accounts].map(([account, all]) => [account, usualIn(all)]));
    return [...accounts].flatMap(([account, all]) =>
      all.flatMap((view): readonly Wrong[] => {
        const own = usual.get(account) ?? new Map<string, string>();
        const other = [...usual].find(([name, values]) => name !== account && isOf(values, own, view, all));
        if (other === undefined) return [];
        const found = { expected: `what ${account} shows`, actual: `what ${other[0]} shows`, replies: [view.reply] };
        return [wrong(view.id, view.operation, 'a session should act on the account that it chose', found)];
      }),
    );
  });
}
