// One thread of the live controls: tries the faults that it is sent, one at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { suites } from '../../suites/index.ts';
import { Bench } from '../evidence/controls.ts';
import type { ThreadData } from './controls.ts';
import { faults } from './faults.ts';

const { evidence, green }: ThreadData = workerData;
const bench = new Bench(suites, evidence);
const wanted = new Set(green);
const byId = new Map(faults.map((one) => [one.id, one]));

parentPort?.on('message', async (id: string) => {
  const fault = byId.get(id);
  parentPort?.postMessage(fault ? await bench.outcomesOf(fault, wanted) : []);
});
