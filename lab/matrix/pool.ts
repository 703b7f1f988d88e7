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

/** Works through the queue in one thread; rejects if the thread dies. */
function inThread<Done>(file: URL, queue: string[], workerData: unknown, done: (outcome: Done) => void): Promise<void> {
  const worker = new Worker(file, { workerData, resourceLimits: { maxYoungGenerationSizeMb } });
  return new Promise<void>((resolve, reject) => {
    const next = () => {
      const name = queue.shift();
      if (name === undefined) resolve();
      else worker.postMessage(name);
    };
    worker.on('message', (outcome: Done) => {
      done(outcome);
      next();
    });
    worker.on('error', reject);
    next();
  }).finally(() => worker.terminate());
}

/** What the threads answer to each of the names, in the order of the names. */
export async function inThreads<Done extends { readonly subject: string }>(
  file: URL,
  names: readonly string[],
  threads: number,
  workerData: unknown,
  progress: (finished: number) => void,
): Promise<Done[]> {
  if (process.version.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${interruptBudget}`);
  const outcomes = new Map<string, Done>();
  const queue = [...names];
  const done = (outcome: Done) => {
    outcomes.set(outcome.subject, outcome);
    progress(outcomes.size);
  };
  await Promise.all(Array.from({ length: threads }, () => inThread(file, queue, workerData, done)));
  return names.flatMap((name) => outcomes.get(name) ?? []);
}

/** The outcomes in the order of the subjects. */
export const outcomesOf = (
  subjects: readonly Subject[],
  threads: number,
  extent: Extent,
  progress: (finished: number) => void = () => {},
): Promise<Outcome[]> =>
  inThreads(
    thread,
    subjects.map(({ id }) => id),
    threads,
    extent,
    progress,
  );
