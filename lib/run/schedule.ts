// Runs what was planned: the queues side by side, the look at the end, and the exhaustion beside it or last.
import pLimit from 'p-limit';
import type { Case } from '../case.ts';
import { type CasePlan, exhausted, spends, validates } from './plan.ts';

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
  /** The cases of sessions have validated as often as they said, or have ended. */
  readonly sessionsValidated: Promise<void>;
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

/** Resolves when everything has ended. */
export async function schedule(options: Schedule): Promise<void> {
  const { plan, besides, concurrency, run, sessionsValidated, onExhaustion, atEnd } = options;
  let free = () => {};
  const isFree = new Promise<void>((done) => {
    free = done;
  });
  const doubled = concurrency > 1 ? 2 * concurrency : concurrency;
  const begin = async (name: string, cases: readonly Case[]) => {
    if (name === exhausted) await isFree;
    // Sessions share one stored active account.
    if (name === 'session') return each(cases, 1, run);
    const atOnce = plan.isShort ? doubled : concurrency;
    // Sessions wait longest where others take their validations; and what waits for validations keeps no other case waiting.
    const waiting = cases.filter((one) => validates(plan.costOf(one)));
    const others = cases.filter((one) => !waiting.includes(one));
    const first = waiting.length > 0 ? sessionsValidated : undefined;
    await Promise.all([each(others, atOnce, run), first?.then(() => each(waiting, atOnce, run))]);
  };
  const inQueue = new Map(plan.queues.map(({ name, cases }) => [name, begin(name, cases)] as const));
  const main = async () => {
    await Promise.all(inQueue.values());
    await each(atEnd(), doubled, (looks) => each(looks, 1, (look) => look()));
  };
  const exhaustion = async () => {
    if (plan.exhausting.length > 0) onExhaustion();
    const last = plan.exhausting.findLastIndex((one) => spends(plan.costOf(one)));
    for (const [place, one] of plan.exhausting.entries()) {
      if (place > last) free();
      await run(one);
    }
    free();
  };
  if (!besides) return main().then(exhaustion);
  await Promise.all([main(), Promise.resolve(inQueue.get('exhaustible')).then(exhaustion)]);
}
