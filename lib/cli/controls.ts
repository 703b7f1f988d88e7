// `covenant verify --controls`: puts the laboratory's mutants into the recorded replies, on every core, and says which checks were seen to fail.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Controls, controlsOf, greenMusts, type Outcome } from '../evidence/controls.ts';
import type { WholeEvidence } from '../evidence/replayed.ts';
import type { Report } from '../result.ts';
import { controlMutants } from './control-mutants.ts';

/** What a thread is given; it answers with the outcomes of one mutant after another. */
export interface ThreadData {
  readonly evidence: WholeEvidence;
  readonly green: readonly string[];
}

const threadsMax = 8;

function inThread(data: ThreadData, queue: string[], outcomes: Outcome[]): Promise<void> {
  const worker = new Worker(new URL('./controls-thread.js', import.meta.url), { workerData: data });
  return new Promise<void>((resolve, reject) => {
    const next = () => {
      const id = queue.shift();
      if (id === undefined) resolve();
      else worker.postMessage(id);
    };
    worker.on('message', (found: readonly Outcome[]) => {
      outcomes.push(...found);
      next();
    });
    worker.on('error', reject);
    next();
  }).finally(() => worker.terminate());
}

/** Of the report that follows from the evidence. */
export async function runControls(evidence: WholeEvidence, report: Report): Promise<Controls> {
  const green = greenMusts(report);
  const wanted = new Set(green);
  const queue = controlMutants.filter(({ breaks }) => breaks.some((id) => wanted.has(id))).map(({ id }) => id);
  const outcomes: Outcome[] = [];
  const threads = Math.min(threadsMax, availableParallelism(), Math.max(1, queue.length));
  const { header, entries, found } = evidence;
  const data = { evidence: { header, entries, found }, green };
  await Promise.all(Array.from({ length: threads }, () => inThread(data, queue, outcomes)));
  return controlsOf(green, outcomes);
}
