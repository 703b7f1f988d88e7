// The matrix over threads: a free thread takes the next subject.
import type { Effort } from '../../lib/configuration/settings.ts';
import { inThreads, type Threads } from '../../lib/runtime/engine.ts';
import type { Outcome } from './judgement.ts';
import type { Subject } from './subject.ts';

/** How the threads examine their subjects. */
export interface Extent {
  /** Mutants are examined with at least this effort. */
  readonly effort: Effort;
  /** By default all of them. */
  readonly areas?: readonly string[];
  /** Cases, by their titles, that are left out. */
  readonly without?: readonly string[];
}

/** The compiled file: not every supported Node can start a thread from TypeScript. */
const thread = new URL('./worker.js', import.meta.url);

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
