// Sends requests while a rate class is spent, amid requests of that class that use up what a bucket regains.
import { NotTested, type Reply, type Tools, Undecided } from '../../lib/index.ts';
import { orLost } from '../shared/attempt.ts';
import { isRefused, type Send } from './burst.ts';
import type { Allowance } from './counted.ts';

/** Requests of the class sent concurrently before and after. */
const before = 5;
const after = 2;
/** Concurrent requests while the class is being spent. */
const stepMax = 30;
const roundsMax = 10;
/** So often a request is sent whose reply may be a chance. */
const strikesMax = 3;

/** Uses up the remaining requests. Throws if nothing is ever refused. */
export async function spend(send: Send, { limit, rate }: Allowance): Promise<Reply> {
  let lost = 0;
  let inDoubt: Reply | undefined;
  let step = before;
  for (let sent = 0; sent < 2 * limit + 10; sent += step) {
    // Larger steps, as much may be left.
    if (sent >= 4 * before) step = stepMax;
    const replies = await Promise.all(Array.from({ length: step }, () => orLost(send())));
    const refused = replies.filter(isRefused);
    const own = refused.findLast(({ doubt }) => doubt === undefined);
    if (own) return own;
    inDoubt = refused.at(-1) ?? inDoubt;
    lost += replies.filter((reply) => reply === undefined || reply.doubt !== undefined).length;
  }
  // All refusals are suspect: so this is how the target refuses.
  if (inDoubt) return inDoubt;
  if (lost > 0) throw new Undecided(`the ${rate} limit could not be reached: ${lost} replies were lost on their way`);
  throw new NotTested(`the ${rate} limit could not be reached`);
}

/** Requests reserved on the other account: only refused ones are sent again. */
export const looksKept = 2;

interface Answer {
  readonly reply: Reply;
  /** The requests right before and after it were refused. */
  readonly amidRefusals: boolean;
  /** Most requests of the class were refused, so no new window has begun. */
  readonly spent: boolean;
}

/** Undefined where the reply was lost. */
async function round(send: Send, looks: readonly Send[]): Promise<readonly (Answer | undefined)[]> {
  const one = () => orLost(send());
  const around = Array.from({ length: before }, one);
  const answering: Promise<Reply | undefined>[] = [];
  for (const look of looks) {
    answering.push(orLost(look()));
    around.push(one());
  }
  around.push(...Array.from({ length: after }, one));
  // Awaited together, so that no rejected promise is left unhandled.
  const [refusals, looked] = await Promise.all([Promise.all(around), Promise.all(answering)]);
  const refused = refusals.map(isRefused);
  const spent = refused.filter(Boolean).length > refused.length / 2;
  return looked.map((reply, index) => {
    const amidRefusals = refused[before - 1 + index] === true && refused[before + index] === true;
    return reply && { reply, amidRefusals, spent };
  });
}

/** Whether a request is sent again, because its reply shows nothing or not for certain. */
type Next = 'nothing' | 'again' | 'over';

/** Sends each of these while the class is spent, until it is over or was uncertain three times. Returns their last replies. */
async function inRounds(
  send: Send,
  allowance: Allowance,
  looks: readonly Send[],
  nextAfter: (answer: Answer | undefined) => Next,
): Promise<readonly (Reply | undefined)[]> {
  const latest = looks.map((): Reply | undefined => undefined);
  let open = looks.map((look, index) => ({ look, index, strikes: 0 }));
  for (let attempt = 1; attempt <= roundsMax && open.length > 0; attempt += 1) {
    await spend(send, allowance);
    const answers = await round(
      send,
      open.map(({ look }) => look),
    );
    open = open.flatMap(({ look, index, strikes }, place) => {
      const next = nextAfter(answers[place]);
      if (next !== 'nothing') latest[index] = answers[place]?.reply;
      const now = next === 'again' ? strikes + 1 : strikes;
      return next === 'over' || now === strikesMax ? [] : [{ look, index, strikes: now }];
    });
  }
  return latest;
}

/** Requests that the spent class should refuse. An accepted one may have met a new window or a refilled bucket. */
export const whileSpent = (send: Send, allowance: Allowance, looks: readonly Send[]) =>
  inRounds(send, allowance, looks, (answer) => {
    if (!answer) return 'nothing';
    if (isRefused(answer.reply)) return 'over';
    return answer.amidRefusals ? 'again' : 'nothing';
  });

/** Requests that the spent class must not affect. Others may use up their limit, so that they are refused. */
async function besideSpent(send: Send, allowance: Allowance, looks: readonly Send[]): Promise<readonly Reply[]> {
  let lost = 0;
  const replies = await inRounds(send, allowance, looks, (answer) => {
    // A gateway's own limiter may have refused it.
    const isLost = !answer || (isRefused(answer.reply) && answer.reply.doubt !== undefined);
    lost += isLost ? 1 : 0;
    if (isLost || !answer.spent) return 'nothing';
    return isRefused(answer.reply) ? 'again' : 'over';
  });
  return replies.map((reply) => {
    if (!reply && lost > 0)
      throw new Undecided(`replies beside the spent ${allowance.rate} limit were lost on their way`);
    if (!reply) throw new NotTested(`the ${allowance.rate} limit could not be kept spent`);
    return reply;
  });
}

type Means = Pick<Tools, 'clock' | 'limits'>;

/**
 * Like `besideSpent`, but repeats refused requests after two minutes: the bucket may not have been full, or others used
 * the account. `room` reserves their requests.
 */
export async function besideSpentAgain(
  send: Send,
  allowance: Allowance,
  looks: readonly Send[],
  { clock, limits }: Means,
  room: (looks: readonly Send[]) => Promise<void> = async () => {},
): Promise<readonly Reply[]> {
  await room(looks);
  const first = await besideSpent(send, allowance, looks);
  const refused = looks.filter((_, place) => isRefused(first[place]));
  if (refused.length === 0) return first;
  await clock.sleep(2 * limits.minuteMs);
  await room(refused);
  const again = [...(await besideSpent(send, allowance, refused))];
  return first.map((reply) => (isRefused(reply) ? (again.shift() ?? reply) : reply));
}
