// What recording evidence takes of a run's processor time: `covenant run` with and without it, in processes of their own, at the same time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../over-http.ts';
import { createReference } from '../reference/index.ts';

/** Pairs differ by several percent among each other, mostly by what V8 compiles when: it takes many for a median that holds. */
const rounds = 8;
/** So many pairs at a time keep two cores half busy. */
const pairs = 2;
const minuteMs = 1000;

const measured = (program: string): string =>
  `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('\\n' + (user + system)); }); process.argv.splice(1, 0, 'covenant'); await import(${JSON.stringify(program)});`;

/** The processor time of one run in milliseconds, its start and its report included. */
async function timeOf(program: string, folder: string, out: string, env: NodeJS.ProcessEnv, more: readonly string[]) {
  const words = ['run', '--quiet', '--no-exhaustion', '--seed', '1', '--out', out, ...more];
  const child = spawn(process.execPath, ['--input-type=module', '-e', measured(program), ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the run ended with ${code}: ${stderr}`);
  return Number(stderr.split('\n').at(-1)) / 1000;
}

/** One run against a server of its own: what an earlier run left behind makes every list longer, and the next run dearer. */
async function costOf(program: string, folder: string, out: string, more: readonly string[]): Promise<number> {
  const { handler, env } = await createReference({ minuteMs });
  const server = await listen(handler, 'plain');
  const whole = { ...process.env, ...env, COVENANT_BASE_URL: server.url, COVENANT_MINUTE_MS: String(minuteMs) };
  try {
    return await timeOf(program, folder, out, whole, more);
  } finally {
    await server.close();
  }
}

type Pair = Pick<RecordingCost, 'plainMs' | 'recordedMs'>;

async function pairOf(program: string, folder: string, out: string): Promise<Pair> {
  const [plainMs, recordedMs] = await Promise.all([
    costOf(program, folder, `${out}-plain`, []),
    costOf(program, folder, `${out}-recorded`, ['--evidence']),
  ]);
  return { plainMs, recordedMs };
}

export interface RecordingCost {
  /** Median of the pairs: with evidence to without. */
  readonly ratio: number;
  /** The middle half of the pairs lies between these two. */
  readonly between: readonly [number, number];
  /** Medians, in milliseconds. */
  readonly plainMs: number;
  readonly recordedMs: number;
}

/** What stands at this share of the numbers, the least first. */
const quantile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.round((numbers.length - 1) * share)] ?? 0;
const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** `program` is the address of the command line. */
export async function recordingCost(program: string): Promise<RecordingCost> {
  const folder = mkdtempSync(join(tmpdir(), 'covenant-recording-'));
  const found: Pair[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      // Side by side: whatever else the machine does meanwhile, it does to both.
      const some = Array.from({ length: pairs }, (_, at) => pairOf(program, folder, String(at)));
      found.push(...(await Promise.all(some)));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const ratios = found.map(({ plainMs, recordedMs }) => recordedMs / plainMs);
  return {
    ratio: median(ratios),
    between: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    plainMs: median(found.map(({ plainMs }) => plainMs)),
    recordedMs: median(found.map(({ recordedMs }) => recordedMs)),
  };
}
