// How many checks live controls show able to fail on a standard run of the reference under the documented minute, and in how much time.
import { runControls } from '../lib/cli/controls.ts';
import type { Controls } from '../lib/evidence/controls.ts';
import { readEvidence } from '../lib/evidence/read.ts';
import { recordedRun } from './recorded-run.ts';

export interface ControlsCost {
  readonly controls: Controls;
  /** Seconds of processor time, of all threads together. */
  readonly seconds: number;
}

/** `secondsUsed`: of processor time so far. Only where the program is compiled: threads cannot be started from TypeScript. */
export async function controlsCost(secondsUsed: () => number): Promise<ControlsCost> {
  const { file, built } = await recordedRun();
  const { found, ...evidence } = readEvidence(file, 'evidence.jsonl.gz');
  if (found === undefined) throw new Error('the record holds no verdict');
  const before = secondsUsed();
  const controls = await runControls({ ...evidence, found }, built.report);
  return { controls, seconds: secondsUsed() - before };
}
