// Sends again after the seconds that a 429 names, and describes 429s.
import { type Context, graceMs, grouped, type Reply, type Tools } from '../../lib/index.ts';
import { orLost } from '../shared/attempt.ts';
import { type Burst, isRefused, type Send } from './burst.ts';
import type { Allowance } from './counted.ts';
import { secondsOf, wordExpectations, wordIds } from './refusal-rules.ts';
import { spend } from './spent.ts';

type WordContext = Context<(typeof wordIds)[number], never>;

/** Refusals of an operation that may all be a gateway's: whether they come every time only the attempts of a case show. */
export async function judgeDoubtful(replies: readonly (Reply | undefined)[], { check }: WordContext): Promise<void> {
  const refused = grouped(replies.filter(isRefused), (reply) => reply.operation);
  for (const [operation, all] of refused)
    for (const id of all.every(({ doubt }) => doubt !== undefined) ? wordIds : [])
      await check(id, () => all.forEach(wordExpectations[id]), operation);
}

/** Longer waits are not tested, in milliseconds. */
const waitMsMax = 150_000;

/** A clock may have been set back: after two refusals in spite of the wait no more tries are needed. */
const refusalsMax = 2;
const triesMax = 4;

/**
 * Spends the class, waits the seconds that a further refusal names plus a grace period, and sends `after`. Each try waits
 * until nothing is spent, so that it starts like the first. Returns the refusal.
 */
export async function recover(
  send: Send,
  after: Send,
  allowance: Allowance,
  { clock }: Pick<Tools, 'clock'>,
): Promise<Reply> {
  for (let tries = 1, refusals = 0; ; tries += 1) {
    const spent = await spend(send, allowance);
    // Alone: what was under way together may lengthen the wait.
    const last = await orLost(send());
    const refused = isRefused(last) ? last : spent;
    const waitMs = (secondsOf(refused) ?? Number.POSITIVE_INFINITY) * 1000 + graceMs;
    if (waitMs > waitMsMax) return refused;
    await clock.sleep(Math.max(0, refused.receivedAt + waitMs - clock.now()));
    const reply = await after();
    refusals += isRefused(last) ? 1 : 0;
    if (!isRefused(reply) || refusals === refusalsMax || tries === triesMax) return refused;
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
