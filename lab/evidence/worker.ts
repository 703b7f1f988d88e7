// A thread of the laboratory that records runs over real HTTP and judges them again: it gets a name, and answers with what came of it.
import { parentPort, workerData } from 'node:worker_threads';
import type { Settings } from '../../lib/configuration/settings.ts';
import { type JudgedAgain, judgedAgain } from './judged-again.ts';

/** `<subject> <round>`. */
async function outcomeOf(name: string, settings: Partial<Settings>): Promise<JudgedAgain> {
  const [id = ''] = name.split(' ');
  try {
    return { ...(await judgedAgain(id, settings)), subject: name };
  } catch (error) {
    const trouble = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { subject: name, verdict: 'none', troubles: [trouble], requests: 0, bytes: 0 };
  }
}

if (parentPort !== null) {
  const port = parentPort;
  const settings: Partial<Settings> = workerData;
  port.on('message', async (name: string) => port.postMessage(await outcomeOf(name, settings)));
}
