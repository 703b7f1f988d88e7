// What `run` and `compare` are given for the gate: a baseline, and waivers; read before anything is sent.
import { basename, dirname, join } from 'node:path';
import { withWaivers } from '../gate/assess.ts';
import { checkBaseline } from '../gate/compare.ts';
import { readWaivers, type Waiver, waiversFile } from '../gate/waivers.ts';
import { readReport } from '../report/read.ts';
import type { Report, RunResult } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import type { Console } from './console.ts';
import { isThere, namedFile } from './named-file.ts';
import { lastWhole } from './out-folder.ts';
import type { Parts } from './parts.ts';

export interface GateOptions {
  readonly baseline?: string;
  readonly waivers?: string;
}

export interface Gate {
  readonly baseline?: Report;
  readonly waivers?: readonly Waiver[];
  readonly notices: readonly string[];
}

/** A report that something can be compared with. */
export async function baselineFrom(path: string, { folder }: Console): Promise<Report> {
  const report = readReport(await namedFile(folder, path), path);
  const whole = join(dirname(path), lastWhole, basename(path));
  checkBaseline(report, path, (await isThere(folder, whole)) ? `the last whole one, ${whole}` : undefined);
  return report;
}

export const waiversFrom = async (
  path: string,
  { folder }: Console,
  { catalogue }: Parts,
): Promise<readonly Waiver[]> => readWaivers(await namedFile(folder, path), path, catalogue);

/** @throws UsageError on a file that cannot be read, is broken, or waives what is not known. */
export async function gateFrom({ baseline, waivers }: GateOptions, console: Console, parts: Parts): Promise<Gate> {
  const forgotten = waivers === undefined && (await isThere(console.folder, waiversFile));
  return {
    ...defined({
      baseline: baseline === undefined ? undefined : await baselineFrom(baseline, console),
      waivers: waivers === undefined ? undefined : await waiversFrom(waivers, console, parts),
    }),
    notices: forgotten
      ? [`${waiversFile} is here but was not named, so nothing is waived: --waivers ${waiversFile}`]
      : [],
  };
}

/** The result with what its waivers came to; its transcript is made only when it is asked for. */
export function gated(result: RunResult, { waivers }: Gate, now: number): RunResult {
  if (waivers === undefined) return result;
  return {
    report: withWaivers(result.report, waivers, now),
    get transcript() {
      return result.transcript;
    },
  };
}
