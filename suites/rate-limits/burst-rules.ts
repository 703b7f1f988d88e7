// Rules: after a quiet minute a burst is refused beyond the limit, and not before.
import { computedOnce, grouped, type RateClass, type Reply, type Rule } from '../../lib/index.ts';
import {
  type Burst,
  burstOf,
  displacedIn,
  earlyIn,
  isExceeded,
  isSlow,
  judgeable,
  sizeOf,
  type Tries,
} from './burst.ts';
import { type Counted, trafficOf } from './counted.ts';

type Allowed = `rate-limits-${RateClass}-allowed`;
type Enforced = `rate-limits-${RateClass}-enforced`;

/** The burst that begins with this reply; undefined where fewer requests follow than a burst has. */
function burstFrom(place: number, counted: Counted): Burst | undefined {
  const [first, ...others] = counted.replies.slice(place);
  if (first === undefined) return undefined;
  const members = [first];
  const lostUntil = ({ after: until }: Reply): number =>
    counted.lost.filter((after) => after >= first.after && after <= until).length;
  for (const next of others) {
    const elapsedMs = next.sentAt - first.sentAt;
    const isOver = members.length + lostUntil(next) >= sizeOf(counted, elapsedMs);
    if (isOver || isSlow({ tookMs: elapsedMs }, counted)) break;
    members.push(next);
  }
  const last = members.at(-1) ?? first;
  const lost = lostUntil(last);
  if (members.length + lost < sizeOf(counted, last.sentAt - first.sentAt)) return undefined;
  const tookMs = Math.max(...members.map(({ receivedAt }) => receivedAt)) - first.sentAt;
  return burstOf(members, { lost, startedAt: first.sentAt, tookMs }, counted);
}

interface OfCase extends Tries {
  /** The case that sent the bursts. */
  readonly owner: string;
}

/** The bursts of each case. A burst begins after a minute without any request that may count. */
export const burstsIn = computedOnce((counted: Counted): readonly OfCase[] => {
  const found: { readonly owner: string; readonly burst: Burst }[] = [];
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const [place, { sentAt, receivedAt, owner }] of counted.replies.entries()) {
    const isFirst = sentAt - busyUntil >= counted.minuteMs;
    busyUntil = Math.max(busyUntil, receivedAt);
    const burst = isFirst ? burstFrom(place, counted) : undefined;
    if (burst) found.push({ owner, burst });
  }
  return [...grouped(found, ({ owner }) => owner)].map(([owner, all]) => ({
    ...{ owner, allowance: counted },
    tries: all.map(({ burst }) => burst),
  }));
});

/** Two bursts of three are refused early: one may meet two windows. */
export const allowed: Rule<Allowed> = (world, { count, expect }) => {
  for (const [rate, counted] of trafficOf(world)?.classes ?? [])
    for (const tried of burstsIn(counted)) {
      const id = `rate-limits-${rate}-allowed` as const;
      const fast = judgeable(tried);
      const { early, why } = earlyIn(tried);
      if (why !== undefined) continue;
      const right = fast.filter((one) => !early.includes(one));
      for (const reply of right.flatMap((one) => one.accepted)) count(id, reply);
      const shown = early.flatMap(({ refused }) => refused.slice(0, 1));
      const last = shown.at(-1);
      if (early.length < 2 || 3 * early.length < 2 * fast.length || last === undefined) continue;
      expect(id, last, false, `${counted.limit} ${rate} requests of a quiet minute should be accepted`, {
        expected: `${counted.limit} accepted`,
        actual: early.map(({ accepted }) => `${accepted.length} accepted, the others refused`).join('; '),
        because: shown,
      });
    }
};

/** All of at least two bursts exceed the limit, or three get the same suspect reply in place of each 429. */
export const enforced: Rule<Enforced> = (world, { count, expect }) => {
  for (const [rate, counted] of trafficOf(world)?.classes ?? [])
    for (const tried of burstsIn(counted)) {
      const id = `rate-limits-${rate}-enforced` as const;
      const message = `${rate} requests beyond ${counted.limit} should be refused with 429`;
      // A reply repeated every time comes from the target.
      const displaced = displacedIn(tried).map(({ doubt: _, ...reply }) => reply);
      const page = displaced.at(-1);
      const actual = `${displacedIn(tried)[0]?.doubt}, in each of ${displaced.length} minutes`;
      if (page) expect(id, page, false, message, { expected: 429, actual, because: displaced });
      const fast = judgeable(tried).filter((one) => one.displaced.length === 0);
      const exceeded = fast.filter((one) => isExceeded(one, counted));
      const right = fast.filter((one) => !exceeded.includes(one));
      for (const reply of right.flatMap((one) => one.refused)) count(id, reply);
      const shown = exceeded.flatMap((one) => one.counted.slice(-1));
      const last = shown.at(-1);
      if (exceeded.length < 2 || exceeded.length < fast.length || last === undefined) continue;
      expect(id, last, false, message, {
        expected: `no more than ${counted.limit} accepted in a burst`,
        actual: exceeded
          .map(({ counted: all, refused }) => `${all.length} accepted, ${refused.length} refused`)
          .join('; '),
        because: shown,
      });
    }
};
