// Sends again after the seconds that a 429 names, and describes 429s.
import { type Context, graceMs, grouped, NotTested, type Reply, Undecided } from '../../lib/index.ts';
import { distinct } from '../shared/answer.ts';
import { unlessUndecided } from '../shared/unless.ts';
import { type Burst, isThrottled, leaveOpen, type Send } from './burst.ts';
import type { Allowance } from './counted.ts';
import { secondsOf, type WordId, wordExpectations, wordIds } from './rules.ts';
import { spend } from './spent.ts';

/** Refusals of an operation that may all be a gateway's: whether they come every time only the attempts of a case show. */
export async function judgeDoubtful(
  replies: readonly (Reply | undefined)[],
  { check }: Context<WordId, never>,
): Promise<void> {
  const refused = grouped(replies.filter(isThrottled), (reply) => reply.operation);
  for (const [operation, all] of refused)
    for (const id of all.every(({ doubt }) => doubt !== undefined) ? wordIds : [])
      await check(id, () => all.forEach(wordExpectations[id]), operation);
}

/** Longer waits are not tested, in milliseconds. */
const waitMsMax = 150_000;

/** When the client may retry, in milliseconds since the epoch. */
const retryAt = (refused: Reply): number =>
  refused.receivedAt + (secondsOf(refused) ?? Number.POSITIVE_INFINITY) * 1000;

/** Tolerance for rounded seconds. */
const roundedMs = 2000;

/** A refusal and the request that got it. */
interface Refusal {
  readonly refused: Reply;
  readonly send: Send;
  /** Nothing was accepted or lost between the refusal and the wait, which could lengthen the wait. */
  readonly isLast: boolean;
}

/** The last refusal, of the request with the shortest wait: later refusals may lengthen the wait. */
async function soonest(last: Refusal, looks: readonly Send[]): Promise<Refusal> {
  const tried = await Promise.all(looks.map(async (send) => ({ send, refused: await unlessUndecided(send()) })));
  const [first] = tried
    .flatMap(({ send, refused }) => (isThrottled(refused) && refused.doubt === undefined ? [{ send, refused }] : []))
    .sort((one, other) => retryAt(one.refused) - retryAt(other.refused));
  if (first === undefined) return { ...last, isLast: tried.every(({ refused }) => isThrottled(refused)) };
  const { send, refused: former } = retryAt(first.refused) < retryAt(last.refused) - roundedMs ? first : last;
  const next = await unlessUndecided(send());
  // Where nodes answer in turn, the second try reaches the node that named the wait.
  const isLater = isThrottled(next) && retryAt(next) > retryAt(former) + roundedMs;
  const refused = isLater ? await unlessUndecided(send()) : next;
  // If the others took so long that it is accepted, it uses up the request that was waited for.
  return isThrottled(refused) ? { refused, send, isLast: true } : { ...last, isLast: false };
}

/** The exceeded limit and the requests for the retry. */
export interface Retry {
  readonly send: Send;
  readonly allowance: Allowance;
  /** Sent after the wait in place of `send`. */
  readonly after?: Send;
  /** Other requests of the class that change nothing. */
  readonly looks: readonly Send[];
}

/** A clock may have been set back: after two refusals in spite of the wait no more tries are needed. */
const refusalsMax = 2;
const triesMax = 4;

/**
 * Waits the seconds that the last refusal names plus a grace period, and sends `after` (default: the refused request).
 * Each try waits until nothing is spent, so that it starts like the first. Returns the refusal.
 */
export async function recover(
  { send, allowance, after = send, looks }: Retry,
  { check, clock }: Context<'rate-limits-refused-recovery', never>,
): Promise<Reply> {
  for (let tries = 1, refusals = 0; ; tries += 1) {
    const last = await soonest({ refused: await spend(send, allowance), send, isLast: true }, looks);
    const { refused, isLast } = last;
    const untilMs = retryAt(refused) + graceMs;
    let open: Error | undefined;
    if (untilMs === Number.POSITIVE_INFINITY) open = new NotTested('no 429 names the seconds');
    else if (untilMs > refused.receivedAt + waitMsMax)
      open = new NotTested(`${secondsOf(refused)} s are too long to wait`);
    else {
      await clock.sleep(Math.max(0, untilMs - clock.now()));
      const reply = await (last.send === send ? after : last.send)();
      refusals += isLast ? 1 : 0;
      if (!isThrottled(reply) || refusals === refusalsMax) return refused;
      if (tries === triesMax)
        open = new Undecided(
          'each time something was accepted or lost after the last refusal, which may lengthen its wait',
        );
    }
    await leaveOpen(check, 'rate-limits-refused-recovery', open);
    if (open) return refused;
    await clock.sleep(waitMsMax);
  }
}

/** What the target chose about limits, as the last burst of a class and the last refusal show. */
export const choicesIn = ({ allowance, last }: { allowance: Allowance; last: Burst }, refused: Reply) => ({
  'rate-limits-refused-retry-after': retryAfterIn(refused),
  'rate-limits-headers': `on successes ${headersIn(last.accepted)}; on refusals ${headersIn(last.refused)}`,
  'rate-limits-algorithm': algorithmOf(last, allowance),
  'rate-limits-refused-counted': countedIn(last, refused),
});

function retryAfterIn(refused: Reply): string {
  const header = refused.headers['retry-after'];
  if (header === undefined) return 'no';
  const isAlike = Math.abs(Number(header) - (secondsOf(refused) ?? Number.NaN)) <= 1;
  return `yes, ${isAlike ? 'and it agrees' : 'but it differs'}`;
}

function headersIn(replies: readonly Reply[]): string {
  const names = replies.flatMap(({ headers }) => Object.keys(headers));
  return distinct(names.filter((name) => /rate-?limit|retry-after|quota/.test(name))) || 'none';
}

/** Derived from the wait of the first refusal, when little time has passed. */
function algorithmOf({ refused: [first], startedAt }: Burst, { limit, minuteMs }: Allowance): string {
  const waitMs = ((first && secondsOf(first)) ?? Number.NaN) * 1000;
  if (first === undefined || Number.isNaN(waitMs)) return 'cannot be seen';
  if (waitMs <= (2 * minuteMs) / limit + 1000 && waitMs <= minuteMs / 2) return 'what is spent flows back bit by bit';
  return Math.abs(first.receivedAt + waitMs - startedAt - minuteMs) <= 1000
    ? 'a minute begins with the first requests, or slides'
    : 'minutes begin by the clock';
}

/** Whether the wait grows although nothing more is accepted. */
function countedIn({ refused: [first] }: Burst, last: Reply): string {
  const [early, late] = [first && secondsOf(first), secondsOf(last)];
  if (early === undefined || late === undefined) return 'cannot be seen';
  return late > early ? 'yes' : 'the wait did not grow';
}
