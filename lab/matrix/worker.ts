// A thread of the laboratory: receives the identifier of a subject, examines it, and posts the outcome.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { installLeanFetch } from '../lean-fetch.ts';
import { outcomeFor } from './examine-subject.ts';
import type { Outcome } from './judgement.ts';
import type { Extent } from './pool.ts';
import { subjectOf, within } from './subject.ts';

/** Posts the outcome of every subject whose identifier comes over the port. */
export function serve(port: Pick<MessagePort, 'on' | 'postMessage'>, { effort, areas, without = [] }: Extent): void {
  port.on('message', async (id: string) => {
    const subject = subjectOf(id);
    if (subject === undefined) throw new Error(`There is no subject named ${id}.`);
    const { examination, ...declared } = areas ? within(subject, areas) : subject;
    const left = without.length === 0 ? examination : { ...examination, decided: new Set(without) };
    const outcome: Outcome = await outcomeFor({ ...declared, examination: left }, effort);
    port.postMessage(outcome);
  });
}

if (parentPort !== null) {
  installLeanFetch();
  // Refusals are exceptions, whose stack traces are not used here and would take a tenth of the time.
  Error.stackTraceLimit = 0;
  serve(parentPort, workerData as Extent);
}
