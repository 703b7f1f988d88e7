// The matrix over threads: a free thread takes the next subject.
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Effort } from '../../lib/configuration/settings.ts';
import type { Outcome } from './outcome.ts';
import type { Subject } from './subject.ts';

/** How the threads examine their subjects. */
export interface Extent {
  /** Mutants are examined with at least this effort. */
  readonly effort: Effort;
  /** By default all of them. */
  readonly areas?: readonly string[];
}

/** The compiled file: not every supported Node can start a thread from TypeScript. */
const thread = new URL('./worker.js', import.meta.url);

/** Large enough that short-lived objects are collected rarely. */
const maxYoungGenerationSizeMb = 64;

/** Makes Node 20 optimise functions later, because many run too rarely here to pay for it; newer versions do not need it. */
const interruptBudget = 400_000;

/** What the threads run, what they are started with, and how many there are. */
export interface Threads {
  readonly script: URL;
  readonly data: unknown;
  readonly count: number;
}

type Ask = () => string | undefined;

/** Hands out identifiers to one thread until there is none; rejects if the thread dies. */
function inThread<Answer>({ script, data }: Threads, ask: Ask, done: (answer: Answer) => void): Promise<void> {
  const worker = new Worker(script, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb } });
  return new Promise<void>((resolve, reject) => {
    const next = () => {
      const id = ask();
      if (id === undefined) resolve();
      else worker.postMessage(id);
    };
    worker.on('message', (answer: Answer) => {
      done(answer);
      next();
    });
    worker.on('error', reject);
    next();
  }).finally(() => worker.terminate());
}

/** Hands out identifiers to whichever thread is free, and their answers to `done`, until `ask` has no more. */
export async function inThreads<Answer>(threads: Threads, ask: Ask, done: (answer: Answer) => void): Promise<void> {
  if (process.version.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${interruptBudget}`);
  await Promise.all(Array.from({ length: threads.count }, () => inThread(threads, ask, done)));
}

/** The outcomes in the order of the subjects. */
export async function outcomesOf(
  subjects: readonly Subject[],
  threads: number,
  extent: Extent,
  progress: (finished: number) => void = () => {},
): Promise<Outcome[]> {
  const outcomes = new Map<string, Outcome>();
  const queue = subjects.map(({ id }) => id);
  const done = (outcome: Outcome) => {
    outcomes.set(outcome.subject, outcome);
    progress(outcomes.size);
  };
  await inThreads({ script: thread, data: extent, count: threads }, () => queue.shift(), done);
  return subjects.flatMap(({ id }) => outcomes.get(id) ?? []);
}
