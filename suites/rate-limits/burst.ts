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
import { orLost } from '../shared/attempt.ts';
import { type Allowance, nameOf } from './counted.ts';

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
  /** Of these, the ones that certainly count; the others may have been refused otherwise before they were counted. */
  readonly counted: readonly Reply[];
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

/** Requests of a burst: one and a half limits, and what a token bucket regains meanwhile. */
export const sizeOf = (allowance: Allowance, elapsedMs = 0): number =>
  Math.max(Math.ceil(1.5 * allowance.limit), allowance.limit + 5) + refill(allowance, elapsedMs);

/** After half a minute windows may have rolled over: a burst stops then. */
export const isSlow = ({ tookMs }: Pick<Burst, 'tookMs'>, { minuteMs }: Allowance): boolean => tookMs >= minuteMs / 2;

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

type Spent = Pick<Burst, 'lost' | 'startedAt' | 'tookMs'>;

/** `lost`: the requests without a reply. */
export function burstOf(all: readonly Reply[], { lost: unanswered, ...times }: Spent, allowance: Allowance): Burst {
  const isSuspect = (reply: Reply): boolean => reply.doubt !== undefined && !isRefused(reply);
  const suspect = all.filter(isSuspect);
  const own = all.filter((reply) => !isSuspect(reply));
  const refused = beyondDoubt(own.filter(isRefused));
  const accepted = own.filter(({ status }) => status < 500 && status !== 429);
  const errors = own.filter(({ status }) => status >= 500).length;
  const doubtful = own.length - accepted.length - errors - refused.length;
  const takesPlace =
    unanswered + errors + refused.length === 0 &&
    accepted.length >= allowance.limit &&
    new Set(suspect.map(({ doubt }) => doubt)).size === 1;
  const displaced = takesPlace ? suspect : [];
  const lost = unanswered + doubtful + suspect.length - displaced.length;
  const counted = countedAmong(accepted, refused, allowance);
  return { accepted, counted, refused, failed: errors + lost, lost, displaced, ...times };
}

/** `begun`: earlier replies of the same, until then quiet, minute. */
async function burst(
  send: Send,
  allowance: Allowance,
  { clock, width, begun }: { clock: Tools['clock']; width: number; begun: readonly Reply[] },
): Promise<Burst> {
  const startedAt = Math.min(clock.now(), ...begun.map(({ sentAt }) => sentAt));
  const elapsed = () => clock.now() - startedAt;
  const replies = [...begun];
  let [sent, lost] = [begun.length, 0];
  const sender = async () => {
    while (sent < sizeOf(allowance, elapsed()) && !isSlow({ tookMs: elapsed() }, allowance)) {
      sent += 1;
      const reply = await orLost(send());
      if (reply) replies.push(reply);
      else lost += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, sizeOf(allowance, elapsed())) }, sender));
  return burstOf(replies, { lost, startedAt, tookMs: elapsed() }, allowance);
}

/** Too many replies are missing to judge the limit. */
const isMutilated = ({ accepted, refused, lost }: Burst): boolean => lost > (accepted.length + refused.length) / 4;
const isEarly = ({ accepted, refused, failed }: Burst, { limit }: Allowance): boolean =>
  refused.length > 0 && accepted.length + failed < limit;
export const isExceeded = ({ counted, tookMs }: Burst, allowance: Allowance): boolean =>
  counted.length > allowance.limit + refill(allowance, tookMs);

export interface Tries {
  readonly allowance: Allowance;
  readonly tries: readonly Burst[];
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
export async function bursts(send: Send, allowance: Allowance, minutes: Minutes): Promise<Tries & { last: Burst }> {
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

/** The bursts that show something of the limit. */
export const judgeable = ({ tries, allowance }: Tries): readonly Burst[] =>
  tries.filter((one) => !isMutilated(one) && !isSlow(one, allowance));

function whyNone({ tries, allowance }: Tries): NotTested | Undecided | undefined {
  if (judgeable({ tries, allowance }).length > 0) return undefined;
  const { rate } = allowance;
  if (tries.every(isMutilated)) return new Undecided(`too few ${rate} requests of a burst got a reply`);
  const seconds = Math.min(...tries.map(({ tookMs }) => tookMs)) / 1000;
  return new NotTested(
    `${rate} requests take too long for a burst: ${sizeOf(allowance)} replies are needed in less than half a minute, and the fastest burst took ${seconds.toFixed(1)} s`,
  );
}

/** A wrong limiter is short by the same count in every burst; duplicated requests vary. */
const isOwnWord = (tried: Tries, early: readonly Burst[]): boolean =>
  Math.max(...early.map(countOf)) < shortShare * tried.allowance.limit ||
  (tried.tries.length >= sameMin && isAlmost(tried.tries, tried.allowance));

/** The bursts that were refused before the limit was reached, and why they show nothing, if so: one may span two windows. */
export function earlyIn(tried: Tries): { readonly early: readonly Burst[]; readonly why?: Error | undefined } {
  const { limit, rate } = tried.allowance;
  const early = judgeable(tried).filter((one) => isEarly(one, tried.allowance));
  if (early.length < 2 || isOwnWord(tried, early)) return { early, why: whyNone(tried) };
  const counts = early.map(({ accepted }) => accepted.length).join(', ');
  const how = 'something on the way seems to send some twice';
  return { early, why: new Undecided(`bursts were refused after ${counts} of ${limit} ${rate} requests: ${how}`) };
}

/** Where three minutes served the whole limit and then gave the same suspect reply each time instead of 429. */
export const displacedIn = ({ tries }: Tries): readonly Reply[] =>
  tries.length >= triesMax && tries.every(({ displaced }) => displaced.length > 0)
    ? tries.flatMap(({ displaced }) => displaced.slice(0, 1))
    : [];

/** Why bursts do not show whether the limit is enforced; undefined where they do. */
export function whyNotEnforced(tried: Tries): Error | undefined {
  if (displacedIn(tried).length > 0) return undefined;
  const fast = judgeable(tried).filter((one) => one.displaced.length === 0);
  const [only] = fast;
  if (fast.length === 1 && only && isExceeded(only, tried.allowance))
    return new NotTested('all bursts but one took too long, and that one may have met two windows');
  const { rate } = tried.allowance;
  const none = new Undecided(`no ${rate} request of a burst was refused by the target itself`);
  return whyNone(tried) ?? (fast.length === 0 ? none : undefined);
}

/** Says why the rules cannot judge a requirement, if so. */
export async function leaveOpen<Id extends JudgedId>(
  check: Context<Id, never>['check'],
  id: Id,
  why: Error | undefined,
): Promise<void> {
  if (why === undefined) return;
  await check(id, () => {
    throw why;
  });
}

/**
 * Says why bursts do not show that a limit is allowed and enforced.
 * @throws NotTested where the target never sends a 429, so that nothing else about the limit can be judged
 */
export async function ensureShown<Id extends JudgedId>(
  check: Context<Id, never>['check'],
  [allowed, enforced]: readonly [allowed: Id, enforced: Id],
  tried: Tries,
): Promise<void> {
  await leaveOpen(check, allowed, earlyIn(tried).why);
  await leaveOpen(check, enforced, whyNotEnforced(tried));
  if (displacedIn(tried).length > 0) throw new NotTested(`beyond the ${tried.allowance.rate} limit nothing gets 429`);
}
