// The profile of a run on the command line: who declares it, and that no later command confuses it with another.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import type { Report, RunOptions } from '../result.ts';
import { trial } from './trial.test-data.ts';

const jwt = ['{"alg":"HS256"}', '{"sub":1}', 'signature']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');
const environment = {
  COVENANT_BASE_URL: 'https://staging.example.com',
  COVENANT_API_KEY: 'svc_sk_canary0123456789',
  COVENANT_JWT: jwt,
};
const profile = 'server-to-server';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'covenant-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const covenant = (words: readonly string[], examine = () => report([requirement('passed')])) =>
  trial(words, { environment, folder, examine });
const declare = (text: string) => writeFileSync(join(folder, 'covenant.product.json'), text);
const put = (name: string, found: Report) => writeFileSync(join(folder, name), JSON.stringify(found));

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
  const { code, stderr, examined } = await covenant(words);
  expect([code, examined, stderr]).toEqual([2, [], expect.stringContaining(why)]);
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
