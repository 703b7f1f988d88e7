// `covenant init`: what it writes and shows, what it leaves alone, and what it refuses without writing anything.
import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseEnvFile } from '../configuration/settings-sources.ts';
import { variableNames } from '../configuration/variables.ts';
import { violations } from '../schema/schema.ts';
import { expectRefused, files, inFolder, put, read, trial, useFolder } from './trial.test-data.ts';

useFolder();

const init = (...words: string[]) => trial(['init', ...words]);
/** At a terminal, with these answers; then the person leaves. */
const talk = async (answers: readonly string[], ...words: string[]) => {
  const questions: string[] = [];
  const left = [...answers];
  const ask = async (question: string) => {
    questions.push(question);
    return left.shift();
  };
  return { ...(await trial(['init', ...words], { ask })), questions };
};
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

test('writes everything, shows all of it, and what it wrote is sound', async () => {
  const { code, out, stderr } = await init(
    '--yes',
    '--base-url',
    `${url}/api/external/v2`,
    '--github',
    '--gitlab',
    ...product,
  );
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
  for (const name of ['.env', '.github/workflows/conformance.yml', '.gitlab-ci.yml', 'covenant.product.json']) {
    for (const line of read(name).split('\n')) expect(out).toContain(line.trimEnd());
  }
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
  await init('--yes', '--base-url', url);
  put('.env', read('.env').replace('COVENANT_API_KEY=', 'COVENANT_API_KEY=svc_sk_1'));
  const { code, examined } = await trial(['run']);
  expect([code, examined[0]?.target.baseUrl]).toEqual([0, url]);
});

test('leaves what is there, names it, and appends only missing lines', async () => {
  put('.env', 'COVENANT_API_KEY=svc_sk_canary\n');
  put('covenant.product.json', '{}');
  symlinkSync('nowhere', inFolder('.gitlab-ci.yml'));
  put('.gitignore', 'node_modules\r\n/reports\r\n.env');
  const first = await init('--yes', '--gitlab', ...product);
  expect(first.code).toBe(0);
  for (const name of ['.env', 'covenant.product.json', '.gitlab-ci.yml'])
    expect(first.out).toContain(`${name} is there already and stays as it is.`);
  expect(first.out).not.toContain('canary');
  expect([read('.env'), read('covenant.product.json')]).toEqual(['COVENANT_API_KEY=svc_sk_canary\n', '{}']);
  expect(read('.gitignore')).toBe('node_modules\r\n/reports\r\n.env\r\ncovenant-key.pem\r\n');
  const again = await init('--yes', '--gitlab', ...product);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing was written.')]);
  expect(read('.gitignore')).toBe('node_modules\r\n/reports\r\n.env\r\ncovenant-key.pem\r\n');
});

test('without the whole product there is no file for it, and it says what is missing', async () => {
  const { out } = await init('--yes', '--vendor', 'Granite & Co.');
  expect(out).toContain('a certificate needs: implementation, version, contact not given.');
  expect(files()).not.toContain('covenant.product.json');
});

test('asks on a terminal, again where an answer cannot be used, and for a yes', async () => {
  const answers = [
    'staging',
    url,
    'gitlap',
    'gitlab',
    'server',
    '',
    'Granite',
    '4.2',
    ' ',
    'Granite & Co.',
    'a@b.test',
    '',
  ];
  const { code, stderr, questions } = await talk(answers);
  expect([code, questions.length]).toEqual([0, answers.length]);
  expect(stderr).toContain('has no http:// or https:// in front');
  expect(stderr).toContain('did you mean gitlab?');
  expect(files()).toEqual(['.env', '.gitignore', '.gitlab-ci.yml', 'covenant.product.json']);
});

test('asks nothing that a flag has answered', async () => {
  const { questions } = await talk(['y'], '--base-url', url, '--github', '--profile', 'full', ...product);
  expect(questions).toEqual(['Write this? (Y/n) ']);
});

test('a profile is declared, and whatever else a certificate needs is named', async () => {
  const { code, out } = await init('--yes', '--profile', 'server-to-server');
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('No whole covenant.product.json, which a certificate needs'),
  ]);
  expect(JSON.parse(read('covenant.product.json'))).toMatchObject({ profile: 'server-to-server' });
  const again = await init('--yes', '--profile', 'server-to-server');
  expect(again.out).toContain('Put "profile": "server-to-server" into covenant.product.json.');
  put('.env', `COVENANT_BASE_URL=${url}\nCOVENANT_API_KEY=svc_sk_1`);
  const { examined } = await trial(['run']);
  expect(examined[0]?.settings.profile).toBe('server-to-server');
});

test('a file that is made while it asks is not overwritten', async () => {
  const ask = async () => {
    put('.env', 'theirs');
    return 'y';
  };
  const { code, stderr } = await trial(['init', '--base-url', url, '--github', '--profile', 'full', ...product], {
    ask,
  });
  expect([code, stderr]).toEqual([4, 'covenant: .env could not be written: it was made in the meantime; try again.\n']);
  expect(files()).toEqual(['.env']);
  expect(read('.env')).toBe('theirs');
});

test.each([
  ['a no', ['', 'none', '', '', 'n'], 0],
  ['the end of the input', ['', 'none', '', ''], 130],
  ['the end of the input at the first question', [], 130],
])('%s writes nothing', async (_, answers, wanted) => {
  expect((await talk(answers)).code).toBe(wanted);
  expect(files()).toEqual([]);
});

test.each([
  [[], 'give --yes'],
  [['--yes', '--base-url', 'staging'], 'has no http:// or https:// in front'],
  [['--yes', '--base-url', 'https://me:canary@staging.example.com'], 'contains a user or password'],
  [['--yes', '--vendor', ' '], '--vendor " " should be'],
  [['--yes', '--contact', 'x'], '--contact "x" should be'],
  [['--yes', '--profile', 'server'], '"server" (--profile) is none of full, server-to-server'],
  [['--yes', '--gitlap'], '--gitlab'],
  [['--yes', 'github'], 'does not know what to do with "github"'],
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
  expectRefused(await init('--yes'), why);
  expect(files()).toEqual(before);
});
