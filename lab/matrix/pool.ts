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
async function inThreads<Answer>(threads: Threads, ask: Ask, done: (answer: Answer) => void): Promise<void> {
  if (process.version.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${interruptBudget}`);
  await Promise.all(Array.from({ length: threads.count }, () => inThread(threads, ask, done)));
}

/** What the threads answer to each of the names, in the order of the names. */
export async function answersTo<Answer extends { readonly subject: string }>(
  names: readonly string[],
  threads: Threads,
  progress: (finished: number) => void,
): Promise<Answer[]> {
  const answers = new Map<string, Answer>();
  const queue = [...names];
  const done = (answer: Answer) => {
    answers.set(answer.subject, answer);
    progress(answers.size);
  };
  await inThreads(threads, () => queue.shift(), done);
  return names.flatMap((name) => answers.get(name) ?? []);
}

/** The outcomes in the order of the subjects. */
export const outcomesOf = (
  subjects: readonly Subject[],
  threads: number,
  extent: Extent,
  progress: (finished: number) => void = () => {},
): Promise<Outcome[]> => {
  const names = subjects.map(({ id }) => id);
  return answersTo(names, { script: thread, data: extent, count: threads }, progress);
};
