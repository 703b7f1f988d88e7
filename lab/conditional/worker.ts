// A thread for conditional mutants: is given an identifier, looks for a witness, and only then examines the mutant.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Effort } from '../../lib/configuration/settings.ts';
import { installLeanFetch } from '../lean-fetch.ts';
import { type Answer, judged } from './judged.ts';

/** Answers every identifier that comes over the port. */
export function serve(port: Pick<MessagePort, 'on' | 'postMessage'>, effort: Effort): void {
  port.on('message', async (id: string) => {
    const answer: Answer = (await judged(id, effort)) ?? { subject: id };
    port.postMessage(answer);
  });
}

if (parentPort !== null) {
  installLeanFetch();
  Error.stackTraceLimit = 0;
  serve(parentPort, (workerData as { effort: Effort }).effort);
}
