// What recording evidence takes of a run's processor time: `covenant run` with and without it, in processes of their own, in turn.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from './over-http.ts';
import { createReference } from './reference/index.ts';

const rounds = 7;
const minuteMs = 1000;

const measured = (program: string): string =>
  `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('\\n' + (user + system)); }); process.argv.splice(1, 0, 'covenant'); await import(${JSON.stringify(program)});`;

/** The processor time of one run in milliseconds, its start and its report included. */
async function timeOf(program: string, folder: string, env: NodeJS.ProcessEnv, more: readonly string[]) {
  const words = ['run', '--quiet', '--no-exhaustion', '--seed', '1', '--out', 'out', ...more];
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
async function costOf(program: string, folder: string, more: readonly string[]): Promise<number> {
  const { handler, env } = await createReference({ minuteMs });
  const server = await listen(handler, 'plain');
  const whole = { ...process.env, ...env, COVENANT_BASE_URL: server.url, COVENANT_MINUTE_MS: String(minuteMs) };
  try {
    return await timeOf(program, folder, whole, more);
  } finally {
    await server.close();
  }
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
  const [plain, recorded]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      // The machine may get busier or calmer: each goes first every second time.
      const isTurned = round % 2 === 1;
      if (isTurned) recorded.push(await costOf(program, folder, ['--evidence']));
      plain.push(await costOf(program, folder, []));
      if (!isTurned) recorded.push(await costOf(program, folder, ['--evidence']));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const ratios = recorded.map((ms, round) => ms / (plain[round] ?? 0));
  return {
    ratio: median(ratios),
    between: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    plainMs: median(plain),
    recordedMs: median(recorded),
  };
}
