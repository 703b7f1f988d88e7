// Settings of the JavaScript engine: threads that share work, later optimisation, and earlier garbage collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';

/**
 * The compiled file of each thread (not every supported Node can run TypeScript in one), its input, and the number of
 * threads.
 */
export interface Threads {
  readonly script: URL;
  readonly data: unknown;
  readonly count: number;
}

/** Large enough that short-lived objects are rarely collected. */
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

/** Distributes tasks until `next` returns none, and passes the answers to `done`; rejects if a thread dies. */
export async function inThreads<Task, Answer>(
  threads: Threads,
  next: () => Task | undefined,
  done: (answer: Answer) => void,
): Promise<void> {
  optimiseLater(process.version);
  await Promise.all(Array.from({ length: threads.count }, () => inThread(threads, next, done)));
}

/** Three times the default of Node 20. */
const interruptBudget = 400_000;

/** Makes Node 20 optimise functions later; newer versions, which compile in more steps, do not need it. `nodeVersion` as in `v20.19.0`. */
export function optimiseLater(nodeVersion: string): void {
  if (nodeVersion.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${interruptBudget}`);
}

/** The heap may grow by this percentage before garbage is collected; V8's default is several times as much. */
const growth = 50;
/** Bytes read between two collections: V8 lets memory outside its heap pile up on a busy machine. */
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

/** Call after reading so many bytes that are soon dropped: from then on garbage is collected early. */
export function collectEarly(bytes: number): void {
  collect ??= collector();
  bytesSince += bytes;
  if (bytesSince < bytesBetween) return;
  bytesSince = 0;
  collect();
}
