// Sends requests while a rate class is spent, amid requests of that class that use up what a bucket regains.
import { type Context, type Credential, type JudgedId, NotTested, type Reply, Undecided } from '../../lib/index.ts';
import { unlessUndecided } from '../shared/unless.ts';
import { isThrottled, leaveOpen, refill, type Send } from './burst.ts';
import type { Allowance } from './counted.ts';

/** Requests of the class sent concurrently before and after. */
const [before, after] = [5, 2];
/** Concurrent requests while the class is being spent. */
const stepMax = 30;
const roundsMax = 10;
/** How often a request is sent whose reply may be chance. */
const triesMax = 3;

const several = (count: number, send: Send): Promise<Reply | undefined>[] =>
  Array.from({ length: count }, () => unlessUndecided(send()));

/** Uses up the remaining requests, and returns a refusal. Throws if nothing is ever refused. */
export async function spend(send: Send, { limit, rate }: Allowance): Promise<Reply> {
  const all: (Reply | undefined)[] = [];
  while (all.length < 2 * limit + 10) {
    // Larger steps later, as much may be left.
    all.push(...(await Promise.all(several(all.length < 4 * before ? before : stepMax, send))));
    const own = all.filter(isThrottled).findLast(({ doubt }) => doubt === undefined);
    if (own) return own;
  }
  // All refusals are suspect: so this is how the target refuses.
  const inDoubt = all.findLast(isThrottled);
  if (inDoubt) return inDoubt;
  const lost = all.filter((reply) => reply === undefined || reply.doubt !== undefined).length;
  if (lost > 0) throw new Undecided(`the ${rate} limit could not be reached: ${lost} replies were lost on their way`);
  throw new NotTested(`the ${rate} limit of ${limit} could not be reached: ${all.length} requests met no 429`);
}

/**
 * Sends each of these while the class is spent, until its reply is `right` or was not three times; undefined: that it
 * shows nothing. Returns the last replies that show something.
 */
async function inRounds(
  send: Send,
  allowance: Allowance,
  looks: readonly Send[],
  isRight: (reply: Reply | undefined, isSpent: boolean) => boolean | undefined,
): Promise<readonly (Reply | undefined)[]> {
  const all = looks.map((look) => ({ look, left: triesMax, reply: undefined as Reply | undefined }));
  for (let round = 1; round <= roundsMax; round += 1) {
    const open = all.filter(({ left }) => left > 0);
    if (open.length === 0) break;
    const { sentAt, receivedAt } = await spend(send, allowance);
    // Most are to be refused, although a bucket regains some until the replies are in.
    const regained = refill(allowance, 2 * (receivedAt - sentAt));
    const around = several(before + 2 * regained, send);
    const asked = open.map(({ look }) => {
      const answer = unlessUndecided(look());
      around.push(...several(1, send));
      return answer;
    });
    around.push(...several(after, send));
    // Awaited together, so that no rejected promise is left unhandled.
    const [refusals, replies] = await Promise.all([Promise.all(around), Promise.all(asked)]);
    // Most were refused, so no new window has begun.
    const isSpent = refusals.filter(isThrottled).length > refusals.length / 2;
    for (const [place, one] of open.entries()) {
      const right = isRight(replies[place], isSpent);
      if (right === undefined) continue;
      one.reply = replies[place];
      one.left = right ? 0 : one.left - 1;
    }
  }
  return all.map(({ reply }) => reply);
}

/** Requests that the spent class should refuse. An accepted one may have met a new window or a refilled bucket. */
export const whileSpent = (send: Send, allowance: Allowance, looks: readonly Send[]) =>
  inRounds(send, allowance, looks, (reply, isSpent) => isThrottled(reply) || (reply && isSpent ? false : undefined));

/** Requests that the spent class must not affect. */
async function sendUnaffectedOnce(send: Send, allowance: Allowance, looks: readonly Send[]): Promise<readonly Reply[]> {
  let lost = 0;
  const found = await inRounds(send, allowance, looks, (reply, isSpent) => {
    // A gateway's own limiter may have refused it.
    const isLost = !reply || (isThrottled(reply) && reply.doubt !== undefined);
    lost += isLost ? 1 : 0;
    return isLost || !isSpent ? undefined : !isThrottled(reply);
  });
  const replies = found.filter((reply) => reply !== undefined);
  if (replies.length === found.length) return replies;
  throw lost > 0
    ? new Undecided(`replies beside the spent ${allowance.rate} limit were lost on their way`)
    : new NotTested(
        `the ${allowance.rate} limit could not be kept spent: beyond it, too much was accepted in ${roundsMax} rounds`,
      );
}

/** Requests reserved on each other account: only refused ones are sent again. */
const looksKept = 2;

/**
 * Requests that the spent class must not affect, some of them by these `others`. Refused ones are sent again after two
 * minutes: the bucket may not have been full, or others used the account. Returns the first replies.
 */
export async function sendUnaffected(
  send: Send,
  allowance: Allowance,
  looks: readonly Send[],
  { check, clock, limits }: Pick<Context<JudgedId, never>, 'check' | 'clock' | 'limits'>,
  others?: readonly Credential[],
): Promise<readonly Reply[]> {
  const none = 'COVENANT_API_KEY_SECONDARY is not set, or is of the same account as the key that is exhausted';
  const why = others?.length === 0 ? new NotTested(none) : undefined;
  await leaveOpen(check, 'rate-limits-accounts-apart', why);
  const leave = await Promise.all((others ?? []).map((one) => limits.reserve(one, allowance.rate, looksKept)));
  try {
    const replies = await sendUnaffectedOnce(send, allowance, looks);
    const refused = looks.filter((_, place) => isThrottled(replies[place]));
    if (refused.length > 0) {
      await clock.sleep(2 * limits.minuteMs);
      await sendUnaffectedOnce(send, allowance, refused);
    }
    return replies;
  } finally {
    for (const one of leave) one();
  }
}
