// What `covenant matrix` takes for a thousand made-up reports: the command in a process of its own, its time, memory and page.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../lib/result.ts';
import { seededRandom } from '../lib/runtime/random.ts';

const reports = 1000;
/** So many files are written; each is given more than once, which is no less work. */
const files = 50;

/** One of twenty requirements failed, one of twenty answers another one, each time elsewhere. */
function madeUp(report: Report, seed: number): Report {
  const random = seededRandom(seed);
  const isDrawn = (): boolean => random.int(1, 20) === 1;
  return {
    ...report,
    target: { ...report.target, base_url: `https://vendor-${seed}.example.com` },
    requirements: report.requirements.map((row) =>
      row.verdict === 'passed' && isDrawn() ? { ...row, verdict: 'failed' } : row,
    ),
    observations: report.observations.map((one) =>
      isDrawn() ? { ...one, answer: `answer ${random.int(1, 4)}` } : one,
    ),
  };
}

const measured = (program: string): string =>
  `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS))); process.argv.splice(1, 0, 'covenant'); await import(${JSON.stringify(program)});`;

export interface MatrixCost {
  readonly ms: number;
  /** Of the process at its largest, in megabytes. */
  readonly memory: number;
  /** Of the page, in megabytes. */
  readonly page: number;
}

/** `program` is the address of the command line. */
export function matrixCost(report: Report, program: string): MatrixCost {
  const folder = mkdtempSync(join(tmpdir(), 'covenant-matrix-'));
  try {
    const names = Array.from({ length: files }, (_, seed) => `${seed}.json`);
    for (const [seed, name] of names.entries()) writeFileSync(join(folder, name), JSON.stringify(madeUp(report, seed)));
    const given = Array.from({ length: reports }, (_, at) => names[at % files] ?? '');
    const started = performance.now();
    const words = ['--input-type=module', '-e', measured(program), 'matrix', '--out', 'out', ...given];
    const { stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
    const ms = performance.now() - started;
    return { ms, memory: Number(stderr) / 1024, page: statSync(join(folder, 'out/matrix.html')).size / 1_000_000 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
