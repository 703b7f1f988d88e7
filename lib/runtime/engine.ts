// What this process asks of its engine: threads that share work, later optimisation, and earlier collection of garbage.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

/** Garbage is collected once it is this share of what is in use, in percent; by itself V8 waits for several times as much. */
const growth = 50;
/** Bytes read between two collections: what lies outside its heap V8 lets pile up where the machine is busy. */
const bytesBetween = 32 * 1024 * 1024;

let collect: (() => void) | undefined;
let bytesSince = 0;

function collector(): () => void {
  try {
    setFlagsFromString(`--heap-growing-percent=${growth}`);
    setFlagsFromString('--expose-gc');
    return runInNewContext('gc') as () => void;
  } catch {
    // Bun has another engine, and no such flags.
    return () => {};
  }
}

/** From now on memory is worth more than the processor's time: for whoever reads so many bytes that are soon let go. */
export function collectEarly(bytes: number): void {
  collect ??= collector();
  bytesSince += bytes;
  if (bytesSince < bytesBetween) return;
  bytesSince = 0;
  collect();
}
