// `covenant init`: what it writes, what it leaves alone, and what it refuses without writing anything.
import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseEnvFile } from '../configuration/settings-sources.ts';
import { variableNames } from '../configuration/variables.ts';
import { violations } from '../schema/schema.ts';
import { expectRefused, files, inFolder, put, read, trial, useFolder } from './trial.test-data.ts';

useFolder();

const init = (...words: string[]) => trial(['init', ...words]);
const product = [
  '--implementation',
  'Granite',
  '--version-of',
  '4.2',
  '--vendor',
  'Granite & Co.',
  '--contact',
  'a@b.test',
];
const url = 'https://staging.example.com/x';

test('writes everything, and what it wrote is sound', async () => {
  const { code, out, stderr } = await init('--base-url', `${url}/api/external/v2`, '--github', '--gitlab', ...product);
  expect([code, stderr]).toEqual([0, '']);
  expect(files()).toEqual([
    '.env',
    '.github',
    '.github/workflows',
    '.github/workflows/conformance.yml',
    '.gitignore',
    '.gitlab-ci.yml',
    'covenant.product.json',
  ]);
  for (const name of ['.env', '.github/workflows/conformance.yml', '.gitlab-ci.yml', 'covenant.product.json'])
    expect(out).toContain(`Written: ${name}`);
  expect(read('.gitignore')).toBe('.env\nreports/\ncovenant-key.pem\n');
  expect(statSync(inFolder('.env')).mode & 0o777).toBe(0o600);
  const env = parseEnvFile(read('.env'));
  expect(env.filter(({ value }) => value !== '')).toMatchObject([{ name: 'COVENANT_BASE_URL', value: url }]);
  const stands = [...read('.env').matchAll(/^COVENANT_[A-Z_]+(?==)/gm)].map(([name]) => name);
  expect(stands).toContain('COVENANT_JWT_EXPIRED');
  for (const name of stands) expect(variableNames).toContain(name);
  const written = JSON.parse(read('covenant.product.json'));
  expect(violations('product', written)).toEqual([]);
  expect(written).toMatchObject({
    implementation: 'Granite',
    version: '4.2',
    vendor: 'Granite & Co.',
    contact: 'a@b.test',
  });
  expect(parse(read('.github/workflows/conformance.yml')).jobs.conformance.env.COVENANT_BASE_URL).toBe(url);
  expect(parse(read('.gitlab-ci.yml')).variables.COVENANT_BASE_URL).toBe(url);
});

test('what it wrote is a configuration that a run accepts', async () => {
  await init('--base-url', url);
  put('.env', read('.env').replace('COVENANT_API_KEY=', 'COVENANT_API_KEY=svc_sk_1'));
  const { code, examined } = await trial(['run']);
  expect([code, examined[0]?.target.baseUrl]).toEqual([0, url]);
});

test('leaves what is there, names it, and appends only missing lines', async () => {
  put('.env', 'COVENANT_API_KEY=svc_sk_canary\n');
  put('covenant.product.json', '{}');
  symlinkSync('nowhere', inFolder('.gitlab-ci.yml'));
  put('.gitignore', 'node_modules\r\n/reports\r\n.env');
  const first = await init('--gitlab', ...product);
  expect(first.code).toBe(0);
  for (const name of ['.env', 'covenant.product.json', '.gitlab-ci.yml'])
    expect(first.out).toContain(`${name} is there already and stays as it is.`);
  expect(first.out).not.toContain('canary');
  expect([read('.env'), read('covenant.product.json')]).toEqual(['COVENANT_API_KEY=svc_sk_canary\n', '{}']);
  expect(read('.gitignore')).toBe('node_modules\r\n/reports\r\n.env\r\ncovenant-key.pem\r\n');
  const again = await init('--gitlab', ...product);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing was written.')]);
  expect(read('.gitignore')).toBe('node_modules\r\n/reports\r\n.env\r\ncovenant-key.pem\r\n');
});

test('without the whole product there is no file for it, and it says what is missing', async () => {
  const { out } = await init('--vendor', 'Granite & Co.');
  expect(out).toContain('a certificate needs: implementation, version, contact not given.');
  expect(files()).not.toContain('covenant.product.json');
});

test('a profile is declared, and whatever else a certificate needs is named', async () => {
  const { code, out } = await init('--profile', 'server-to-server');
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('No whole covenant.product.json, which a certificate needs'),
  ]);
  expect(JSON.parse(read('covenant.product.json'))).toMatchObject({ profile: 'server-to-server' });
  const again = await init('--profile', 'server-to-server');
  expect(again.out).toContain('Put "profile": "server-to-server" into covenant.product.json.');
  put('.env', `COVENANT_BASE_URL=${url}\nCOVENANT_API_KEY=svc_sk_1`);
  const { examined } = await trial(['run']);
  expect(examined[0]?.settings.profile).toBe('server-to-server');
});

test.each([
  [['--base-url', 'staging'], 'has no http:// or https:// in front'],
  [['--base-url', 'https://me:canary@staging.example.com'], 'contains a user or password'],
  [['--vendor', ' '], '--vendor " " should be'],
  [['--contact', 'x'], '--contact "x" should be'],
  [['--profile', 'server'], '"server" (--profile) is none of full, server-to-server'],
  [['--gitlap'], '--gitlab'],
  [['github'], 'does not know what to do with "github"'],
])('%j is one sentence, and nothing is written', async (words, why) => {
  expectRefused(await init(...words), why);
  expect(files()).toEqual([]);
});

test.each([
  ['a file where a folder must be', () => put('.github', ''), 'a part of the path is a file'],
  ['a .gitignore that is a folder', () => mkdirSync(inFolder('.gitignore')), 'is a folder'],
])('%s: nothing is written', async (_, prepare, why) => {
  prepare();
  const before = files();
  expectRefused(await init(), why);
  expect(files()).toEqual(before);
});
