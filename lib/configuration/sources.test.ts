// Where settings come from: the `.env`, the variables that are documented, and what a mistyped name comes near to.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { didYouMean } from './checked.ts';
import { credentialNames } from './settings.ts';
import { parseEnvFile } from './settings-sources.ts';
import { configuration } from './target.ts';
import { variableNames, variablesIn } from './variables.ts';

test('a .env is read with its quotes, comments and line ends, and each setting knows its line', () => {
  const text = [
    '\uFEFF# Covenant',
    '',
    'A=1',
    'export B = "two # not a comment"  # a comment',
    "C='three'",
    'D=',
    'KEY="-----BEGIN',
    'middle',
    'END-----"',
    'E=last # comment',
  ].join('\r\n');
  expect(parseEnvFile(text)).toEqual([
    { name: 'A', value: '1', line: 3 },
    { name: 'B', value: 'two # not a comment', line: 4 },
    { name: 'C', value: 'three', line: 5 },
    { name: 'D', value: '', line: 6 },
    { name: 'KEY', value: '-----BEGIN\nmiddle\nEND-----', line: 7 },
    { name: 'E', value: 'last', line: 10 },
  ]);
});

test('line ends of Windows change no value, and no line number', () => {
  const text = '# a comment\nA=1\n\nB="x y" # more\nKEY="one\ntwo"\nC=last\n';
  expect(parseEnvFile(text.replaceAll('\n', '\r\n'))).toEqual(parseEnvFile(text));
  expect(() => parseEnvFile('A=1\r\n\r\nCOVENANT_JWT\r\n')).toThrow('Line 3 of .env is not a setting');
});

test.each([
  ['A=1\nexport COVENANT_JWT canary', 'Line 2 of .env is not a setting'],
  ['COVENANT_API_KEY: canary', 'Line 1 of .env is not a setting'],
  ['\n\nCOVENANT_JWT="canary', 'Line 3 of .env opens a quote'],
  ['COVENANT_JWT=can#ary', 'Line 1 of .env has a #'],
])('the .env %j is refused and never shown', (text, why) => {
  expect(() => parseEnvFile(text)).toThrow(why);
  expect(() => parseEnvFile(text)).not.toThrow('canary');
});

test('what other programs keep in the same file is theirs', () => {
  const text = [
    'DB_PASSWORD=abc#123',
    'export X=1',
    'source other.env',
    '=1',
    'TEXT="open',
    'COVENANT_API_KEY=key',
  ].join('\n');
  expect(parseEnvFile(text).filter(({ name }) => /^(?:X|COVENANT_.*)$/.test(name))).toEqual([
    { name: 'X', value: '1', line: 2 },
    { name: 'COVENANT_API_KEY', value: 'key', line: 6 },
  ]);
});

const areas = ['account', 'api-keys', 'billing', 'companies', 'contacts', 'notes'];

test.each([
  ['bililng', 'billing'],
  ['Companys', 'companies'],
  ['note', 'notes'],
  ['contract', 'contacts'],
  ['api_keys', 'api-keys'],
  ['ntoes', 'notes'],
])('%s was meant to be %s', (word, meant) => expect(didYouMean(word, areas)).toBe(`; did you mean ${meant}?`));

test.each(['users', 'x', 'deals', ''])('%j is near to no known word', (word) => {
  expect(didYouMean(word, areas)).toBe('.');
});

const example = readFileSync('.env.example', 'utf8');
const documented = variableNames.filter((name) => name !== 'COVENANT_DEBUG');

test('.env.example holds every variable, in order, and sets none', () => {
  const entries = parseEnvFile(example, '.env.example');
  expect(entries.map(({ name }) => name)).toEqual(documented);
  const read = configuration({ flags: {}, environment: {}, envFile: example, freshSeed: 1, requirements: {} });
  expect(read).toMatchObject({ notices: [] });
  expect(read.target).toBeUndefined();
});

test('the page of the configuration names every variable', () => {
  expect(variableNames.filter((name) => !readFileSync('docs/credentials.md', 'utf8').includes(name))).toEqual([]);
});

test('every credential is a variable', () => {
  expect(credentialNames.filter((name) => !(variableNames as readonly string[]).includes(name))).toEqual([]);
});

test('the variables that a reason names are found', () => {
  const reason = 'COVENANT_JWT is not set (COVENANT_JWT_EXPIRED neither), COVENANT_NOTHING, COVENANT_JWT';
  expect(variablesIn(reason)).toEqual(['COVENANT_JWT', 'COVENANT_JWT_EXPIRED']);
});
