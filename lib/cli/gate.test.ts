// `covenant report`, `compare`, `waive`, and `run` with --plan, --baseline and --waivers: from words to exit code.
import { describe, expect, test } from 'vitest';
import { failedCase, report, requirement } from '../report/terminal/example.test-data.ts';
import { views } from '../report/views.ts';
import type { Report } from '../result.ts';
import { violations } from '../schema/schema.ts';
import { environment, expectRefused, files, put, read, trial, useFolder } from './trial.test-data.ts';

const good = report([requirement('passed')]);
const bad = report([requirement('failed', { cases: [failedCase()] })]);

useFolder();

const command = (...words: string[]) => trial(words);

describe('report', () => {
  test('covenant report shows an old result again and writes nothing unless asked', async () => {
    put('old.json', bad);
    const { code, out, examined } = await command('report', 'old.json');
    expect([code, examined, files()]).toEqual([0, [], ['old.json']]);
    expect(out).toContain('NON-CONFORMANT');
  });

  test('covenant report writes every view that is named, the same as the run wrote', async () => {
    put('old.json', bad);
    const { code } = await command('report', 'old.json', '--reporter', 'all', '--out', 'again');
    expect(code).toBe(0);
    const names = Object.values(views).map(({ file }) => `again/${file}`);
    expect(files()).toEqual(['again', ...names, 'again/report.json', 'old.json'].sort());
    expect(JSON.parse(read('again/report.json'))).toEqual({
      $schema: 'covenant-conformance/schemas/v1/report.schema.json',
      ...JSON.parse(read('old.json')),
    });
    await trial(['--reporter', 'junit'], { environment, examine: () => bad });
    expect(read('reports/junit.xml')).toBe(read('again/junit.xml'));
  });

  test.each([
    [['report'], 'missing required argument'],
    [['report', 'none.json'], 'none.json is not there'],
    [['report', '.'], 'is a folder'],
    [['report', 'foreign.json'], 'report of Covenant; give a report.json'],
    [['report', 'good.json', 'more'], '"more"'],
    [['report', 'good.json', '--reporter', 'htlm'], 'did you mean html?'],
    [['report', 'good.json', '--baseline', 'foreign.json'], 'report of Covenant; give a report.json'],
  ])('%j is one sentence', async (words, why) => {
    put('good.json', good);
    put('foreign.json', '{}');
    expectRefused(await command(...words), why);
  });
});

describe('compare', () => {
  test.each<[string, Report, Report, number, string]>([
    ['nothing', good, good, 0, 'Nothing is worse'],
    ['a new failure', good, bad, 1, 'billing-summary-scope: MUST, was passed'],
    ['a failure less', bad, good, 0, 'Newly passing'],
  ])('covenant compare reports %s', async (_, before, after, exit, sentence) => {
    put('old.json', before);
    put('new.json', after);
    const { code, out } = await command('compare', 'old.json', 'new.json');
    expect(code).toBe(exit);
    expect(out.replace(/\s+/g, ' ')).toContain(sentence);
  });

  test('covenant compare stays short where much was left out', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => requirement('passed', { id: `billing-${index}` }));
    put('old.json', report(rows));
    put('new.json', report(rows.slice(0, 1), { options: { requirement: ['billing-0'] } }));
    const { code, out } = await command('compare', 'old.json', 'new.json');
    expect([code, out.split('\n').length < 50]).toEqual([3, true]);
    expect(out).toContain('and 187 more');
  });

  test('covenant compare writes JSON with --format json', async () => {
    put('old.json', good);
    put('new.json', bad);
    const { code, out } = await command('compare', 'old.json', 'new.json', '--format', 'json');
    expect(code).toBe(1);
    expect(violations('comparison', JSON.parse(out))).toEqual([]);
    expect(JSON.parse(out)).toMatchObject({
      $schema: 'covenant-conformance/schemas/v1/comparison.schema.json',
      format: 'covenant-comparison/1',
      exit_code: 1,
      cause: 'target',
      worse: { failing: ['billing-summary-scope'], untested: [] },
      newly_failing: [{ id: 'billing-summary-scope', was: 'passed', verdict: 'failed' }],
    });
  });

  test('covenant compare holds waivers against the newer run', async () => {
    put('old.json', good);
    put('new.json', bad);
    await command('waive', 'billing-summary-scope', '--reason', 'r', '--owner', 'o', '--expires', '2030-01-01');
    const { code, out } = await command('compare', 'old.json', 'new.json', '--waivers', 'covenant.waivers.json');
    expect(code).toBe(0);
    expect(out).toContain('applied');
  });

  test.each([
    [['compare', 'good.json'], 'missing required argument'],
    [['compare', 'good.json', 'none.json'], 'none.json is not there'],
    [['compare', 'aborted.json', 'good.json'], 'judged nothing'],
    [['compare', 'good.json', 'good.json', '--format', 'jsn'], 'did you mean json?'],
    [['compare', 'good.json', 'good.json', '--waivers', 'good.json'], 'has the format'],
  ])('%j is one sentence', async (words, why) => {
    put('good.json', good);
    put('aborted.json', { ...good, verdict: 'aborted' });
    expectRefused(await command(...words), why);
  });
});

describe('waive', () => {
  const waive = (...more: string[]) =>
    command('waive', 'billing-summary-scope', '--reason', 'r', '--owner', 'o', '--expires', '2030-01-01', ...more);

  test('covenant waive writes a file that keeps to its schema, and renews what is there', async () => {
    expect((await waive('--operation', 'GET /me', '--link', 'https://tracker.example.com/7')).code).toBe(0);
    expect((await waive()).out).toContain('written');
    expect((await waive('--reason', 'renewed')).out).toContain('renewed');
    const stored = JSON.parse(read('covenant.waivers.json'));
    expect(violations('waivers', stored)).toEqual([]);
    expect(stored.waivers).toMatchObject([{ reason: 'renewed' }, { operation: 'GET /me' }]);
    expect(files()).toEqual(['covenant.waivers.json']);
  });

  test.each([
    [['waive', 'billing-summary-scope', '--reason', 'r', '--owner', 'o'], '--expires'],
    [['waive', 'billing-summary-scop', '--reason', 'r', '--owner', 'o', '--expires', '2030-01-01'], 'did you mean'],
    [['waive', 'billing-summary-scope', '--reason', 'r', '--owner', 'o', '--expires', '1969-12-31'], 'is over already'],
    [['waive', 'billing-summary-scope', '--reason', 'r', '--owner', 'o', '--expires', 'soon'], 'is not a date'],
    [['waive', 'billing-summary-scope', '--reason', ' ', '--owner', 'o', '--expires', '2030-01-01'], 'reason is empty'],
  ])('%j is refused', async (words, why) => {
    expectRefused(await command(...words), why);
    expect(files()).toEqual([]);
  });

  test('covenant waive writes no credential, and leaves a broken file alone', async () => {
    const words = ['waive', 'billing-summary-scope', '--reason', environment.COVENANT_API_KEY, '--owner', 'o'];
    expectRefused(await trial([...words, '--expires', '2030-01-01'], { environment }), 'contains a credential');
    expect(files()).toEqual([]);
    put('covenant.waivers.json', '{');
    expect((await waive()).code).toBe(2);
    expect(read('covenant.waivers.json')).toBe('{');
  });
});

describe('run', () => {
  const examine = () => bad;
  const run = (...words: string[]) => trial(['run', ...words], { environment, examine });
  const waiver = { requirement: 'billing-summary-scope', reason: 'repaired in May', owner: 'o', expires: '2030-01-01' };
  const waivers = (...some: object[]) => ({ format: 'covenant-waivers/1', waivers: some });

  test('covenant run --plan says what it would cost and sends and writes nothing', async () => {
    const { code, out, examined, served } = await run('--plan');
    expect([code, examined, served, files()]).toEqual([0, [], [], []]);
    expect(out).toContain('What a run will cost');
  });

  test('covenant run is let through by waivers, and says in every report that they were needed', async () => {
    put('w.json', waivers(waiver));
    const { code, out } = await run('--waivers', 'w.json', '--reporter', 'all');
    expect(code).toBe(0);
    expect(out).toContain('NON-CONFORMANT');
    expect(out.replace(/\s+/g, ' ')).toContain('the target does not conform');
    expect(JSON.parse(read('reports/report.json'))).toMatchObject({
      verdict: 'non-conformant',
      waivers: [{ ...waiver, state: 'applied' }],
    });
    for (const file of ['report.html', 'summary.md', 'junit.xml']) {
      expect(read(`reports/${file}`), file).toContain('repaired in May');
    }
  });

  test.each([
    ['an expired one', { ...waiver, expires: '1969-12-31' }, 1, 'has expired on 1969-12-31'],
    ['one for another operation', { ...waiver, operation: 'GET /me' }, 1, 'is stale'],
  ])('covenant run is not let through by %s', async (_, one, exit, why) => {
    put('w.json', waivers(one));
    const { code, out } = await run('--waivers', 'w.json');
    expect(code).toBe(exit);
    expect(out.replace(/\s+/g, ' ')).toContain(why);
  });

  test('covenant run reads no waivers that were not named, and says that they are there', async () => {
    put('covenant.waivers.json', waivers(waiver));
    const { code, stderr } = await run();
    expect(code).toBe(1);
    expect(stderr).toContain('nothing is waived');
    expect(JSON.parse(read('reports/report.json')).waivers).toBeUndefined();
  });

  test('covenant run reports what changed since a baseline, on the terminal and in the views', async () => {
    put('old.json', good);
    const { code, out } = await run('--baseline', 'old.json', '--reporter', 'html,markdown');
    expect(code).toBe(1);
    expect(out).toContain('Newly failing');
    expect(out).toContain('Worse than before: 1 MUST requirement newly failing.');
    expect(read('reports/summary.md')).toContain('Newly failing');
    expect(read('reports/report.html')).toContain('Newly failing');
  });

  test.each([
    [['--waivers', 'none.json'], 'none.json is not there'],
    [['--waivers', 'broken.json'], 'no requirement is called'],
    [['--baseline', 'broken.json'], 'report'],
    [['--baseline', 'none.json', '--plan'], 'none.json is not there'],
  ])('%j is refused before anything is sent', async (words, why) => {
    put('broken.json', waivers({ ...waiver, requirement: 'billing-x' }));
    expectRefused(await run(...words), why);
    expect(files()).toEqual(['broken.json']);
  });

  test('covenant run --repeat reports k of n, with the seeds that show it, and never retries to green', async () => {
    const seeds: number[] = [];
    const unstable = ({ settings }: { settings: { seed: number } }): Report => {
      seeds.push(settings.seed);
      const of = settings.seed % 2 === 0 ? bad : good;
      const budget = [{ account: 'COVENANT_API_KEY', class: 'read' as const, limit: 200, sent: 7, throttled: 0 }];
      return { ...of, run: { ...of.run, seed: settings.seed }, budget };
    };
    const words = ['run', '--repeat', '5', '--requirement', 'billing-summary-scope', '--seed', '1'];
    const { code, out } = await trial(words, { environment, examine: unstable });
    expect([code, seeds]).toEqual([1, [1, 2, 3, 4, 5]]);
    expect(out.replace(/\s+/g, ' ')).toContain('unstable: failed in 2 of 5 runs (--seed 2, 4)');
    const stored = JSON.parse(read('reports/report.json'));
    expect(violations('report', stored)).toEqual([]);
    expect(stored).toMatchObject({
      verdict: 'non-conformant',
      run: { options: { repeat: 5 } },
      budget: [{ sent: 35 }],
      requirements: [{ verdict: 'failed', repeated: { runs: 5, failed: 2, undecided: 0, seeds: [2, 4] } }],
    });
    const always = await trial(words, { environment, examine: () => bad });
    expect(always.out).toContain('failed in each of 5 runs');
    expect((await trial(words, { environment, examine: () => good })).code).toBe(0);
  });

  test.each([
    [['--repeat', '5'], 'name them with --requirement'],
    [['--repeat', '1', '--requirement', 'billing-summary-scope'], 'between 2 and 100'],
  ])('%j is refused: nothing can be repeated that way', async (words, why) => {
    expectRefused(await run(...words), why);
  });
});
