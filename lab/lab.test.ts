// The rules of the laboratory, on the whole matrix: each fault is found and attributed, no lawful server is accused.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { beyondQuick } from './faults/beyond-quick.ts';
import { unfound } from './faults/unfound.ts';
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
    execFile('npm', ['run', '--silent', 'lab', '--', '--out', folder], { maxBuffer: 2 ** 26 }, (error, out, aside) => {
      // 1: something is not as declared, which the tests below say in detail.
      if (error === null || error.code === 1) resolve();
      else reject(new Error(`the laboratory did not run: ${error.message}\n${out}\n${aside}`));
    });
  });
}

let told: Told;
let lines: readonly string[];
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'covenant-lab-'));
  try {
    await matrix(folder);
    told = JSON.parse(await readFile(join(folder, 'lab.json'), 'utf8'));
    lines = (await readFile(join(folder, 'lab.md'), 'utf8')).split('\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 900_000);

const wrong = (kind: string): string[] =>
  told.subjects
    .filter((one) => one.kind === kind)
    .flatMap(({ id, discrepancies }) => discrepancies.map((discrepancy) => `${id}: ${discrepancy}`));

describe('in the whole matrix', () => {
  it('every fault turns exactly those requirements red that it names', () => {
    expect(wrong('fault')).toEqual([]);
    expect(told.figures.found).toBe(told.figures.faults);
    expect(told.figures.faults).toBeGreaterThan(500);
  });

  it('the reference is green', () => {
    expect(wrong('reference')).toEqual([]);
  });

  it('no oddity is accused', () => {
    expect(wrong('oddity')).toEqual([]);
    expect(told.figures.oddities).toBeGreaterThan(100);
  });

  it('none of 200 randomised lawful servers is accused', () => {
    expect(wrong('random')).toEqual([]);
    expect(told.figures.randomServers).toBe(200);
  });

  it('every MUST is seen to fail, or says why no fault of it can be found from outside', () => {
    expect(told.figures.mustsWithoutFault).toEqual([]);
  });

  it('no MUST is excused although it is seen to fail', () => {
    const killed = told.requirements.filter(({ killed_by }) => killed_by.length > 0).map(({ id }) => id);
    expect(Object.keys(unfound).filter((id) => killed.includes(id))).toEqual([]);
  });

  it('the README tells the figures that were measured', async () => {
    const readme = await readFile('README.md', 'utf8');
    const measured = lines.filter((line) => /^- (Faults|Lawful servers|MUST requirements): /.test(line));
    expect(measured).toHaveLength(3);
    expect(measured.filter((line) => !readme.includes(line))).toEqual([]);
  });

  it('whatever is said to be beyond a quick run is a fault', () => {
    const faults = told.subjects.filter(({ kind }) => kind === 'fault').map(({ id }) => id);
    expect([...beyondQuick].filter((id) => !faults.includes(id))).toEqual([]);
  });

  it('no two subjects have the same name', () => {
    const names = told.subjects.map(({ id }) => id);
    expect(names.filter((id, index) => names.indexOf(id) !== index)).toEqual([]);
  });
});
