// Work handed out to threads: a free one takes the next task.

import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

/** The compiled file that each thread runs (not every supported Node can start one from TypeScript), what it is started with, and how many there are. */
export interface Threads {
  readonly script: URL;
  readonly data: unknown;
  readonly count: number;
}

/** Large enough that short-lived objects are collected rarely. */
const maxYoungGenerationSizeMb = 64;

/** Rejects if the thread dies. */
function inThread<Task, Answer>(
  { script, data }: Threads,
  next: () => Task | undefined,
  done: (answer: Answer) => void,
): Promise<void> {
  const worker = new Worker(script, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb } });
  return new Promise<void>((resolve, reject) => {
    const ask = () => {
      const task = next();
      if (task === undefined) resolve();
      else worker.postMessage(task);
    };
    worker.on('message', (answer: Answer) => {
      done(answer);
      ask();
    });
    worker.on('error', reject);
    ask();
  }).finally(() => worker.terminate());
}

/** Hands out tasks until `next` has none for any thread, and their answers to `done`; rejects if a thread dies. */
export async function inThreads<Task, Answer>(
  threads: Threads,
  next: () => Task | undefined,
  done: (answer: Answer) => void,
): Promise<void> {
  optimiseLater(process.version);
  await Promise.all(Array.from({ length: threads.count }, () => inThread(threads, next, done)));
}

/** Three times what Node 20 waits. */
const interruptBudget = 400_000;

/** Makes Node 20 optimise functions later; newer versions, which compile in more steps, do not need it. `nodeVersion` as in `v20.19.0`. */
export function optimiseLater(nodeVersion: string): void {
  if (nodeVersion.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${interruptBudget}`);
}
