// Rule: after a quiet minute a burst is refused beyond the limit, and not before.
import { computedOnce, grouped, type Judge, type RateClass, type Reply, type Rule } from '../../lib/index.ts';
import { type Burst, burstOf, isSlow, shownBy, sizeOf, type Tries } from './burst.ts';
import { type Counted, trafficOf } from './counted.ts';

/** The burst that begins with the first of these; undefined where fewer requests follow than a burst has. */
function burstFrom(replies: readonly Reply[], counted: Counted): Burst | undefined {
  const [first] = replies;
  if (first === undefined) return undefined;
  const elapsedAt = (reply: Reply): number => reply.sentAt - first.sentAt;
  const lostUntil = ({ after: until }: Reply): number =>
    counted.lost.filter((after) => after >= first.after && after <= until).length;
  const isSent = (size: number, place: number, reply: Reply): boolean => place + lostUntil(reply) >= size;
  const place = replies.findIndex((one, before) => isSent(sizeOf(counted), before + 1, one));
  const full = replies[place];
  if (full === undefined || isSlow(counted, elapsedAt(full))) return undefined;
  // What was sent behind the others may have reached the target before them.
  const isOver = (one: Reply, before: number): boolean =>
    before > place && (isSent(sizeOf(counted, elapsedAt(one)), before, one) || isSlow(counted, elapsedAt(one)));
  const end = replies.findIndex(isOver);
  const members = replies.slice(0, end === -1 ? undefined : end);
  const last = members.at(-1) ?? first;
  const tookMs = Math.max(...members.map(({ receivedAt }) => receivedAt)) - first.sentAt;
  return burstOf(members, { unanswered: lostUntil(last), startedAt: first.sentAt, tookMs }, counted);
}

interface OfCase extends Tries {
  /** The case that sent the bursts. */
  readonly owner: string;
}

/** The bursts of each case. A burst begins after a minute without any request that may count. */
export const burstsIn = computedOnce((counted: Counted): readonly OfCase[] => {
  let busyUntil = Number.NEGATIVE_INFINITY;
  const found = counted.replies.flatMap(({ sentAt, receivedAt, owner }, place) => {
    const isFirst = sentAt - busyUntil >= counted.minuteMs;
    busyUntil = Math.max(busyUntil, receivedAt);
    const burst = isFirst ? burstFrom(counted.replies.slice(place), counted) : undefined;
    return burst ? [{ owner, burst }] : [];
  });
  const cases = [...grouped(found, ({ owner }) => owner)];
  return cases.map(([owner, all]) => ({ owner, allowance: counted, tries: all.map(({ burst }) => burst) }));
});

type LimitId = `rate-limits-${RateClass}-${'allowed' | 'enforced'}`;

/**
 * Two bursts of three are refused early: one may meet two windows. All of at least two bursts exceed the limit, or three
 * get the same suspect reply in place of each 429.
 */
export const kept: Rule<LimitId> = (world, judge) => {
  for (const counted of trafficOf(world)?.classes.values() ?? [])
    for (const tried of burstsIn(counted)) judgeBursts(tried, judge);
};

function judgeBursts(tried: Tries, { count, expect }: Judge<LimitId>): void {
  const { limit, rate } = tried.allowance;
  const { fast, early, exceeded, displaced, whyNotAllowed } = shownBy(tried);
  const accuse = (id: LimitId, message: string, because: readonly Reply[], expected: unknown, actual: string) => {
    const last = because.at(-1);
    if (last) expect(id, last, false, message, { expected, actual, because });
  };
  const allowed = `rate-limits-${rate}-allowed` as const;
  const right = whyNotAllowed === undefined ? fast.filter((one) => !early.includes(one)) : [];
  for (const reply of right.flatMap((one) => one.accepted)) count(allowed, reply);
  if (whyNotAllowed === undefined && early.length >= 2 && 3 * early.length >= 2 * fast.length) {
    const shown = early.flatMap(({ refused }) => refused.slice(0, 1));
    const counts = early.map(({ accepted }) => `${accepted.length} accepted, the others refused`).join('; ');
    const message = `${limit} ${rate} requests of a quiet minute should be accepted`;
    accuse(allowed, message, shown, `${limit} accepted`, counts);
  }

  const enforced = `rate-limits-${rate}-enforced` as const;
  const message = `${rate} requests beyond ${limit} should be refused with 429`;
  // A reply repeated every time comes from the target.
  const pages = displaced.map(({ doubt: _, ...reply }) => reply);
  accuse(enforced, message, pages, 429, `${displaced[0]?.doubt}, in each of ${pages.length} minutes`);
  for (const one of fast) if (!exceeded.includes(one)) for (const reply of one.refused) count(enforced, reply);
  if (exceeded.length < 2 || exceeded.length < fast.length) return;
  const shown = exceeded.flatMap((one) => one.counted.slice(-1));
  const counts = exceeded.map((one) => `${one.counted.length} accepted, ${one.refused.length} refused`).join('; ');
  accuse(enforced, message, shown, `no more than ${limit} accepted in a burst`, counts);
}
