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

export interface RecordingCost {
  /** Of the medians: with evidence to without. */
  readonly ratio: number;
  /** Medians, in milliseconds. */
  readonly plainMs: number;
  readonly recordedMs: number;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/** `program` is the address of the command line. */
export async function recordingCost(program: string): Promise<RecordingCost> {
  const folder = mkdtempSync(join(tmpdir(), 'covenant-recording-'));
  const { handler, env } = await createReference({ minuteMs });
  const server = await listen(handler, 'plain');
  const whole = { ...process.env, ...env, COVENANT_BASE_URL: server.url, COVENANT_MINUTE_MS: String(minuteMs) };
  const [plain, recorded]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      plain.push(await timeOf(program, folder, whole, []));
      recorded.push(await timeOf(program, folder, whole, ['--evidence']));
    }
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
  const [plainMs, recordedMs] = [median(plain), median(recorded)];
  return { ratio: recordedMs / plainMs, plainMs, recordedMs };
}
