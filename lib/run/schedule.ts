// Runs what was planned: the queues side by side, the look at the end, and the exhaustion beside it or last.
import pLimit from 'p-limit';
import type { Case } from '../case.ts';
import { type CasePlan, validates } from './plan.ts';

export interface Schedule {
  readonly plan: CasePlan;
  /** The exhaustion waits for nothing but its own queue. */
  readonly besides: boolean;
  /**
   * Cases at a time, in each queue; more than one are twice as many where the plan is short, and at the end, so that slow
   * replies cost less.
   */
  readonly concurrency: number;
  readonly run: (one: Case) => Promise<void>;
  /** Before the exhaustion begins, where there is one. */
  readonly onExhaustion: () => void;
  /**
   * What looks again at the end, by case; asked for once every other case but the exhaustion has ended. The looks of one
   * case come one after another, as what it did before: so it asks the same when it is judged again.
   */
  readonly atEnd: () => readonly (readonly (() => Promise<void>)[])[];
}

async function each<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const places = pLimit(atOnce);
  await Promise.all(items.map((item) => places(() => work(item))));
}

/** The first that may begin now, as soon as there is a place; where none may, all wait. */
async function eachFree<T>(
  items: readonly T[],
  atOnce: number,
  { isHeld, until }: { readonly isHeld: (item: T) => boolean; readonly until: Promise<void> },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const place = async (): Promise<void> => {
    while (rest.length > 0) {
      const next = rest.findIndex((item) => !isHeld(item));
      if (next < 0) await until;
      else for (const item of rest.splice(next, 1)) await work(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, place));
}

/** Sessions share one stored active account, so cases that use one never run beside each other. */
const atOnceIn = (name: string, concurrency: number): number => (name === 'session' ? 1 : concurrency);

/** Says when the cases of sessions that validate have ended. */
class SessionsFirst {
  readonly ended: Promise<void>;
  private readonly open: Set<Case>;
  private end = () => {};
  private readonly costOf: CasePlan['costOf'];

  constructor({ queues, costOf }: CasePlan) {
    this.costOf = costOf;
    const ofSessions = queues.filter(({ name }) => name === 'session').flatMap(({ cases }) => cases);
    this.open = new Set(ofSessions.filter((one) => validates(costOf(one))));
    this.ended = new Promise((done) => {
      this.end = done;
    });
    if (this.open.size === 0) this.end();
  }

  /** Sessions wait longest where others take their validations. */
  readonly isHeld = (one: Case): boolean => this.open.size > 0 && validates(this.costOf(one)) && !this.open.has(one);

  leave(one: Case): void {
    this.open.delete(one);
    if (this.open.size === 0) this.end();
  }
}

/** Resolves when everything has ended. */
export async function schedule({ plan, besides, concurrency, run, onExhaustion, atEnd }: Schedule): Promise<void> {
  const sessions = new SessionsFirst(plan);
  const work = (one: Case) => run(one).finally(() => sessions.leave(one));
  const doubled = concurrency > 1 ? 2 * concurrency : concurrency;
  const begin = async (name: string, cases: readonly Case[]) => {
    const held = { isHeld: sessions.isHeld, until: sessions.ended };
    await eachFree(cases, atOnceIn(name, plan.isShort ? doubled : concurrency), held, work);
  };
  const inQueue = new Map(plan.queues.map(({ name, cases }) => [name, begin(name, cases)] as const));
  const main = async () => {
    await Promise.all(inQueue.values());
    await each(atEnd(), doubled, (looks) => each(looks, 1, (look) => look()));
  };
  const exhaustion = async () => {
    if (plan.exhausting.length > 0) onExhaustion();
    for (const one of plan.exhausting) await run(one);
  };
  if (!besides) return main().then(exhaustion);
  await Promise.all([main(), Promise.resolve(inQueue.get('exhaustible')).then(exhaustion)]);
}
