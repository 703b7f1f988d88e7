// The requests of a run that count, or may count, on the exhausted account: by class, in the order of sending.
import {
  type Allowances,
  accountHeaderOf,
  computedOnce,
  isSession,
  pathOf,
  queryOf,
  type RateClass,
  type Reply,
  tokenOf,
  type World,
} from '../../lib/index.ts';

export const rates = ['read', 'write', 'validate'] as const satisfies readonly RateClass[];

export interface Allowance {
  readonly limit: number;
  readonly rate: RateClass;
  readonly minuteMs: number;
}

export const classOf = (asked: Pick<Reply, 'request'>): RateClass => {
  if (pathOf(asked).endsWith('/auth/validate-api-key')) return 'validate';
  return ['GET', 'HEAD'].includes(asked.request.method) ? 'read' : 'write';
};

/** `own`: the exhausted key. `same`: another key of its account. `perhaps`: of that account or of another. */
export type Account = 'own' | 'same' | 'perhaps' | 'other' | 'none';

/** The account of a sender, seen from the exhausted one. Requests with invalid credentials belong to none. */
function accountOf(credential: string, { callers }: World, { key, accounts }: Allowances): Account {
  const owner = callers.ownerOf(credential);
  const [ours = [], theirs] = [accounts.get(key), accounts.get(owner)];
  if (owner === key) return credential === key ? 'own' : 'same';
  if (theirs === undefined) return /^MADE_KEY_/.test(credential) ? 'perhaps' : 'none';
  if (theirs.length === 0) return 'none';
  const isKnown = ours.length === 1 && theirs.length === 1;
  // The sibling key is on the exhausted key's account by contract; a run may know that it is not.
  if (/_SIBLING$/.test(owner) && !isKnown) return 'same';
  if (!theirs.some((one) => ours.includes(one))) return 'other';
  return isKnown ? 'same' : 'perhaps';
}

export interface Counted extends Allowance {
  /** All that may count, also replies that a gateway may have sent. Validations are limited for the whole client. */
  readonly replies: readonly Reply[];
  /** For each of their requests without any reply, how many replies there were before it. */
  readonly lost: readonly number[];
}

/** Undefined where the run does not know whose requests count where. */
export const trafficOf = computedOnce((world: World) => {
  const { allowances, replies, suspect = [], unanswered = new Map() } = world.history;
  if (allowances === undefined) return undefined;
  const known = new Map<string, Account>();
  const { accounts } = world;
  const own = replies.find(({ credential }) => credential === allowances.key);
  const [exhausted, slug] = [own && accounts.of(own), accounts.slugOfKey(own && tokenOf(own))];
  /** A session has several accounts: it counts where the stored one is also the one that the header names. */
  const isOnAccount = (reply: Reply): boolean =>
    isSession(reply.credential)
      ? slug !== undefined && accountHeaderOf(reply) === slug && accounts.storedBy(reply)?.slug === slug
      : exhausted !== undefined && accounts.of(reply) === exhausted;
  const of = (reply: Reply): Account => {
    const { credential } = reply;
    const account = known.get(credential) ?? accountOf(credential, world, allowances);
    known.set(credential, account);
    return account === 'perhaps' && isOnAccount(reply) ? 'same' : account;
  };
  const all = [...replies, ...suspect].sort((one, other) => one.sentAt - other.sentAt || one.id - other.id);
  const isCounted = (reply: Reply): boolean => ['own', 'same', 'perhaps'].includes(of(reply));
  const answered = new Set(all.map(({ request }) => request));
  const ours = new Set(all.filter(isCounted).map(({ request }) => request.headers.authorization));
  const lost = [...unanswered].filter(([request]) => !answered.has(request));
  const classes = new Map<RateClass, Counted>();
  for (const rate of rates) {
    const limit = allowances.limits[rate];
    if (limit === undefined) continue;
    const counts = (asked: Pick<Reply, 'request'>, isOurs: boolean): boolean =>
      classOf(asked) === rate && (rate === 'validate' || isOurs);
    classes.set(rate, {
      rate,
      limit,
      minuteMs: allowances.minuteMs,
      replies: all.filter((one) => counts(one, isCounted(one))),
      lost: lost.flatMap(([request, after]) =>
        counts({ request }, ours.has(request.headers.authorization)) ? [after] : [],
      ),
    });
  }
  // All replies are in the order of sending.
  return { all, accountOf: of, classes };
});

/** The sender and what it asks for, without the body. A record is deleted once: all deletions of a kind are equal. */
export const nameOf = computedOnce((reply: Reply): string => {
  const { owner, credential, request } = reply;
  const query = [...queryOf(reply)].map(String).sort();
  const asked = request.method === 'DELETE' ? reply.operation : `${request.method} ${pathOf(reply)}`;
  return JSON.stringify([owner, credential, asked, query, request.headers['x-origin-app']]);
});
