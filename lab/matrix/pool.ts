// The matrix over threads: whichever is free takes the next subject.
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Effort } from '../../lib/configuration/settings.ts';
import type { Outcome } from './outcome.ts';
import type { Subject } from './subject.ts';

/** Compiled: threads cannot be started from TypeScript on every Node that is supported. */
const thread = new URL('./worker.js', import.meta.url);

/** Room enough that what one request leaves behind is swept away seldom. */
const maxYoungGenerationSizeMb = 64;

/** On Node 20 functions are optimised later than usual: many run too seldom here to pay for it. Newer ones need no help. */
const interruptBudget = 400_000;

/** Works off the queue in one thread; rejects where the thread dies. */
function inThread(queue: Subject[], effort: Effort, done: (outcome: Outcome) => void): Promise<void> {
  const worker = new Worker(thread, { workerData: { effort }, resourceLimits: { maxYoungGenerationSizeMb } });
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

/** The outcomes in the order of the subjects; `effort`: the least that mutants are examined with. */
export async function outcomesOf(
  subjects: readonly Subject[],
  threads: number,
  effort: Effort,
  progress: (finished: number) => void = () => {},
): Promise<Outcome[]> {
  if (process.version.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${interruptBudget}`);
  const outcomes = new Map<string, Outcome>();
  const queue = [...subjects];
  const done = (outcome: Outcome) => {
    outcomes.set(outcome.subject, outcome);
    progress(outcomes.size);
  };
  await Promise.all(Array.from({ length: threads }, () => inThread(queue, effort, done)));
  return subjects.flatMap(({ id }) => outcomes.get(id) ?? []);
}
