// What an earlier run left open is asked again, and nothing else: `covenant again`, `run --last-failed` and `--resume`, each in the profile of that run.
import { describe, expect, test } from 'vitest';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import type { Report, RunOptions } from '../result.ts';
import { environment, expectRefused, files, put, read, trial, useFolder } from './trial.test-data.ts';

const id = 'billing-summary-scope';

useFolder();

const judged = (verdict: 'failed' | 'passed', title = 'the summary') =>
  requirement(verdict, { cases: [{ verdict, case: title, duration_ms: 1 }] });

const failed = () => trial([], { environment, examine: () => report([judged('failed')]) });
const again = (words: readonly string[], found: Report = report([requirement('passed')])) =>
  trial(['again', ...words], { environment, examine: () => found });

const open = {
  ...requirement('not-tested'),
  cases: [{ verdict: 'not-tested', reason: 'no key', duration_ms: 0 }],
} as const;

test.each([
  [report([judged('passed')]), 0, 'FIXED'],
  [report([judged('failed')]), 1, 'STILL'],
  [report([judged('passed', 'another case')]), 3, 'covenant run --base-url https://staging.example.com --seed 42'],
  [report([open]), 3, 'no key'],
  [report([{ ...requirement('passed'), cases: [] }]), 3, 'CANNOT'],
  [{ ...report([]), verdict: 'aborted', reason: 'nobody answers' } as const, 4, 'nobody answers'],
])('what it comes to %#', async (found, code, word) => {
  await failed();
  const ended = await again([id], found);
  expect([ended.code, ended.stderr]).toEqual([code, '']);
  expect(ended.out).toContain(word);
  expect(ended.examined[0]?.settings).toMatchObject({ seed: report([]).run.seed });
  expect(ended.examined[0]?.only).toEqual(new Set(['the summary']));
});

test.each([
  [['notes-order'], 'notes-order did not fail'],
  [['billing-summary-scop'], 'did you mean billing-summary-scope?'],
  [[id, '--out', 'nowhere'], 'is not there'],
  [[id, '--base-url', 'http://other.example'], 'http://other.example is configured'],
  [[], "missing required argument 'requirement'"],
])('again %j is refused in one sentence', async (words, why) => {
  await failed();
  expectRefused(await again(words), why);
});

describe('--last-failed', () => {
  const rows = [requirement('failed'), { ...requirement('passed'), id: 'notes-order' }];

  test('only what failed is run again, with its seed', async () => {
    await trial(['--seed', '9'], { environment, examine: () => report(rows) });
    const { code, examined } = await trial(['--last-failed'], { environment });
    expect(code).toBe(0);
    expect(examined[0]?.settings).toMatchObject({ requirements: ['billing-summary-scope'], seed: report([]).run.seed });
  });

  test.each([
    [['--last-failed'], undefined, 'report.json is not there'],
    [['--last-failed'], [requirement('passed')], 'leave --last-failed off'],
    [['--last-failed', '--requirement', 'billing-summary-scope'], rows, 'leave --requirement off'],
    [['--last-failed', '--base-url', 'http://other.example'], rows, 'http://other.example is configured'],
  ])('%j is refused where there is nothing to go by', async (words, found, why) => {
    if (found) await trial([], { environment, examine: () => report(found) });
    expectRefused(await trial(words, { environment }), why);
  });
});

describe('--resume', () => {
  const cutOff = () => {
    const suite = { version: '9.8.7', catalogue: `${'abc'.repeat(21)}d` };
    const found = { ...report([requirement('passed')]), suite };
    return { ...found, run: { ...found.run, decided: ['billing-summary-scope'] }, verdict: 'aborted' as const };
  };
  const interrupt = () => trial(['--seed', '9', '--effort', 'quick'], { environment, examine: cutOff });

  test('what was decided is not run again, and the file goes with the end of the run', async () => {
    await interrupt();
    expect(files()).toContain('reports/resume.json');
    expect(read('reports/resume.json')).not.toContain(environment.COVENANT_API_KEY);
    const { examined, code } = await trial(['--resume'], {
      environment,
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
    expectRefused(await trial(words, { environment }), why);
  });
});

const jwt = ['{"alg":"HS256"}', '{"sub":1}', 'signature']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');
const profile = 'server-to-server';

const covenant = (words: readonly string[], examine = () => report([requirement('passed')])) =>
  trial(words, { environment: { ...environment, COVENANT_JWT: jwt }, examine });
const declare = (text: string) => put('covenant.product.json', text);

test('a product declares it, a flag goes before, and a JWT is then not used', async () => {
  declare(JSON.stringify({ profile }));
  const { examined, stderr, out } = await covenant([]);
  expect([examined[0]?.settings.profile, examined[0]?.target.credentials.COVENANT_JWT]).toEqual([profile, undefined]);
  expect(stderr).toContain('COVENANT_JWT is set and not used: the server-to-server profile has no such credential.');
  expect(out).toContain('server-to-server, the interface without sessions');
  const whole = (await covenant(['--profile', 'full'])).examined[0];
  expect([whole?.settings.profile, whole?.target.credentials.COVENANT_JWT]).toEqual(['full', jwt]);
});

test.each([
  ['{"profile": "keys"}', [], '"keys" (profile in covenant.product.json) is none of full, server-to-server.'],
  ['{', [], 'covenant.product.json is not JSON'],
  ['{}', ['--profile', 'server-to-serve'], 'did you mean server-to-server?'],
])('%s with %j is refused in one sentence', async (text, words, why) => {
  declare(text);
  expectRefused(await covenant(words), why);
});

test('what is asked again is asked in the profile of the run before', async () => {
  const failed = () => report([requirement('failed')], { options: { profile } });
  const before = await covenant(['--profile', profile], failed);
  expect(before.out).toContain(`--profile ${profile}`);
  for (const words of [['--last-failed'], ['again', 'billing-summary-scope']]) {
    put('reports/report.json', failed());
    const { examined } = await covenant(words);
    expect([examined[0]?.settings.profile, examined[0]?.target.credentials.COVENANT_JWT]).toEqual([profile, undefined]);
  }
});

test('a run that is gone on with keeps its profile, whatever is declared now', async () => {
  const suite = { version: '9.8.7', catalogue: `${'abc'.repeat(21)}d` };
  const cutOff = () => {
    const found = { ...report([requirement('passed')], { options: { profile } }), suite };
    return { ...found, run: { ...found.run, decided: ['a case'] }, verdict: 'aborted' as const };
  };
  await covenant(['--profile', profile], cutOff);
  const refused = await covenant(['--resume', '--profile', profile]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('leave --profile off')]);
  declare('{"profile": "full"}');
  const { examined } = await covenant(['--resume']);
  expect([examined[0]?.settings.profile, examined[0]?.target.credentials.COVENANT_JWT]).toEqual([profile, undefined]);
});

test('reports of different profiles are compared with a sentence, and not merged', async () => {
  const of = (options: Partial<RunOptions>) => report([requirement('passed')], { options });
  put('one.json', of({ shard: { index: 1, of: 2 } }));
  put('two.json', of({ shard: { index: 2, of: 2 }, profile }));
  const merged = await covenant(['merge', 'one.json', 'two.json']);
  expect([merged.code, merged.stderr]).toEqual([
    2,
    expect.stringContaining('the profile is full in one and server-to-server in the other'),
  ]);
  const compared = await covenant(['compare', 'one.json', 'two.json']);
  expect([compared.code, compared.out]).toEqual([
    0,
    expect.stringContaining('The runs are of different profiles, full'),
  ]);
});
