// Where settings come from, and the way to the target: proxy, headers, and one sentence for each thing that is wrong.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { didYouMean } from './checked.ts';
import { describeNetwork, type NetworkFlags, networkFrom } from './network.ts';
import { credentialNames, UsageError } from './settings.ts';
import { parseEnvFile, variableLookup } from './settings-sources.ts';
import { configuration } from './target.ts';
import { variableNames, variablesIn } from './variables.ts';

type Environment = Record<string, string>;

function reached(environment: Environment, flags: NetworkFlags = {}, base = 'https://staging.example.com') {
  const files: Environment = {
    'some.txt': 'no PEM',
    'key.pem': '-----BEGIN PRIVATE KEY-----\nMEE=\n-----END PRIVATE KEY-----',
  };
  const readFile = (path: string): string => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error('none'), { code: 'ENOENT' });
    return text;
  };
  return networkFrom(base, flags, variableLookup(environment, []), readFile);
}

function complaint(environment: Environment, flags: NetworkFlags = {}, base?: string): string {
  try {
    reached(environment, flags, base);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.message).not.toMatch(/canary|\n/);
    return error.message;
  }
  throw new Error('was accepted');
}

const proxies = { HTTPS_PROXY: 'http://me:canary@secure.example:3128', HTTP_PROXY: 'http://plain.example:3128/' };

describe('the proxy', () => {
  test.each([
    ['https://staging.example.com', {}, 'http://secure.example:3128'],
    ['http://staging.example.com', {}, 'http://plain.example:3128'],
    ['https://staging.example.com', { NO_PROXY: 'other.com, EXAMPLE.com' }, undefined],
    ['https://staging.example.com', { NO_PROXY: '.example.com' }, undefined],
    ['https://staging.example.com', { NO_PROXY: '*.example.com' }, undefined],
    ['https://staging.example.com', { NO_PROXY: '*' }, undefined],
    ['https://staging.example.com', { NO_PROXY: 'example.com:443' }, undefined],
    ['https://staging.example.com', { NO_PROXY: 'example.com:8443,ample.com,com.' }, 'http://secure.example:3128'],
    ['https://staging.example.com', { no_proxy: 'example.com', NO_PROXY: 'other.com' }, undefined],
    ['https://staging.example.com', { https_proxy: 'lower.example:8080' }, 'http://lower.example:8080'],
    ['https://staging.example.com', { HTTPS_PROXY: '' }, undefined],
    ['http://127.0.0.1:4010', {}, undefined],
    ['http://localhost:4010', {}, undefined],
    ['http://[::1]:4010', {}, undefined],
    ['http://10.0.0.1:4010', {}, 'http://plain.example:3128'],
    ['http://10.1.2.3:4010', { NO_PROXY: 'a.example,10.0.0.0/8' }, undefined],
    ['http://11.1.2.3:4010', { NO_PROXY: '10.0.0.0/8,11.1.2.3/40,::/0,11.1.2/8' }, 'http://plain.example:3128'],
    ['http://[fd00::7]:4010', { NO_PROXY: 'fd00::/8' }, undefined],
    ['http://[fd00::7]:4010', { NO_PROXY: 'fd00::7' }, undefined],
    ['http://[fd00::7]:4010', { NO_PROXY: '[fd00::7]:4010' }, undefined],
    ['http://[fd00::7]:4010', { NO_PROXY: 'fe80::/10,fd00::8' }, 'http://plain.example:3128'],
    ['https://10.example.com', { NO_PROXY: '10.0.0.0/8' }, 'http://secure.example:3128'],
  ])('for %s with %j', (base, environment, shown) => {
    const { network } = reached({ ...proxies, ...environment }, {}, base);
    expect(network.proxy?.shown).toBe(shown);
    expect(describeNetwork(network)).not.toContain('canary');
  });

  test('its password is a secret', () => {
    expect(reached(proxies).network.secrets).toEqual({ HTTPS_PROXY_PASSWORD: 'canary' });
  });

  test.each(['http://', 'socks5://canary.example', 'http://me:canary@:1'])('%s is refused', (HTTPS_PROXY) =>
    expect(complaint({ HTTPS_PROXY })).toMatch(/HTTPS_PROXY.*http:\/\/proxy\.example\.com:3128/),
  );
});

describe('headers for gateways', () => {
  test('headers are secret, and a flag beats a variable', () => {
    const environment = { COVENANT_HEADER_X_GATEWAY_KEY: 'one' };
    const { headers, network } = reached(environment, { header: ['X-Gateway-Key: two, three', 'x-more:4'] });
    expect(headers).toEqual({
      'x-gateway-key': '<COVENANT_HEADER_X_GATEWAY_KEY>',
      'x-more': '<COVENANT_HEADER_X_MORE>',
    });
    expect(network.secrets).toEqual({ COVENANT_HEADER_X_GATEWAY_KEY: 'two, three', COVENANT_HEADER_X_MORE: '4' });
  });

  test.each<[Environment, NetworkFlags, string]>([
    [{ COVENANT_HEADER_AUTHORIZATION: 'canary' }, {}, 'put the credential into COVENANT_API_KEY'],
    [{}, { header: ['X-Origin-App: canary'] }, 'set COVENANT_ORIGIN_APP'],
    [{}, { header: ['Idempotency-Key: canary'] }, 'is the interface’s own'],
    [{}, { header: ['Host: canary'] }, 'belongs to the connection'],
    [{}, { header: ['canary'] }, 'needs a name, a colon and a value'],
    [{}, { header: [':canary'] }, 'needs a name, a colon and a value'],
    [{}, { header: ['X Y: canary'] }, 'is not one of a header'],
    [{}, { header: ['X-Y:'] }, 'is empty or cannot be sent'],
    [{}, { header: ['X-Y: ca\nnary'] }, 'is empty or cannot be sent'],
    [{}, { header: ['X-Y: 1', 'x-y: 2'] }, 'x-y is given twice'],
    [{ COVENANT_HEADERS_X: 'canary' }, {}, 'is not a variable of Covenant'],
    [{ COVENANT_HEADER_: 'canary' }, {}, 'is not a variable of Covenant'],
  ])('%j and %j are refused', (environment, flags, why) => expect(complaint(environment, flags)).toContain(why));
});

describe('certificates', () => {
  test.each<[Environment, string]>([
    [{ COVENANT_TLS_CERT: 'some.txt' }, 'COVENANT_TLS_KEY is not'],
    [{ COVENANT_TLS_KEY: 'key.pem' }, 'COVENANT_TLS_CERT is not'],
    [
      { COVENANT_TLS_CA: 'some.txt' },
      'some.txt (the environment variable COVENANT_TLS_CA) is not a certificate in PEM',
    ],
    [{ COVENANT_TLS_CA: 'key.pem' }, 'holds a private key, but a certificate belongs there'],
    [
      { COVENANT_TLS_CA: '-----BEGIN CERTIFICATE-----\ncanary' },
      'The text in the environment variable COVENANT_TLS_CA is not a certificate in PEM',
    ],
    [{ COVENANT_TLS_CA: 'none.pem' }, 'none.pem (the environment variable COVENANT_TLS_CA) is not there'],
    [{ COVENANT_TLS_CERT: 'some.txt', COVENANT_TLS_KEY: 'key.pem' }, 'some.txt'],
  ])('%j is refused', (environment, why) => expect(complaint(environment)).toContain(why));

  test('no file is read where none can be', () => {
    const lookup = variableLookup({ COVENANT_TLS_CA: 'ca.pem' }, []);
    expect(() => networkFrom('https://a.example', {}, lookup)).toThrow('files are not read here');
  });
});

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
