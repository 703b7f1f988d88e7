// The laboratory over threads: a free thread takes the next name.
import type { Settings } from '../../lib/configuration/settings.ts';
import { inThreads } from '../../lib/runtime/engine.ts';
import type { Extent, Outcome } from './judgement.ts';
import type { Subject } from './subject.ts';

/** The task of a thread for the names that it gets. */
export type Work = 'subjects' | 'conditional' | 'schedules' | 'evidence' | 'second reading over HTTP';

export interface Threads {
  readonly work: Work;
  readonly how: Extent & Partial<Settings>;
  readonly count: number;
}

/** The compiled file: not every supported Node can start a thread from TypeScript. */
const script = new URL('../worker.js', import.meta.url);

/** What the threads answer to each of the names, in the order of the names. */
export async function answersTo<Answer extends { readonly subject: string }>(
  names: readonly string[],
  { work, how, count }: Threads,
  progress: (finished: number) => void,
): Promise<Answer[]> {
  const answers = new Map<string, Answer>();
  const queue = [...names];
  const done = (answer: Answer) => {
    answers.set(answer.subject, answer);
    progress(answers.size);
  };
  await inThreads({ script, data: { work, how }, count }, () => queue.shift(), done);
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
  return answersTo(names, { work: 'subjects', how: extent, count: threads }, progress);
};
