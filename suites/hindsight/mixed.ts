// An account that is shown as it is, then as another one, and again as it is: somebody's answer was another's; and a session
// that is shown an account of others.
import {
  at,
  computedOnce,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { leavesOf } from '../shared/leaves.ts';
import { wrong } from './judgement.ts';
import { isSession, tokenOf } from './sent.ts';
import type { Tokens } from './tokens.ts';
import { headerOf, session, Whereabouts } from './whereabouts.ts';

export const mixedIds = [
  'account-active-key-unmoved',
  'account-active-switch-effect',
  'account-header-foreign',
  'account-header-key-unmoved',
  'account-header-selects',
  'account-me-caller',
  'api-keys-made-identity',
] as const satisfies readonly JudgedId[];

/** What shows an account, and nothing of who asks. */
export const accountViews: readonly (OperationId | undefined)[] = [
  'GET /billing/summary',
  'GET /billing/credits/balance',
  'GET /me/team-accounts',
  'GET /account/team',
];

/** What shows it as well, to keys: of a session it shows the user and all of its accounts, perhaps. */
const profile: OperationId = 'GET /me';

interface View {
  readonly reply: Reply;
  readonly account: string;
  readonly leaves: ReadonlyMap<string, string>;
}

/** In the place of an account: the session's, under a value that names none of its own. */
const nowhere = '';

/** Leaves out what moves by itself: it has more values than there are accounts, and one. */
function withoutCountersOf(all: readonly View[]): (view: View) => View {
  const most = new Set(all.map(({ account }) => account).filter((account) => account !== nowhere)).size + 1;
  const values = new Map<string, Set<string>>();
  for (const { leaves } of all)
    for (const [path, value] of leaves) values.set(path, (values.get(path) ?? new Set()).add(value));
  const stays = ([path]: readonly [string, string]): boolean => (values.get(path)?.size ?? 0) <= most;
  return (view) => ({ ...view, leaves: new Map([...view.leaves].filter(stays)) });
}

const stateOf = computedOnce(({ leaves }: View): string => JSON.stringify([...leaves].sort()));

/** Shorter values, such as small numbers, two accounts may share by chance. */
const tellingMin = 3;
/** A member that one of them lacks may be one of another node. */
const differs = (view: View, from: View): boolean =>
  [...view.leaves].some(([path, value]) => {
    const other = from.leaves.get(path);
    return value.length >= tellingMin && other !== undefined && other !== value;
  });

/**
 * Whether a view shows what only the other account is shown as: its own account's value is never that one's. Two nodes that
 * name a value in two ways show both of either.
 */
function isOnlyOf({ account }: View, view: View, former: View, all: readonly View[]): boolean {
  const others = all.filter((one) => one.account === account);
  return [...former.leaves].some(([path, value]) => {
    const seen = view.leaves.get(path);
    const isOther = seen !== undefined && seen !== value && seen.length >= tellingMin;
    return isOther && others.every(({ leaves }) => leaves.get(path) !== value);
  });
}

/** What the account was shown as before, and again later; undefined where it does not go back. */
function formerOf(view: View, own: readonly View[]): View | undefined {
  const others = own.filter((one) => differs(view, one));
  const before = others.filter(({ reply }) => reply.id <= view.reply.after);
  const again = new Set(others.filter(({ reply }) => reply.after >= view.reply.id).map(stateOf));
  return before.findLast((one) => again.has(stateOf(one)));
}

/** Of a key: whether it was where it belongs before, and what stood beside its creation. */
function dutyOfKey({ reply }: View, former: View, all: readonly View[], tokens: Tokens): (typeof mixedIds)[number] {
  const born = tokens.lifeOf(tokenOf(reply))?.born;
  if (born && headerOf(born) !== undefined)
    return born.credential === session ? 'account-header-selects' : 'account-header-key-unmoved';
  const wasThere = all.some(
    (one) => tokenOf(one.reply) === tokenOf(reply) && one.reply.id < reply.id && stateOf(one) === stateOf(former),
  );
  return born && !wasThere ? 'api-keys-made-identity' : 'account-active-key-unmoved';
}

function dutyOf(view: View, former: View, all: readonly View[], tokens: Tokens): (typeof mixedIds)[number] {
  const { reply } = view;
  const isUnder = headerOf(reply) !== undefined;
  if (reply.operation === profile && !isUnder) return 'account-me-caller';
  if (reply.credential === session) return isUnder ? 'account-header-selects' : 'account-active-switch-effect';
  return isUnder ? 'account-header-key-unmoved' : dutyOfKey(view, former, all, tokens);
}

function ofOperation(operation: OperationId, all: readonly View[], tokens: Tokens): readonly Wrong[] {
  const states = new Map<string, View[]>();
  for (const view of all) states.set(stateOf(view), [...(states.get(stateOf(view)) ?? []), view]);
  return all.flatMap((view): readonly Wrong[] => {
    const other = states.get(stateOf(view))?.find(({ account }) => account !== view.account);
    const former =
      other &&
      formerOf(
        view,
        all.filter(({ account }) => account === view.account),
      );
    if (other === undefined || former === undefined || !isOnlyOf(other, view, former, all)) return [];
    const found = {
      expected: `what account ${view.account} was shown as before, and again later`,
      actual: `what account ${other.account} is shown as`,
      replies: [former.reply, other.reply, view.reply],
    };
    return [wrong(dutyOf(view, former, all, tokens), operation, 'one account should not be shown as another', found)];
  });
}

/** Under a value that names none of its accounts: shown like no own account, which are as they were before, and as one of others is. */
function ofForeign(
  operation: OperationId,
  all: readonly View[],
  strayed: readonly View[],
  accounts: ReadonlySet<string>,
): readonly Wrong[] {
  const own = all.filter(({ account }) => accounts.has(account));
  const others = all.filter(({ account }) => !accounts.has(account));
  return strayed.flatMap((view): readonly Wrong[] => {
    const other = others.find((one) => stateOf(one) === stateOf(view));
    const former = own.every((one) => differs(view, one)) ? formerOf(view, own) : undefined;
    if (other === undefined || former === undefined || !isOnlyOf(other, view, former, all)) return [];
    const found = {
      expected: 'a refusal, or what is seen without the header',
      actual: `what account ${other.account} is shown as`,
      replies: [former.reply, other.reply, view.reply],
    };
    return [wrong('account-header-foreign', operation, 'no header should open an account of others', found)];
  });
}

/** Of keys whose account nobody knows: whichever it is, a key is shown one, as the keys that are known to be of it. */
function ofUnknown(all: readonly View[], unknown: readonly View[]): readonly Wrong[] {
  const accounts = new Map<string, string>();
  // Under a header a key may just be shown what is wrong.
  for (const view of all.filter(({ reply }) => headerOf(reply) === undefined)) {
    const known = accounts.get(stateOf(view)) ?? view.account;
    accounts.set(stateOf(view), known === view.account ? known : nowhere);
  }
  const shown = unknown.map((view) => ({ ...view, account: accounts.get(stateOf(view)) ?? nowhere }));
  return shown.flatMap((view): readonly Wrong[] => {
    const isOther = ({ reply, account }: View): boolean =>
      ![nowhere, view.account].includes(account) && tokenOf(reply) === tokenOf(view.reply);
    const others = view.account === nowhere ? [] : shown.filter(isOther);
    const before = others.findLast(({ reply }) => reply.id <= view.reply.after);
    const again = others.find(({ reply, account }) => account === before?.account && reply.after >= view.reply.id);
    if (before === undefined || again === undefined) return [];
    const replies = [before.reply, view.reply, again.reply];
    const isUnder = replies.some((reply) => headerOf(reply) !== undefined);
    const duty = isUnder ? 'account-header-key-unmoved' : 'account-active-key-unmoved';
    const found = { expected: `account ${before.account}, as before and again later`, actual: view.account, replies };
    return [wrong(duty, profile, 'a key should be shown one account', found)];
  });
}

/** What else a list of members is asked for with is its own matter: its row names no parameters; a part of one shows less. */
export const isWholeView = ({ request, json, undocumented }: Reply): boolean =>
  !undocumented && new URL(request.url).search === '' && at(json, 'pagination', 'has_more') !== true;

export function judgeMixed(story: Story, tokens: Tokens): readonly Wrong[] {
  const whereabouts = new Whereabouts(story, tokens);
  return [...accountViews, profile].flatMap((operation) => {
    const asked = story.replies.filter(
      (reply) =>
        reply.operation === operation &&
        wasAccepted(reply) &&
        isWholeView(reply) &&
        !(operation === profile && isSession(reply.credential)),
    );
    const views = asked.map(
      (reply): View => ({ reply, account: whereabouts.of(reply) ?? nowhere, leaves: leavesOf(reply) }),
    );
    const isStrayed = ({ reply }: View): boolean => whereabouts.isStrayed(reply);
    const seen = views.map(withoutCountersOf(views.filter((view) => view.account !== nowhere || isStrayed(view))));
    const all = seen.filter(({ account }) => account !== nowhere);
    const others = seen.filter(({ account }) => account === nowhere);
    if (operation === undefined) return [];
    const strayed = others.filter(isStrayed);
    const { accounts } = whereabouts;
    return [
      ...ofOperation(operation, all, tokens),
      ...(operation === profile ? ofUnknown(all, others) : []),
      ...(accounts === undefined ? [] : ofForeign(operation, all, strayed, accounts)),
    ];
  });
}
