// The account that a session acts on, by its last switch or by X-Active-Account: each reply shows that one, and not another.
import {
  dataOf,
  instant,
  isObject,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  slugsIn,
  type Wrong,
  walk,
  wasAccepted,
} from '../../lib/index.ts';
import { unheededIn } from './heeded.ts';
import { wrong } from './judgement.ts';
import { sentBody } from './sent.ts';

export const sessionIds = [
  'account-active-switch-effect',
  'account-header-selects',
] as const satisfies readonly JudgedId[];

const session = 'COVENANT_JWT';
const change: OperationId = 'PATCH /me/active-account';
/** What shows an account by single values. */
const views: readonly (OperationId | undefined)[] = [
  'GET /me',
  'GET /billing/summary',
  'GET /billing/credits/balance',
  'GET /me/team-accounts',
  'GET /account/team',
];

interface View {
  readonly reply: Reply;
  readonly operation: OperationId;
  /** The slug of the account that it should show. */
  readonly account: string;
  readonly id: (typeof sessionIds)[number];
  readonly leaves: ReadonlyMap<string, string>;
}

/** Times are left out, because they may be those of the reply. */
function leavesOf(reply: Reply): ReadonlyMap<string, string> {
  const single = walk(dataOf(reply)).filter(({ value }) => !isObject(value) && !Array.isArray(value));
  return new Map(
    single
      .filter(({ value }) => !(typeof value === 'string' && instant(value) !== undefined))
      .map(({ path, value }) => [path.join('.'), JSON.stringify(value)]),
  );
}

/**
 * Where the last switch of a session has led it; undefined where that is not known. What refused switches and requests under
 * X-Active-Account leave of the preference are requirements of their own.
 */
function storedAt(reply: Reply, own: readonly Reply[]): string | undefined {
  const last = own.findLast((one) => one.operation === change && one.id <= reply.after);
  if (last === undefined || !wasAccepted(last) || last.undocumented || isElsewhere(last)) return undefined;
  const later = own.filter((one) => one.id > last.id && one.after < reply.id);
  if (later.some((one) => one !== reply && (one.operation === change || isElsewhere(one)))) return undefined;
  if (own.some((one) => one.operation === change && one !== last && one.id > last.after && one.id <= last.id))
    return undefined;
  const slug = sentBody(last)?.slug;
  return typeof slug === 'string' ? slug : undefined;
}

const isElsewhere = ({ request }: Reply): boolean => request.headers['x-active-account'] !== undefined;

function viewsOf({ replies, lost }: Story): readonly View[] {
  const slugs = new Set(replies.filter(({ operation }) => operation === 'GET /me/accounts').flatMap(ownSlugs));
  const isLost = lost.some(({ method, url }) => method === 'PATCH' && url.endsWith('/me/active-account'));
  const own = replies.filter(({ credential }) => credential === session);
  // Where values that are not known are ignored, a slug may be one of them.
  const isUnheeded = unheededIn(replies).has(session);
  return own.flatMap((reply): View[] => {
    const { operation, request, undocumented } = reply;
    if (operation === undefined || !views.includes(operation) || undocumented || !wasAccepted(reply)) return [];
    const header = request.headers['x-active-account'];
    const account = header ?? (isLost ? undefined : storedAt(reply, own));
    if (account === undefined || !slugs.has(account) || (header !== undefined && isUnheeded)) return [];
    const id = header === undefined ? 'account-active-switch-effect' : 'account-header-selects';
    return [{ reply, operation, account, id, leaves: leavesOf(reply) }];
  });
}

const ownSlugs = (reply: Reply): readonly string[] =>
  reply.credential === session && wasAccepted(reply) ? slugsIn(reply).map(({ slug }) => slug) : [];

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

/** Wherever the two accounts usually differ it shows the other one. */
function isOf(other: ReadonlyMap<string, string>, own: ReadonlyMap<string, string>, { leaves }: View): boolean {
  const differing = [...own].filter(([path, value]) => other.has(path) && other.get(path) !== value);
  return differing.length > 0 && differing.every(([path]) => leaves.get(path) === other.get(path));
}

export function judgeSessions(story: Story): readonly Wrong[] {
  const groups = new Map<string, Map<string, View[]>>();
  for (const view of viewsOf(story)) {
    const name = `${view.operation} ${view.id}`;
    const accounts = groups.get(name) ?? new Map<string, View[]>();
    groups.set(name, accounts.set(view.account, [...(accounts.get(view.account) ?? []), view]));
  }
  return [...groups.values()].flatMap((accounts) => {
    const usual = new Map([...accounts].map(([account, all]) => [account, usualIn(all)]));
    return [...accounts].flatMap(([account, all]) =>
      all.flatMap((view): readonly Wrong[] => {
        const own = usual.get(account) ?? new Map<string, string>();
        const other = [...usual].find(([name, values]) => name !== account && isOf(values, own, view));
        if (other === undefined) return [];
        const found = { expected: `what ${account} shows`, actual: `what ${other[0]} shows`, replies: [view.reply] };
        return [wrong(view.id, view.operation, 'a session should act on the account that it chose', found)];
      }),
    );
  });
}
