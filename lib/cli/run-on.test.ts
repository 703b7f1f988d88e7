// `covenant run --last-failed` and `--resume`: what an earlier run left open, and nothing else.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import { trial } from './trial.test-data.ts';

const key = 'svc_sk_canary0123456789';
const environment = { COVENANT_BASE_URL: 'https://staging.example.com', COVENANT_API_KEY: key };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'covenant-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const files = (): string[] => readdirSync(folder, { recursive: true }).map(String);

describe('--last-failed', () => {
  const rows = [requirement('failed'), { ...requirement('passed'), id: 'notes-order' }];

  test('only what failed is run again, with its seed', async () => {
    await trial(['--seed', '9'], { environment, folder, examine: () => report(rows) });
    const { code, examined } = await trial(['--last-failed'], { environment, folder });
    expect(code).toBe(0);
    expect(examined[0]?.settings).toMatchObject({ requirements: ['billing-summary-scope'], seed: report([]).run.seed });
  });

  test.each([
    [['--last-failed'], undefined, 'report.json is not there'],
    [['--last-failed'], [requirement('passed')], 'leave --last-failed off'],
    [['--last-failed', '--requirement', 'billing-summary-scope'], rows, 'leave --requirement off'],
    [['--last-failed', '--base-url', 'http://other.example'], rows, 'http://other.example is configured'],
  ])('%j is refused where there is nothing to go by', async (words, found, why) => {
    if (found) await trial([], { environment, folder, examine: () => report(found) });
    const { code, stderr, examined } = await trial(words, { environment, folder });
    expect([code, examined]).toEqual([2, []]);
    expect(stderr).toContain(why);
    expect(stderr).toMatch(/^covenant: [^\n]+\n$/);
  });
});

describe('--resume', () => {
  const cutOff = () => {
    const suite = { version: '9.8.7', catalogue: `${'abc'.repeat(21)}d` };
    const found = { ...report([requirement('passed')]), suite };
    return { ...found, run: { ...found.run, decided: ['billing-summary-scope'] }, verdict: 'aborted' as const };
  };
  const interrupt = () => trial(['--seed', '9', '--effort', 'quick'], { environment, folder, examine: cutOff });

  test('what was decided is not run again, and the file goes with the end of the run', async () => {
    await interrupt();
    expect(files()).toContain('reports/resume.json');
    expect(readFileSync(join(folder, 'reports/resume.json'), 'utf8')).not.toContain(key);
    const { examined, code } = await trial(['--resume'], {
      environment,
      folder,
      examine: () => ({ ...report([requirement('passed')]) }),
    });
    expect(code).toBe(0);
    expect(examined[0]?.settings).toMatchObject({ seed: 9, effort: 'quick' });
    expect([...(examined[0]?.decided ?? [])]).toEqual(['billing-summary-scope']);
    expect(files()).not.toContain('reports/resume.json');
  });

  test.each([
    [['--resume'], environment, false, 'nothing to resume'],
    [['--resume', '--area', 'notes'], environment, true, 'leave --area off'],
    [['--resume', '--no-exhaustion'], environment, true, 'leave --no-exhaustion off'],
    [['--resume', '--base-url', 'http://other.example'], environment, true, 'http://other.example is configured'],
    [['--resume'], { ...environment, COVENANT_FOREIGN_SLUG: 'another' }, true, 'The credentials are not those'],
  ])('%j is refused where it cannot go on', async (words, environment, before, why) => {
    if (before) await interrupt();
    const { code, stderr, examined } = await trial(words, { environment, folder });
    expect([code, examined]).toEqual([2, []]);
    expect(stderr).toContain(why);
    expect(stderr).toMatch(/^covenant: [^\n]+\n$/);
  });
});
