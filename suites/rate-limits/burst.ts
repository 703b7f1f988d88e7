// Bursts: many requests of one rate class as fast as possible, and how their 429s fit the limit.
import {
  beyondDoubt,
  bodyOf,
  type Context,
  type Credential,
  grouped,
  type JudgedId,
  NotTested,
  type RateClass,
  type Reply,
  type Tools,
  Undecided,
  wasAccepted,
} from '../../lib/index.ts';
import { unlessUndecided } from '../shared/unless.ts';
import { type Allowance, nameOf } from './counted.ts';

/** Concurrent requests, and how many times as many while a burst is late. */
const [atOnce, whenLate] = [32, 4];
/** Higher limits are not tested. */
const largest = 1500;
const triesMax = 3;
const slowMax = 2;
/** This many bursts refused after the same count show a wrong limiter. */
const sameMin = 5;
/** Requests duplicated on the way cannot explain a burst refused below this share of the limit. */
const shortShare = 0.8;

export const isThrottled = (reply: Reply | undefined): reply is Reply => reply?.status === 429;

/** Sends one request of the spent class without waiting for the client's own rate limiter. */
export type Send = () => Promise<Reply>;

/** Requests that a token bucket regains in this many milliseconds. */
export const refill = ({ limit, minuteMs }: Allowance, ms: number): number => Math.ceil((limit * ms) / minuteMs);

/** Some limiters count whole seconds. */
const secondMs = 1000;

/** The most that a bucket regains in so many milliseconds, not rounded up: then one request beyond it is an excess. */
const regainedMost = (allowance: Allowance, ms: number): number =>
  Math.min(refill(allowance, ms), (allowance.limit * (ms + secondMs)) / allowance.minuteMs);

/** Requests of a burst: one and a half limits, and what a token bucket regains meanwhile. */
export const sizeOf = (allowance: Allowance, elapsedMs = 0): number =>
  Math.max(Math.ceil(1.5 * allowance.limit), allowance.limit + 5) + refill(allowance, elapsedMs);

/** Whether a burst will need more than a quarter of a minute. */
const isLate = ({ minuteMs }: Allowance, elapsedMs: number, sentShare: number): boolean =>
  elapsedMs / (minuteMs / 4) > sentShare;

/** After half a minute windows may have rolled over: a burst stops then. */
export const isSlow = ({ minuteMs }: Allowance, elapsedMs: number): boolean => elapsedMs >= minuteMs / 2;

/** The validations of one key, or all requests of one kind. */
const kindOf = (reply: Reply): string => `${nameOf(reply)} ${bodyOf(reply)?.api_key}`;

/** After the first refusal only what most of the burst consists of, as other requests may have other limits. */
function countedAmong(replies: readonly Reply[], refused: readonly Reply[], { rate }: Allowance): readonly Reply[] {
  const kinds = [...grouped(replies, kindOf).values()];
  const [most = []] = kinds.sort((one, other) => other.length - one.length);
  const credential = most[0]?.credential;
  const until = rate === 'validate' ? 0 : (refused[0]?.id ?? Number.POSITIVE_INFINITY);
  return replies.filter(
    (one) => wasAccepted(one) && one.credential === credential && (most.includes(one) || one.after < until),
  );
}

interface Sending {
  /** Requests without a reply. */
  readonly unanswered: number;
  readonly startedAt: number;
  readonly tookMs: number;
}

export type Burst = ReturnType<typeof burstOf>;

/** What the replies to a burst show of the limit. */
export function burstOf(all: readonly Reply[], { unanswered, startedAt, tookMs }: Sending, allowance: Allowance) {
  const { limit } = allowance;
  const isSuspect = (reply: Reply): boolean => reply.doubt !== undefined && !isThrottled(reply);
  const suspect = all.filter(isSuspect);
  const own = all.filter((reply) => !isSuspect(reply));
  const refused = beyondDoubt(own.filter(isThrottled));
  const accepted = own.filter(({ status }) => status < 500 && status !== 429);
  const failed = all.length + unanswered - accepted.length - refused.length;
  // Identical suspect replies after the limit was reached, where nothing was refused, failed or lost.
  const isDisplaced =
    refused.length === 0 &&
    failed === suspect.length &&
    accepted.length >= limit &&
    new Set(suspect.map(({ doubt }) => doubt)).size === 1;
  const displaced = isDisplaced ? suspect : [];
  // The others may have been refused otherwise before they were counted.
  const counted = countedAmong(accepted, refused, allowance);
  const lost = failed - displaced.length - own.filter(({ status }) => status >= 500).length;
  /** The requests that may have counted. */
  const reached = accepted.length + failed - displaced.length;
  /** Too many replies are missing to judge the limit. */
  const lacksReplies = lost > (accepted.length + refused.length) / 4;
  const isFast = !lacksReplies && !isSlow(allowance, tookMs);
  const isEarly = refused.length > 0 && reached < limit;
  const isExceeded = counted.length > limit + regainedMost(allowance, tookMs);
  return {
    ...{ accepted, counted, refused, displaced, reached, startedAt, tookMs },
    ...{ lacksReplies, isSlow: isSlow(allowance, tookMs), isFast, isEarly, isExceeded },
    isClear: isFast && !isDisplaced && !isEarly && !isExceeded,
  };
}

/** `begun`: earlier replies of the same, until then quiet, minute. */
async function burst(
  send: Send,
  allowance: Allowance,
  { clock, begun }: Pick<Tools, 'clock'> & { begun: readonly Reply[] },
): Promise<Burst> {
  const startedAt = Math.min(clock.now(), ...begun.map(({ sentAt }) => sentAt));
  const elapsed = () => clock.now() - startedAt;
  const replies = [...begun];
  let [sent, unanswered, size] = [begun.length, 0, sizeOf(allowance)];
  const one = async (): Promise<void> => {
    sent += 1;
    // Only once: slow replies would let a bucket regain as much as is sent, and the burst would not end.
    if (sent === sizeOf(allowance)) size = sizeOf(allowance, elapsed());
    const reply = await unlessUndecided(send());
    if (reply) replies.push(reply);
    else unanswered += 1;
  };
  const sender = async (): Promise<void> => {
    while (sent < size && !isSlow(allowance, elapsed())) {
      const together = isLate(allowance, elapsed(), sent / size) ? Math.min(whenLate, size - sent) : 1;
      await Promise.all(Array.from({ length: together }, one));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, size) }, sender));
  return burstOf(replies, { unanswered, startedAt, tookMs: elapsed() }, allowance);
}

export interface Tries {
  readonly allowance: Allowance;
  readonly tries: readonly Burst[];
}

/** All were refused early after the same count, near enough to the limit that duplicated requests could explain it. */
const isAlmost = ({ tries, allowance: { limit } }: Tries): boolean =>
  tries.every(({ isEarly, reached }) => isEarly && reached >= shortShare * limit) &&
  new Set(tries.map(({ reached }) => reached)).size === 1;

/** What bursts show of a limit, and why they show nothing of it, if so. One of them may span two windows. */
export function shownBy(tried: Tries) {
  const { tries, allowance } = tried;
  const { limit, rate } = allowance;
  const fast = tries.filter(({ isFast }) => isFast);
  const early = fast.filter(({ isEarly }) => isEarly);
  const exceeded = fast.filter(({ isExceeded }) => isExceeded);
  // In each of three minutes the whole limit was served, and then came the same suspect reply instead of 429.
  const isDisplaced = tries.length >= triesMax && tries.every(({ displaced }) => displaced.length > 0);
  const displaced = isDisplaced ? tries.flatMap((one) => one.displaced.slice(0, 1)) : [];

  const whyNone = (): Error | undefined => {
    if (fast.length > 0) return undefined;
    if (tries.every(({ lacksReplies }) => lacksReplies))
      return new Undecided(`too few ${rate} requests of a burst got a reply`);
    const [fastest, most] = [Math.min(...tries.map(({ tookMs }) => tookMs)), allowance.minuteMs / 2];
    return new NotTested(
      `${rate} requests take too long for a burst: ${sizeOf(allowance)} replies are needed in less than ${most / 1000} s, half of the minute that limits count by, and the fastest burst took ${(fastest / 1000).toFixed(2)} s`,
    );
  };
  const whyNotAllowed = (): Error | undefined => {
    // A wrong limiter is short by the same count in every burst; requests sent twice on the way vary.
    const isShort = early.every(({ reached }) => reached < shortShare * limit);
    if (early.length < 2 || isShort || (tries.length >= sameMin && isAlmost(tried))) return whyNone();
    const counts = early.map(({ accepted }) => accepted.length).join(', ');
    const how = 'something on the way seems to send some twice';
    return new Undecided(`bursts were refused after ${counts} of ${limit} ${rate} requests: ${how}`);
  };
  const whyNotEnforced = (): Error | undefined => {
    if (isDisplaced) return undefined;
    if (fast.length > 0 && fast.every((one) => one.displaced.length > 0))
      return new Undecided(`no ${rate} request of a burst was refused by the target itself`);
    return fast.length === 1 && exceeded.length === 1
      ? new NotTested('all bursts but one took too long, and that one may have met two windows')
      : whyNone();
  };
  return { fast, early, exceeded, displaced, whyNotAllowed: whyNotAllowed(), whyNotEnforced: whyNotEnforced() };
}

/** Reports why the rules cannot judge a requirement, if so. */
export async function leaveOpen(check: BurstTools['check'], id: JudgedId, why: Error | undefined): Promise<void> {
  if (why)
    await check(id, () => {
      throw why;
    });
}

/** The limit that GET /me reports for the account. */
export function allowanceOf(limits: Tools['limits'], credential: Credential, rate: RateClass): Allowance {
  const limit = limits.reported(credential, rate);
  if (limit === undefined) {
    throw new NotTested(
      `GET /me does not report the ${rate} limit of ${credential.name} in a form that can be read; COVENANT_LIMIT_${rate.toUpperCase()} is not set`,
    );
  }
  if (limit > largest)
    throw new NotTested(
      `the ${rate} limit of ${limit} is more than a run bursts (${largest}): set COVENANT_RATE_API_KEY to a key of an account with lower limits`,
    );
  return { limit, rate, minuteMs: limits.minuteMs };
}

type BurstTools = Pick<Context<JudgedId, 'exhaustible'>, 'check' | 'clock' | 'exhaustible' | 'limits'>;

/**
 * Bursts in quiet minutes until one is conclusive: up to three, or five if all were refused slightly early. A slow burst
 * is repeated once, as what preceded the first may have taken the time: a slow connection costs no further minutes.
 * `start` precedes each burst. `begun`: replies that belong to the first one, in a minute quiet until then.
 * @throws NotTested where the target never sends a 429, so that nothing else about the limit can be judged
 */
export async function exceed(
  rate: RateClass,
  start: () => Promise<Send>,
  { check, clock, exhaustible, limits }: BurstTools,
  begun: readonly Reply[] = [],
): Promise<Tries & { readonly last: Burst }> {
  const allowance = allowanceOf(limits, exhaustible, rate);
  const tries: Burst[] = [];
  for (;;) {
    const first = tries.length === 0 ? begun : [];
    if (first.length === 0) await limits.quiet([exhaustible], rate);
    // If refused requests count, a token bucket takes longer to fill.
    if (tries.length > 0) await clock.sleep(allowance.minuteMs);
    const last = await burst(await start(), allowance, { clock, begun: first });
    tries.push(last);
    const most = isAlmost({ allowance, tries }) ? sameMin : triesMax;
    const isTooSlow = tries.filter(({ isSlow }) => isSlow).length === slowMax;
    if (!last.isClear && !isTooSlow && tries.length < most) continue;
    const { displaced, whyNotAllowed, whyNotEnforced } = shownBy({ allowance, tries });
    await leaveOpen(check, `rate-limits-${rate}-allowed`, whyNotAllowed);
    await leaveOpen(check, `rate-limits-${rate}-enforced`, whyNotEnforced);
    if (displaced.length > 0) throw new NotTested(`beyond the ${rate} limit nothing gets 429`);
    return { allowance, tries, last };
  }
}
