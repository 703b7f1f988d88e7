// A thread of the laboratory: is told the name of a subject, examines it, and answers with the outcome.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Effort } from '../../lib/configuration/settings.ts';
import { installLeanFetch } from '../lean-fetch.ts';
import { outcomeFor } from './examine-subject.ts';
import type { Outcome } from './outcome.ts';
import { subjectOf } from './subject.ts';

/** Answers every name that comes over the port. */
export function serve(port: Pick<MessagePort, 'on' | 'postMessage'>, effort: Effort): void {
  port.on('message', async (id: string) => {
    const subject = subjectOf(id);
    if (subject === undefined) throw new Error(`There is no subject named ${id}.`);
    const outcome: Outcome = await outcomeFor(subject, effort);
    port.postMessage(outcome);
  });
}

if (parentPort !== null) {
  installLeanFetch();
  // Refusals are exceptions; where they were thrown interests nobody here, and costs a tenth of the time.
  Error.stackTraceLimit = 0;
  serve(parentPort, (workerData as { effort: Effort }).effort);
}
