// Requests sent while a class is spent: among others of that class, so that what flows back is taken by those.
import { NotTested, type Reply } from '../../lib/index.ts';
import { type Allowance, isRefused, type Send } from './burst.ts';

/** Requests of the class sent before and after, at the same moment. */
const before = 5;
const after = 2;
const roundsMax = 5;

/** Uses up what may have flowed back; rejects where nothing is ever refused. */
export async function spend(send: Send, { limit, rate }: Allowance): Promise<Reply> {
  for (let sent = 0; sent < 2 * limit + 10; sent += before) {
    const replies = await Promise.all(Array.from({ length: before }, send));
    const refused = replies.findLast(isRefused);
    if (refused) return refused;
  }
  throw new NotTested(`the ${rate} limit could not be reached`);
}

interface Round {
  readonly answers: readonly Reply[];
  /** Most of those around them were refused: no new window has begun. */
  readonly spent: boolean;
}

async function round(send: Send, looks: readonly Send[]): Promise<Round> {
  const around: Promise<Reply>[] = Array.from({ length: before }, send);
  const answers: Promise<Reply>[] = [];
  for (const look of looks) {
    answers.push(look());
    around.push(send());
  }
  around.push(...Array.from({ length: after }, send));
  const replies = await Promise.all(around);
  return { answers: await Promise.all(answers), spent: replies.filter(isRefused).length > replies.length / 2 };
}

/**
 * The answers to requests that the spent class should refuse. One that is accepted may have met a new window or what
 * flowed back, so it is asked again: accepted at last means accepted in each of five rounds.
 */
export async function whileSpent(send: Send, allowance: Allowance, looks: readonly Send[]): Promise<Reply[]> {
  const answers: Reply[] = [];
  let open = looks.map((look, index) => ({ look, index }));
  for (let attempt = 1; attempt <= roundsMax && open.length > 0; attempt += 1) {
    await spend(send, allowance);
    const { answers: given } = await round(
      send,
      open.map(({ look }) => look),
    );
    for (const [place, { index }] of open.entries()) {
      const answer = given[place];
      if (answer) answers[index] = answer;
    }
    open = open.filter(({ index }) => !(answers[index] && isRefused(answers[index])));
  }
  return answers;
}

/** The answers to requests that the spent class should leave alone, from a round in which it stayed spent. */
export async function besideSpent(send: Send, allowance: Allowance, looks: readonly Send[]): Promise<readonly Reply[]> {
  for (let attempt = 1; ; attempt += 1) {
    await spend(send, allowance);
    const { answers, spent } = await round(send, looks);
    if (spent) return answers;
    if (attempt === roundsMax) throw new NotTested(`the ${allowance.rate} limit could not be kept spent`);
  }
}
