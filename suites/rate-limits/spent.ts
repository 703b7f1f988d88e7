// Sends requests while a rate class is spent, amid requests of that class that use up what a bucket regains.
import { NotTested, type Reply, type Tools, Undecided } from '../../lib/index.ts';
import { orLost } from '../shared/attempt.ts';
import { type Allowance, isRefused, type Send } from './burst.ts';

/** Requests of the class sent concurrently before and after. */
const before = 5;
const after = 2;
/** Concurrent requests while the class is being spent. */
const stepMax = 30;
const roundsMax = 10;
/** A request must be accepted this often between two refused ones to count as accepted. */
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
  /** Undefined where it was lost. */
  readonly reply: Reply | undefined;
  /** The requests right before and after it were refused. */
  readonly amidRefusals: boolean;
}

interface Round {
  readonly answers: readonly Answer[];
  /** Most requests of the class were refused, so no new window has begun. */
  readonly spent: boolean;
}

async function round(send: Send, looks: readonly Send[]): Promise<Round> {
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
  const answers = looked.map((reply, index) => ({
    reply,
    amidRefusals: refused[before - 1 + index] === true && refused[before + index] === true,
  }));
  return { answers, spent: refused.filter(Boolean).length > refused.length / 2 };
}

interface Open {
  readonly look: Send;
  readonly index: number;
  readonly strikes: number;
}

/**
 * The replies to requests that the spent class should refuse. An accepted one may have met a new window or a refilled
 * bucket, so it is repeated: only three times amid refusals count. Undefined where that stays open.
 */
export async function whileSpent(
  send: Send,
  allowance: Allowance,
  looks: readonly Send[],
): Promise<readonly (Reply | undefined)[]> {
  const decided = looks.map((): Reply | undefined => undefined);
  let open: readonly Open[] = looks.map((look, index) => ({ look, index, strikes: 0 }));
  for (let attempt = 1; attempt <= roundsMax && open.length > 0; attempt += 1) {
    await spend(send, allowance);
    const { answers } = await round(
      send,
      open.map(({ look }) => look),
    );
    open = open.flatMap((one, place) => {
      const answer = answers[place];
      if (!answer) return [];
      if (!answer.reply) return [one];
      const strikes = one.strikes + (answer.amidRefusals ? 1 : 0);
      if (!isRefused(answer.reply) && strikes < strikesMax) return [{ ...one, strikes }];
      decided[one.index] = answer.reply;
      return [];
    });
  }
  return decided;
}

/** Replies to requests that the spent class must not affect. Others may use up their limit, so three 429s count. */
async function besideSpent(send: Send, allowance: Allowance, looks: readonly Send[]): Promise<readonly Reply[]> {
  const latest = new Map<number, Reply>();
  let lost = 0;
  let open: readonly Open[] = looks.map((look, index) => ({ look, index, strikes: 0 }));
  for (let attempt = 1; attempt <= roundsMax && open.length > 0; attempt += 1) {
    await spend(send, allowance);
    const { answers, spent } = await round(
      send,
      open.map(({ look }) => look),
    );
    if (!spent) continue;
    open = open.flatMap((one, place) => {
      const reply = answers[place]?.reply;
      // A gateway's own limiter may have refused it.
      if (!reply || (isRefused(reply) && reply.doubt !== undefined)) {
        lost += 1;
        return [one];
      }
      latest.set(one.index, reply);
      const strikes = one.strikes + 1;
      return isRefused(reply) && strikes < strikesMax ? [{ ...one, strikes }] : [];
    });
  }
  return looks.map((_, index) => {
    const reply = latest.get(index);
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
