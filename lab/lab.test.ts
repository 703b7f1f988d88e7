// The matrix: every mutant is killed and attributed, and no lawful server is accused. A sample, or with COVENANT_LAB=whole all of it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Figures } from './matrix/views.ts';

interface Report {
  readonly figures: Figures;
  readonly requirements: readonly {
    readonly id: string;
    readonly level: string;
    readonly killed_by: readonly string[];
  }[];
  readonly subjects: readonly {
    readonly id: string;
    readonly kind: string;
    readonly discrepancies: readonly string[];
  }[];
}

const isWhole = process.env.COVENANT_LAB === 'whole';

/** Runs `npm run lab`, compiled and in threads, because the test runner would take several times as long. */
function matrix(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const args = ['run', '--silent', 'lab', '--', '--out', folder, ...(isWhole ? [] : ['--sample'])];
    execFile('npm', args, { maxBuffer: 2 ** 26 }, (error, out, stderr) => {
      // With 1 something is not as declared; the tests below say what.
      if (error === null || error.code === 1) resolve();
      else reject(new Error(`the laboratory did not run: ${error.message}\n${out}\n${stderr}`));
    });
  });
}

let report: Report;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'covenant-lab-'));
  try {
    await matrix(folder);
    report = JSON.parse(await readFile(join(folder, 'lab.json'), 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 900_000);

const wrong = (kind: string): string[] =>
  report.subjects
    .filter((one) => one.kind === kind)
    .flatMap(({ id, discrepancies }) => discrepancies.map((discrepancy) => `${id}: ${discrepancy}`));

describe(`in ${isWhole ? 'the whole matrix' : 'a sample of the matrix'}`, () => {
  test('every mutant makes the requirements fail that it declares, and no others', () => {
    expect(wrong('mutant')).toEqual([]);
    expect(report.figures.killed).toBe(report.figures.mutants);
    expect(report.figures.mutants).toBeGreaterThan(isWhole ? 1_200 : 150);
  });

  test('the reference is green', () => {
    expect(wrong('reference')).toEqual([]);
  });

  test('no variant is accused', () => {
    expect(wrong('variant')).toEqual([]);
    expect(report.figures.variants).toBeGreaterThan(isWhole ? 100 : 9);
  });

  test('no randomised lawful server is accused', () => {
    expect(wrong('random')).toEqual([]);
    expect(report.figures.randomServers).toBeGreaterThan(isWhole ? 199 : 7);
  });

  test('every MUST is seen to fail', () => {
    expect(report.figures.mustsWithoutMutant).toEqual([]);
  });

  const claimsTest = isWhole ? test : undefined;
  claimsTest?.('docs/how-sure.md claims no more than the matrix shows', async () => {
    const page = await readFile('docs/how-sure.md', 'utf8');
    const claimed = (pattern: RegExp): number => Number(pattern.exec(page)?.[1]?.replace(',', '') ?? Number.NaN);
    expect(report.figures.killed).toBeGreaterThan(claimed(/over ([\d,]+) mutants, all killed/));
    expect(report.figures.killedQuickly).toBeGreaterThan(claimed(/over ([\d,]+) of them by a quick run/));
    expect(report.figures.variants + report.figures.randomServers).toBeGreaterThan(
      claimed(/over ([\d,]+) lawful servers, none accused/),
    );
    expect(report.figures.mustsKilled).toBeGreaterThan(claimed(/all MUST requirements, over ([\d,]+), seen to fail/));
  });
});
