// Bursts: many requests of one rate class as fast as possible, and whether the 429s fit the limit.
import {
  beyondDoubt,
  type Credential,
  expectThat,
  NotTested,
  type RateClass,
  type Reply,
  type Tools,
  Undecided,
} from '../../lib/index.ts';
import { orLost } from '../shared/attempt.ts';

/** Concurrent requests; a burst that took too long is repeated with the higher number. */
const atOnce = 32;
const atOnceMax = 128;
/** Higher limits are not tested. */
const largest = 1500;
const triesMax = 3;
/** This many bursts that are short by the same count are the limiter's fault. */
const sameMin = 5;
/** A burst below this share of the limit is too short for requests sent twice on the way to explain it. */
const shortShare = 0.8;

export const isRefused = (reply: Reply | undefined): reply is Reply => reply?.status === 429;

/** Sends one request of the spent class without waiting for the client's own rate limiter. */
export type Send = () => Promise<Reply>;

export interface Burst {
  /** Neither refused nor failed. */
  readonly accepted: readonly Reply[];
  /** In the order of the replies. */
  readonly refused: readonly Reply[];
  /** Lost, answered with 5xx, or possibly answered by a gateway: says nothing about the limit. */
  readonly failed: number;
  /** Of these, the replies that did not certainly come from the target. */
  readonly lost: number;
  /** Identical suspect replies after the limit was reached, where nothing was refused, failed or lost. */
  readonly displaced: readonly Reply[];
  readonly startedAt: number;
  readonly tookMs: number;
}

export interface Allowance {
  readonly limit: number;
  readonly rate: RateClass;
  readonly minuteMs: number;
}

/** The limit that GET /me reports for the account. */
export function allowanceOf(limits: Tools['limits'], credential: Credential, rate: RateClass): Allowance {
  const limit = limits.reported(credential, rate);
  if (limit === undefined) {
    throw new NotTested(
      `GET /me does not report the ${rate} limit of ${credential.name} in a form that can be read; COVENANT_LIMIT_${rate.toUpperCase()} is not set`,
    );
  }
  if (limit > largest) throw new NotTested(`the ${rate} limit of ${limit} is more than a run bursts (${largest})`);
  return { limit, rate, minuteMs: limits.minuteMs };
}

/** Requests that a token bucket regains in this many milliseconds. */
const refill = ({ limit, minuteMs }: Allowance, ms: number): number => Math.ceil((limit * ms) / minuteMs);

/** Requests of a burst, not counting what a token bucket regains meanwhile. */
const sizeOf = ({ limit }: Allowance): number => Math.max(Math.ceil(1.5 * limit), limit + 5);

/**
 * Sends one and a half limits, plus what a token bucket regains. Stops after half a minute. `begun`: earlier replies of
 * the same, until then quiet, minute.
 */
async function burst(
  send: Send,
  allowance: Allowance,
  { clock, width, begun }: { clock: Tools['clock']; width: number; begun: readonly Reply[] },
): Promise<Burst> {
  const startedAt = Math.min(clock.now(), ...begun.map(({ sentAt }) => sentAt));
  const elapsed = () => clock.now() - startedAt;
  const wanted = () => sizeOf(allowance) + refill(allowance, elapsed());
  const accepted: Reply[] = [];
  const refused: Reply[] = [];
  let sent = begun.length;
  let failed = 0;
  let lost = 0;
  const suspect: Reply[] = [];
  const take = (reply: Reply | undefined) => {
    if (reply === undefined) lost += 1;
    else if (reply.doubt !== undefined && !isRefused(reply)) suspect.push(reply);
    else if (reply.status >= 500) failed += 1;
    else (isRefused(reply) ? refused : accepted).push(reply);
  };
  for (const reply of begun) take(reply);
  const sender = async () => {
    while (sent < wanted() && elapsed() < allowance.minuteMs / 2) {
      sent += 1;
      take(await orLost(send()));
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, wanted()) }, sender));
  const own = beyondDoubt(refused);
  const takesPlace =
    lost + failed + refused.length === 0 &&
    accepted.length >= allowance.limit &&
    new Set(suspect.map(({ doubt }) => doubt)).size === 1;
  const displaced = takesPlace ? suspect : [];
  lost += refused.length - own.length + suspect.length - displaced.length;
  return { accepted, refused: own, failed: failed + lost, lost, displaced, startedAt, tookMs: elapsed() };
}

/** Too many replies are missing to judge the limit. */
const isMutilated = ({ accepted, refused, lost }: Burst): boolean => lost > (accepted.length + refused.length) / 4;
/** After half a minute windows may have rolled over. */
const isSlow = ({ tookMs }: Burst, { minuteMs }: Allowance): boolean => tookMs >= minuteMs / 2;
const isEarly = ({ accepted, refused, failed }: Burst, { limit }: Allowance): boolean =>
  refused.length > 0 && accepted.length + failed < limit;
const isExceeded = ({ accepted, tookMs }: Burst, allowance: Allowance): boolean =>
  accepted.length > allowance.limit + refill(allowance, tookMs);

export interface Tries {
  readonly allowance: Allowance;
  readonly tries: readonly Burst[];
  readonly last: Burst;
}

interface Minutes {
  readonly clock: Tools['clock'];
  readonly quiet: () => Promise<void>;
  /** Replies that belong to the first burst, in a minute quiet until then. That burst does not wait. */
  readonly begun?: readonly Reply[];
}

const countOf = ({ accepted, failed }: Burst): number => accepted.length + failed;

/** All were refused early after the same count, near enough to the limit that duplicated requests could explain it. */
const isAlmost = (tries: readonly Burst[], allowance: Allowance): boolean =>
  tries.every((one) => isEarly(one, allowance) && countOf(one) >= shortShare * allowance.limit) &&
  new Set(tries.map(countOf)).size === 1;

/**
 * Bursts in quiet minutes until one is conclusive: up to three, or five if all were refused slightly early. A slow
 * burst is repeated only with more concurrent requests, so that a slow connection costs no further minutes.
 */
export async function bursts(send: Send, allowance: Allowance, minutes: Minutes): Promise<Tries> {
  const { clock, quiet } = minutes;
  const tries: Burst[] = [];
  let width = atOnce;
  let { begun = [] } = minutes;
  for (;;) {
    if (begun.length === 0) await quiet();
    // If refused requests count, a token bucket takes longer to fill.
    if (tries.length > 0) await clock.sleep(allowance.minuteMs);
    const last = await burst(send, allowance, { clock, width, begun });
    begun = [];
    tries.push(last);
    const slow = isSlow(last, allowance);
    const whole = !isMutilated(last) && last.displaced.length === 0;
    const clear = whole && !slow && !isEarly(last, allowance) && !isExceeded(last, allowance);
    const most = isAlmost(tries, allowance) ? sameMin : triesMax;
    if (clear || tries.length >= most || (slow && width === atOnceMax)) return { allowance, tries, last };
    if (slow) width = atOnceMax;
  }
}

function judgeable({ tries, allowance }: Tries): readonly Burst[] {
  const whole = tries.filter((one) => !isMutilated(one));
  if (whole.length === 0) throw new Undecided(`too few ${allowance.rate} requests of a burst got a reply`);
  const fast = whole.filter((one) => !isSlow(one, allowance));
  if (fast.length > 0) return fast;
  const seconds = Math.min(...tries.map(({ tookMs }) => tookMs)) / 1000;
  throw new NotTested(
    `${allowance.rate} requests take too long for a burst: ${sizeOf(allowance)} replies are needed in less than half a minute, and the fastest burst took ${seconds.toFixed(1)} s`,
  );
}

/** A wrong limiter is short by the same count in every burst; duplicated requests vary. */
const isOwnWord = (tried: Tries, early: readonly Burst[]): boolean =>
  Math.max(...early.map(countOf)) < shortShare * tried.allowance.limit ||
  (tried.tries.length >= sameMin && isAlmost(tried.tries, tried.allowance));

/** No 429 before the limit is reached. Fails after two early bursts. */
export function expectAllowed(tried: Tries): void {
  const { allowance } = tried;
  const early = judgeable(tried).filter((one) => isEarly(one, allowance));
  if (early.length > 1 && !isOwnWord(tried, early))
    throw new Undecided(
      `bursts were refused after ${early.map(({ accepted }) => accepted.length).join(', ')} of ${allowance.limit} ${allowance.rate} requests: something on the way seems to send some twice`,
    );
  expectThat(early.length < 2, `${allowance.limit} ${allowance.rate} requests of a quiet minute should be accepted`, {
    expected: `${allowance.limit} accepted`,
    actual: early.map(({ accepted }) => `${accepted.length} accepted, the others refused`).join('; '),
    replies: early.flatMap(({ refused }) => refused.slice(0, 1)),
  });
}

/** Where three minutes served the whole limit and then gave the same suspect reply each time instead of 429. */
const displacedIn = ({ tries }: Tries): readonly Reply[] =>
  tries.length >= triesMax && tries.every(({ displaced }) => displaced.length > 0)
    ? tries.flatMap(({ displaced }) => displaced.slice(0, 1))
    : [];

/** There is a 429 beyond the limit. Fails if all of at least two bursts exceed it: one may span two windows. */
export function expectEnforced(tried: Tries): void {
  const { allowance } = tried;
  const displaced = displacedIn(tried);
  expectThat(
    displaced.length === 0,
    `${allowance.rate} requests beyond ${allowance.limit} should be refused with 429`,
    {
      expected: 429,
      actual: `${displaced[0]?.doubt}, in each of ${triesMax} minutes`,
      // A reply repeated every time comes from the target.
      replies: displaced.map(({ doubt: _, ...reply }) => reply),
    },
  );
  const fast = judgeable(tried).filter((one) => one.displaced.length === 0);
  if (fast.length === 0)
    throw new Undecided(`no ${allowance.rate} request of a burst was refused by the target itself`);
  const exceeded = fast.filter((one) => isExceeded(one, allowance));
  if (fast.length === 1 && exceeded.length === 1)
    throw new NotTested('all bursts but one took too long, and that one may have met two windows');
  expectThat(
    exceeded.length < fast.length,
    `${allowance.rate} requests beyond ${allowance.limit} should be refused with 429`,
    {
      expected: `no more than ${allowance.limit} accepted in a burst`,
      actual: exceeded
        .map(({ accepted, refused }) => `${accepted.length} accepted, ${refused.length} refused`)
        .join('; '),
      replies: exceeded.flatMap(({ accepted }) => accepted.slice(-1)),
    },
  );
}

/** @throws NotTested where the target never sends a 429, so that refusals cannot be judged */
export function ensureRefused(tried: Tries): void {
  if (displacedIn(tried).length > 0) throw new NotTested(`beyond the ${tried.allowance.rate} limit nothing gets 429`);
}
