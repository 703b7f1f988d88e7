// Runs the plan: queues in parallel, the reads at the end, exhaustion; and stops a run whose time or disk is used up.
import pLimit from 'p-limit';
import type { Case } from '../case.ts';
import { Ended } from '../client/errors.ts';
import type { Entry } from '../client/ledger.ts';
import type { Transport } from '../client/transports/transport.ts';
import type { Plan } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
import { NotWritten } from '../runtime/disk.ts';
import { counted } from '../runtime/text.ts';
import { type CasePlan, exhausted, spends, validates } from './plan.ts';

export interface Schedule {
  readonly plan: CasePlan;
  /** The exhaustion waits only for its own queue. */
  readonly besides: boolean;
  /**
   * Concurrent cases in each queue; if more than one, twice as many if the plan is short, and at the end, so that slow
   * replies cost less.
   */
  readonly concurrency: number;
  readonly run: (one: Case) => Promise<void>;
  /** The cases of sessions have validated as often as they said, or have ended. */
  readonly sessionsValidated: Promise<void>;
  /** Before the exhaustion begins, where there is one. */
  readonly onExhaustion: () => void;
  /**
   * The reads at the end, by case; requested once every other case but the exhaustion has ended. Those of one case run
   * in sequence, so that it sends the same when it is judged again.
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

interface Allowance {
  /** Milliseconds. */
  readonly ms: number;
  /** What a run that has used it up says. */
  readonly over: string;
}

/**
 * How long a run may take by its clock, which is `rate` times as fast as the machine's: as the settings say, or three
 * times what is planned and a second for each reply.
 */
export function allowedTime(maxMinutes: number | undefined, plan: Plan | undefined, rate = 1): Allowance {
  const minutes = (ms: number): string => counted(Math.ceil(ms / 60_000), 'minute');
  if (maxMinutes !== undefined) {
    const ms = maxMinutes * 60_000;
    return { ms: ms * rate, over: `the run has reached its limit of ${minutes(ms)} (--max-minutes)` };
  }
  const requests = plan?.requests.reduce((sum, one) => sum + one.requests, 0) ?? 0;
  const ms = plan === undefined ? Number.POSITIVE_INFINITY : 3 * (plan.duration_ms + requests * 1000);
  const over = `the run has reached its limit of ${minutes(ms)}, three times what was planned; --max-minutes sets another`;
  return { ms: ms * rate, over };
}

interface TimeLimit {
  readonly isLate: () => boolean;
  /** What is said then. */
  readonly over: () => string;
  /** Aborted when the run ends, by a person or by its limit. */
  readonly signal: AbortSignal;
  end(reason: Ended): void;
}

/** At the end of the time allowed nothing more is begun. */
export function inTime(transport: Transport, { isLate, over, signal, end }: TimeLimit): Transport {
  return (sent, limits) => {
    if (!isLate()) return transport(sent, limits);
    end(new Ended(over()));
    return limits.signal ? Promise.reject(signal.reason) : transport(sent, limits);
  };
}

type Work = readonly (() => Promise<void>)[];

/** What is done at the end begins so many milliseconds from now; at once where no time is given. */
export function held(holdMs: number | undefined, all: readonly Work[], clock: Clock): readonly Work[] {
  if (holdMs === undefined) return all;
  const until = clock.now() + holdMs;
  const pause = () => clock.sleep(Math.max(0, until - clock.now())).catch(() => {});
  return all.map((some) => [pause, ...some]);
}

/** Calls back whenever nothing is under way any more, until what is returned is called. */
export type OnStandstill = (call: () => void) => () => void;

/**
 * As the work, or `Ended` where it stands still: what listens to the run's end is ended first, and what does not is left
 * behind at the second time.
 */
export async function unlessStill(
  work: Promise<void>,
  onStandstill: OnStandstill = () => () => {},
  end: (why: Ended) => void = () => {},
): Promise<void> {
  const why = new Ended('an error of Covenant itself: it waits for something that never comes');
  let isStill = false;
  let release = () => {};
  const left = new Promise<void>((done) => {
    release = onStandstill(() => {
      if (isStill) done();
      isStill = true;
      end(why);
    });
  });
  await Promise.race([work, left]).finally(release);
  if (isStill) throw why;
}

/** What is announced must be stored before it is sent; what is already done only makes a later clean-up shorter. */
const isAnnounced = ({ entry }: Entry): boolean => entry === 'intend' || entry === 'switch';

/** @throws Ended where a request was announced that must not be sent now. */
export function stored(entry: Entry, record: ((entry: Entry) => void) | undefined, end: (why: Ended) => void): void {
  try {
    record?.(entry);
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    const ended = new Ended(`${error.message}; without it a run makes nothing that it could not find again`);
    end(ended);
    if (isAnnounced(entry)) throw ended;
  }
}

/** How often a run that can be resumed is written down, in milliseconds; later each tenth of its time. */
const checkpointMs = 5_000;
export const checkpointDueMs = (elapsedMs: number): number => Math.max(checkpointMs, elapsedMs / 10);
