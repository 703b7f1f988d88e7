// One thread of the live controls: tries the mutants that it is sent, one at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { suites } from '../../suites/index.ts';
import { Bench } from '../evidence/controls.ts';
import { controlMutants } from './control-mutants.ts';
import type { ThreadData } from './controls.ts';

const { evidence, green }: ThreadData = workerData;
const bench = new Bench(suites, evidence);
const wanted = new Set(green);
const byId = new Map(controlMutants.map((one) => [one.id, one]));

parentPort?.on('message', async (id: string) => {
  const mutant = byId.get(id);
  parentPort?.postMessage(mutant ? await bench.outcomesOf(mutant, wanted) : []);
});
