// Runs what was planned: the queues side by side, the look at the end, and the exhaustion beside it or last.
import pLimit from 'p-limit';
import type { Case } from '../case.ts';
import { type CasePlan, validates } from './plan.ts';

export interface Schedule {
  readonly plan: CasePlan;
  /** The exhaustion waits for nothing but its own queue. */
  readonly besides: boolean;
  /** Cases at a time, in each queue; more than one are twice as many where the plan is short, so that slow replies cost less. */
  readonly concurrency: number;
  readonly run: (one: Case) => Promise<void>;
  /** Before the exhaustion begins, where there is one. */
  readonly onExhaustion: () => void;
  /** What looks again at the end; asked for once every other case but the exhaustion has ended. */
  readonly atEnd: () => readonly (() => Promise<void>)[];
}

async function each<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const places = pLimit(atOnce);
  await Promise.all(items.map((item) => places(() => work(item))));
}

/** Sessions share one stored active account, so cases that use one never run beside each other. */
const atOnceIn = (name: string, concurrency: number): number => (name === 'session' ? 1 : concurrency);

/** Says when the cases of sessions that validate have ended. */
class SessionsFirst {
  readonly ended: Promise<void>;
  private readonly open: Set<Case>;
  private end = () => {};

  constructor({ queues, costOf }: CasePlan) {
    const ofSessions = queues.filter(({ name }) => name === 'session').flatMap(({ cases }) => cases);
    this.open = new Set(ofSessions.filter((one) => validates(costOf(one))));
    this.ended = new Promise((done) => {
      this.end = done;
    });
    if (this.open.size === 0) this.end();
  }

  leave(one: Case): void {
    this.open.delete(one);
    if (this.open.size === 0) this.end();
  }
}

/** Resolves when everything has ended. */
export async function schedule({ plan, besides, concurrency, run, onExhaustion, atEnd }: Schedule): Promise<void> {
  const sessions = new SessionsFirst(plan);
  const work = (one: Case) => run(one).finally(() => sessions.leave(one));
  const begin = async (name: string, cases: readonly Case[]) => {
    if (name === 'validations') await sessions.ended;
    await each(cases, atOnceIn(name, plan.isShort && concurrency > 1 ? 2 * concurrency : concurrency), work);
  };
  const inQueue = new Map(plan.queues.map(({ name, cases }) => [name, begin(name, cases)] as const));
  const main = async () => {
    await Promise.all(inQueue.values());
    await each(atEnd(), concurrency, (look) => look());
  };
  const exhaustion = async () => {
    if (plan.exhausting.length > 0) onExhaustion();
    for (const one of plan.exhausting) await run(one);
  };
  if (!besides) return main().then(exhaustion);
  await Promise.all([main(), Promise.resolve(inQueue.get('exhaustible')).then(exhaustion)]);
}
