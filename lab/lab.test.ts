// The rules of the laboratory, on the whole matrix: each mutant is killed and attributed, no lawful server is accused.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Figures } from './matrix/figures.ts';

interface Told {
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

/** Compiled and in threads, as `npm run lab` does it: in a test runner it would take several times as long. */
function matrix(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('npm', ['run', '--silent', 'lab', '--', '--out', folder], { maxBuffer: 2 ** 26 }, (error, out, stderr) => {
      // 1: something is not as declared, which the tests below say in detail.
      if (error === null || error.code === 1) resolve();
      else reject(new Error(`the laboratory did not run: ${error.message}\n${out}\n${stderr}`));
    });
  });
}

let told: Told;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'covenant-lab-'));
  try {
    await matrix(folder);
    told = JSON.parse(await readFile(join(folder, 'lab.json'), 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 900_000);

const wrong = (kind: string): string[] =>
  told.subjects
    .filter((one) => one.kind === kind)
    .flatMap(({ id, discrepancies }) => discrepancies.map((discrepancy) => `${id}: ${discrepancy}`));

describe('in the whole matrix', () => {
  it('every mutant turns exactly those requirements red that it names', () => {
    expect(wrong('mutant')).toEqual([]);
    expect(told.figures.killed).toBe(told.figures.mutants);
    expect(told.figures.mutants).toBeGreaterThan(500);
  });

  it('the reference is green', () => {
    expect(wrong('reference')).toEqual([]);
  });

  it('no variant is accused', () => {
    expect(wrong('variant')).toEqual([]);
    expect(told.figures.variants).toBeGreaterThan(100);
  });

  it('none of 200 randomised lawful servers is accused', () => {
    expect(wrong('random')).toEqual([]);
    expect(told.figures.randomServers).toBe(200);
  });

  it('every MUST is seen to fail', () => {
    expect(told.figures.mustsWithoutMutant).toEqual([]);
  });

  it('the README claims no more than was measured', async () => {
    const readme = await readFile('README.md', 'utf8');
    const claimed = (pattern: RegExp): number => Number(pattern.exec(readme)?.[1]?.replace(',', '') ?? Number.NaN);
    expect(told.figures.killed).toBeGreaterThan(claimed(/over ([\d,]+) mutants, all killed/));
    expect(told.figures.killedQuickly).toBeGreaterThan(claimed(/over ([\d,]+) of them by a quick run/));
    expect(told.figures.variants + told.figures.randomServers).toBeGreaterThan(
      claimed(/over ([\d,]+) lawful servers, none accused/),
    );
    expect(told.figures.mustsKilled).toBe(claimed(/all ([\d,]+) MUST requirements seen to fail/));
  });
});
