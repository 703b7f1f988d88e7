// The way to the target as it is configured: which proxy, which headers, and one sentence for each thing that is wrong.
import { describe, expect, test } from 'vitest';
import { describeNetwork, type NetworkFlags, networkFrom } from './network.ts';
import { UsageError } from './settings.ts';
import { variableLookup } from './settings-sources.ts';

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

test('HTTP/2 without TLS is refused', () => {
  expect(complaint({}, { http2: true }, 'http://staging.example.com')).toContain('--http2 needs TLS');
});
