// A thread of the laboratory that examines schedules: it gets a seed, and answers with the outcome.
import { parentPort } from 'node:worker_threads';
import { installLeanFetch } from '../lean-fetch.ts';
import { subjectOf } from '../matrix/subject.ts';
import { examineSchedule, type ScheduleOutcome } from './examine-schedule.ts';
import { scheduleOf } from './schedule.ts';

/** `network-<seed>`, or `network-<seed>-<subject>` behind which that subject stands. */
export function scheduleNamed(name: string) {
  const [, seed, subject] = /^network-(\d+)(?:-(.+))?$/.exec(name) ?? [];
  return scheduleOf(Number(seed), subject === undefined ? undefined : subjectOf(subject));
}

async function outcomeFor(name: string): Promise<ScheduleOutcome> {
  const schedule = scheduleNamed(name);
  try {
    return { ...(await examineSchedule(schedule)), subject: name };
  } catch (error) {
    const trouble = `the suite crashed: ${error instanceof Error ? error.stack : String(error)}`;
    const nothing = { failed: [], untested: [], inconclusive: [], requests: 0, durationMs: 0, left: [], ended: true };
    return { subject: name, verdict: 'aborted', trouble, effort: 'standard', kind: schedule.kind.id, ...nothing };
  }
}

if (parentPort !== null) {
  const port = parentPort;
  installLeanFetch();
  port.on('message', async (name: string) => port.postMessage(await outcomeFor(name)));
}
