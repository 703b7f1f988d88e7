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
function inThread(queue: Subject[], extent: Extent, done: (outcome: Outcome) => void): Promise<void> {
  const worker = new Worker(thread, { workerData: extent, resourceLimits: { maxYoungGenerationSizeMb } });
  return new Promise<void>((resolve, reject) => {
    const next = () => {
      const subject = queue.shift();
      if (subject) worker.postMessage(subject.id);
      else resolve();
    };
    worker.on('message', (outcome: Outcome) => {
      done(outcome);
      next();
    });
    worker.on('error', reject);
    next();
  }).finally(() => worker.terminate());
}

/** The outcomes in the order of the subjects. */
export async function outcomesOf(
  subjects: readonly Subject[],
  threads: number,
  extent: Extent,
  progress: (finished: number) => void = () => {},
): Promise<Outcome[]> {
  if (process.version.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${interruptBudget}`);
  const outcomes = new Map<string, Outcome>();
  const queue = [...subjects];
  const done = (outcome: Outcome) => {
    outcomes.set(outcome.subject, outcome);
    progress(outcomes.size);
  };
  await Promise.all(Array.from({ length: threads }, () => inThread(queue, extent, done)));
  return subjects.flatMap(({ id }) => outcomes.get(id) ?? []);
}
