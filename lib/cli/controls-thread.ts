// One thread of the live controls: does the tasks that it is sent, one at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { suites } from '../../suites/index.ts';
import { Bench } from '../evidence/controls.ts';
import { Perturber } from '../evidence/perturbed.ts';
import { type Answer, controlMutants, type Task, type ThreadData } from './controls.ts';

const { evidence }: ThreadData = workerData;
const bench = new Bench(suites, evidence);
const perturber = new Perturber(suites, evidence);
const byId = new Map(controlMutants.map((one) => [one.id, one]));

async function answerTo(task: Task): Promise<Answer> {
  if ('title' in task) return { attempts: await perturber.attempts(task.title, task.requirements) };
  const mutant = byId.get(task.mutant);
  return { outcomes: mutant ? await bench.outcomesOf(mutant, new Set(task.requirements)) : [] };
}

parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await answerTo(task)));
