// Sends again after the seconds that a 429 names, and describes 429s.
import { type Context, graceMs, grouped, NotTested, type Reply, Undecided } from '../../lib/index.ts';
import { orLost } from '../shared/attempt.ts';
import { type Burst, isRefused, leaveOpen, type Send } from './burst.ts';
import type { Allowance } from './counted.ts';
import { secondsOf, wordExpectations, wordIds } from './refusal-rules.ts';
import { spend } from './spent.ts';

type WordContext = Context<(typeof wordIds)[number], never>;
type RecoveryContext = Context<'rate-limits-refused-recovery', never>;

/** Refusals of an operation that may all be a gateway's: whether they come every time only the attempts of a case show. */
export async function judgeDoubtful(replies: readonly (Reply | undefined)[], { check }: WordContext): Promise<void> {
  const refused = grouped(replies.filter(isRefused), (reply) => reply.operation);
  for (const [operation, all] of refused)
    for (const id of all.every(({ doubt }) => doubt !== undefined) ? wordIds : [])
      await check(id, () => all.forEach(wordExpectations[id]), operation);
}

/** Longer waits are not tested, in milliseconds. */
const waitMsMax = 150_000;

/** A refusal and the request that got it. */
interface Refusal {
  readonly refused: Reply;
  readonly send: Send;
  /** Nothing was accepted or lost between the refusal and the wait, which could lengthen the wait. */
  readonly isLast: boolean;
}

/** When the client may retry, in milliseconds since the epoch. */
const returnAt = (refused: Reply): number =>
  refused.receivedAt + (secondsOf(refused) ?? Number.POSITIVE_INFINITY) * 1000;

/** Tolerance for rounded seconds. */
const roundedMs = 2000;

/** The last refusal, of the request with the shortest wait: later refusals may lengthen the wait. */
async function soonest(last: Refusal, looks: readonly Send[]): Promise<Refusal> {
  const replies = await Promise.all(looks.map((look) => orLost(look())));
  const others = replies.flatMap((refused, place): Refusal[] => {
    const send = looks[place];
    return send && refused && isRefused(refused) && refused.doubt === undefined
      ? [{ refused, send, isLast: false }]
      : [];
  });
  const sorted = others.toSorted((one, other) => returnAt(one.refused) - returnAt(other.refused));
  const [first] = sorted;
  if (first === undefined) return { ...last, isLast: replies.every(isRefused) };
  const sooner = returnAt(first.refused) < returnAt(last.refused) - roundedMs ? first : last;
  const { send } = sooner;
  const next = await orLost(send());
  // Where nodes answer in turn, the second try reaches the node that named the wait.
  const isLater = next && isRefused(next) && returnAt(next) > returnAt(sooner.refused) + roundedMs;
  const refused = isLater ? await orLost(send()) : next;
  // If the others took so long that it is accepted, it uses up the request that was waited for.
  return refused && isRefused(refused) ? { refused, send, isLast: true } : { ...last, isLast: false };
}

/** The exceeded limit and the requests for the retry. */
interface Return {
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
export async function recover(given: Return, { check, clock }: RecoveryContext): Promise<Reply> {
  const { send, allowance, after = send, looks } = given;
  const open = (why: Error) => leaveOpen(check, 'rate-limits-refused-recovery', why);
  for (let tries = 1, refusals = 0; ; tries += 1) {
    const spent = await spend(send, allowance);
    const last = await soonest({ refused: spent, send, isLast: true }, looks);
    const { refused, isLast } = last;
    const seconds = secondsOf(refused);
    const waitMs = (seconds ?? 0) * 1000 + graceMs;
    if (seconds === undefined) await open(new NotTested('no 429 names the seconds'));
    else if (waitMs > waitMsMax) await open(new NotTested(`${seconds} s are too long to wait`));
    if (seconds === undefined || waitMs > waitMsMax) return refused;
    await clock.sleep(Math.max(0, refused.receivedAt + waitMs - clock.now()));
    const reply = await (last.send === send ? after : last.send)();
    refusals += isLast ? 1 : 0;
    if (!isRefused(reply) || refusals === refusalsMax) return refused;
    if (tries === triesMax) {
      const how = 'each time something was accepted or lost after the last refusal, which may lengthen its wait';
      await open(new Undecided(how));
      return refused;
    }
    await clock.sleep(waitMsMax);
  }
}

export function retryAfterAnswer(refused: Reply): string {
  const header = refused.headers['retry-after'];
  if (header === undefined) return 'no';
  const seconds = secondsOf(refused);
  return seconds !== undefined && Math.abs(Number(header) - seconds) <= 1
    ? 'yes, and it agrees'
    : 'yes, but it differs';
}

const speaking = /rate-?limit|retry-after|quota/;

export function headersAnswer({ accepted, refused }: Burst): string {
  const names = (replies: readonly Reply[]) => {
    const found = new Set(replies.flatMap((reply) => Object.keys(reply.headers)).filter((name) => speaking.test(name)));
    return found.size === 0 ? 'none' : [...found].sort().join(', ');
  };
  return `on successes ${names(accepted)}; on refusals ${names(refused)}`;
}

/** Derived from the wait of the first refusal, when little time has passed. */
export function algorithmAnswer({ refused: [first], startedAt }: Burst, { limit, minuteMs }: Allowance): string {
  const seconds = first && secondsOf(first);
  if (seconds === undefined) return 'cannot be seen';
  const waitMs = seconds * 1000;
  if (waitMs <= (2 * minuteMs) / limit + 1000 && waitMs <= minuteMs / 2) return 'what is spent flows back bit by bit';
  const left = minuteMs - ((first?.receivedAt ?? 0) - startedAt);
  return Math.abs(waitMs - left) <= 1000
    ? 'a minute begins with the first requests, or slides'
    : 'minutes begin by the clock';
}

/** Whether the wait grows although nothing more is accepted. */
export function countedAnswer({ refused: [first] }: Burst, last: Reply): string {
  const [early, late] = [first && secondsOf(first), secondsOf(last)];
  if (early === undefined || late === undefined) return 'cannot be seen';
  return late > early ? 'yes' : 'the wait did not grow';
}
