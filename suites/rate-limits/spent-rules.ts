// Rules: while a class of the exhausted account is spent, which requests are refused too, and which are not.
import {
  accountHeaderOf,
  computedOnce,
  firstPlace,
  grouped,
  idempotencyKeyOf,
  isProtected,
  type Judge,
  type RateClass,
  type Reply,
  type Rule,
  type World,
  wasAccepted,
} from '../../lib/index.ts';
import { isThrottled } from './burst.ts';
import { type Account, classOf, nameOf, trafficOf } from './counted.ts';

/** A request must be answered in the same way this often while the class is spent. */
const timesMin = 3;
/** Where chance alone answers so more often than this, it is no proof. */
const chanceMax = 0.001;
/** Where requests go out one by one, so many before and after one are looked at. */
const near = 4;
/** More requests than a case ever has under way. */
const underWayMax = 500;

/** What an exchange amid refusals may break, and how it should be answered. */
const requirements = {
  'rate-limits-every-operation': 'a request of a spent class should be refused',
  'rate-limits-keys-together': 'a request of another key or session of the account should be refused, too',
  'rate-limits-read-write-apart': 'spent reads should leave writes accepted, and spent writes reads',
  'rate-limits-validate-apart': 'spent validations should leave reads and writes accepted',
  'rate-limits-accounts-apart': 'another account should be served while one has spent its allowance',
} as const;
type Id = keyof typeof requirements;

interface AmidRefusals {
  readonly reply: Reply;
  /** The spent class. */
  readonly rate: RateClass;
  /** The share of the requests beside it that a bucket could serve of what it had regained since it refused. */
  readonly share: number;
}

const isAfter =
  (number: number) =>
  ({ id }: Reply): boolean =>
    id > number;

/**
 * The replies to what was sent soon after the exhausted key was refused, and together with other requests of it, most of
 * which were refused: so no new minute had begun.
 */
const amidRefusals = computedOnce((world: World): readonly AmidRefusals[] => {
  const traffic = trafficOf(world);
  if (traffic === undefined) return [];
  return [...traffic.classes].flatMap(([rate, { replies, minuteMs, limit }]) => {
    const own = replies.filter((one) => traffic.accountOf(one) === 'own').sort((one, other) => one.id - other.id);
    const refusals = own.filter(isThrottled);
    return traffic.all.flatMap((reply): AmidRefusals[] => {
      const last = refusals[firstPlace(refusals, isAfter(reply.after)) - 1];
      const isCertain = reply.doubt === undefined || isThrottled(reply);
      if (!last || reply.sentAt - last.receivedAt > minuteMs / 12 || !isProtected(reply) || !isCertain) return [];
      const start = Math.max(0, firstPlace(own, isAfter(reply.after)) - near);
      const end = firstPlace(own, isAfter(reply.id)) + near;
      const around = own
        .slice(start, end + underWayMax)
        .filter((one, place) => start + place < end || one.after < reply.id)
        .filter((one) => Math.abs(one.sentAt - reply.sentAt) <= minuteMs / 60 && nameOf(one) !== nameOf(reply));
      const regained = (limit * (reply.receivedAt - last.sentAt)) / minuteMs;
      const share = regained / (around.length + 1);
      return 2 * around.filter(isThrottled).length > around.length ? [{ reply, rate, share }] : [];
    });
  });
});

function requirementOf({ reply, rate }: AmidRefusals, account: Account | undefined): Id | undefined {
  const own = classOf(reply);
  if (account === 'other') return own === rate && rate !== 'validate' ? 'rate-limits-accounts-apart' : undefined;
  // Whose budget a validation is charged to is open.
  if (own === 'validate' || (account !== 'own' && account !== 'same')) return undefined;
  if (own === rate) return account === 'own' ? 'rate-limits-every-operation' : 'rate-limits-keys-together';
  return rate === 'validate' ? 'rate-limits-validate-apart' : 'rate-limits-read-write-apart';
}

/** Equal requests, and those of them that are equal also in what the client adds to some. */
function equalsAmong(all: readonly AmidRefusals[]): readonly Row[] {
  const headersOf = (reply: Reply) => `${accountHeaderOf(reply)} ${idempotencyKeyOf(reply) === undefined}`;
  const nameIn = ({ reply, rate }: AmidRefusals) => `${rate} ${nameOf(reply)}`;
  const groups = [grouped(all, nameIn), grouped(all, (one) => `${nameIn(one)} ${headersOf(one.reply)}`)];
  return groups.flatMap((group) => [...group.values()]);
}

type Row = readonly AmidRefusals[];

/**
 * So many in a row that the answer is no chance, such as of a bucket that has just regained one request. A new minute may
 * answer all that are under way together: they are one.
 */
function inRow(all: Row, isMeant: (reply: Reply) => boolean, isEnough: (row: Row) => boolean): Row {
  let row: Row = [];
  for (const one of all) {
    if (!isMeant(one.reply)) row = [];
    else if (one.reply.after >= (row.at(-1)?.reply.id ?? 0)) row = [...row, one];
    if (isEnough(row)) return row;
  }
  return [];
}

/**
 * Served so often in a row that it is no chance, and at least as often as refused. What is not refused to the exhausted
 * key either is another requirement's.
 */
function servedIn(equal: Row, isOwn: (reply: Reply) => boolean, { replies }: World): Row {
  const operation = equal[0]?.reply.operation;
  const isControl = (one: Reply): boolean => isThrottled(one) && one.operation === operation && isOwn(one);
  const answered = equal.filter(({ reply }) => wasAccepted(reply) || isThrottled(reply));
  const chanceOf = (some: Row): number => some.reduce((chance, { share }) => chance * share, 1);
  const row = inRow(answered, wasAccepted, (some) => some.length >= timesMin && chanceOf(some) < chanceMax);
  const refused = answered.filter(({ reply }) => isThrottled(reply)).length;
  const isOften = 2 * refused <= answered.length;
  return isOften && (equal.some(({ reply }) => isOwn(reply)) || replies.some(isControl)) ? row : [];
}

/** Others may use up their limits, so 429s count only if they come again in two minutes. */
function refusedIn(equal: Row, isOther: (reply: Reply) => boolean, { history, replies }: World): Row {
  const { minuteMs = 0, limits = {} } = history.allowances ?? {};
  const spanOf = (row: Row): number => (row.at(-1)?.reply.sentAt ?? 0) - (row[0]?.reply.sentAt ?? 0);
  const row = inRow(equal, isThrottled, (some) => some.length >= 2 * timesMin && spanOf(some) >= 2 * minuteMs);
  const first = row[0]?.reply;
  if (first === undefined) return [];
  // Before that its own class was not spent: the last such request was not refused, and one more is within the limit.
  const rate = classOf(first);
  const before = replies.filter(
    (one) => one.credential === first.credential && classOf(one) === rate && one.id <= first.after,
  );
  const fresh = before.filter((one) => one.receivedAt > first.sentAt - minuteMs && !isThrottled(one));
  // The limits of other accounts are not known.
  const isWithin = isOther(first) || fresh.length < (limits[rate] ?? 0);
  return isWithin && !isThrottled(before.at(-1)) ? row : [];
}

/** A spent class is refused to all keys of the account, and leaves other classes and accounts alone. */
export const spent: Rule<Id> = (world, judge) => {
  const due = grouped(amidRefusals(world), (one) => requirementOf(one, trafficOf(world)?.accountOf(one.reply)));
  for (const [id, all] of due) {
    if (id === undefined) continue;
    const firm = id.endsWith('-apart') ? all.filter(({ reply }) => reply.doubt === undefined) : all;
    for (const equal of equalsAmong(firm)) judgeEquals(id, equal, world, judge);
  }
};

function judgeEquals(id: Id, equal: Row, world: World, { count, expect }: Judge<Id>): void {
  const isApart = id.endsWith('-apart');
  const is = (account: Account) => (reply: Reply) => trafficOf(world)?.accountOf(reply) === account;
  // Of several rounds the first: what leads to it is shortest.
  const [found] = isApart ? refusedIn(equal, is('other'), world) : servedIn(equal, is('own'), world);
  const answers = {
    expected: isApart ? 'any status but 429' : 429,
    actual: `${found?.reply.status} in each of several rounds`,
  };
  if (found) expect(id, found.reply, false, requirements[id], answers);
  else for (const { reply } of equal) if (isThrottled(reply) !== isApart && reply.status !== 401) count(id, reply);
}
