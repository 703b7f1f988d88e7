// Words of `sh`: a variable ends where its name does, and a character that is to be another one is computed.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { options } from './request.ts';
import { word } from './shell.ts';

const printed = (text: string, environment: Record<string, string>): string =>
  execFileSync('sh', ['-c', `printf %s ${text}`], { env: { PATH: '/usr/bin:/bin', ...environment } }).toString();

test.each(['V', '_', '9', '-', "'"])('a variable before %j', (next) => {
  expect(printed(word([{ shell: '$KEY' }, next]), { KEY: 'svc_sk_1' })).toBe(`svc_sk_1${next}`);
});

test.each([
  [[{ of: 'COVENANT_API_KEY', from: 1, to: 9 }, 'a', { of: 'COVENANT_API_KEY', from: 11 }]],
  [[{ of: 'COVENANT_API_KEY', from: 1, to: -1 }, 'a']],
])('a changed character is another one in every key', (recipe) => {
  const request = {
    method: 'GET',
    url: 'http://x/',
    headers: { authorization: 'Bearer <altered>' },
    credential: 'altered',
  };
  const exchange = { id: 1, at: '', duration_ms: 0, request, response: { status: 401, headers: {}, body: '' } };
  const [header = ''] = options(exchange, { origins: new Map(), keys: new Map(), recipes: { altered: recipe } }).map(
    (one) => one.replace(/^-H /, ''),
  );
  for (const key of [...'0123456789abcdefABCDEF_-zZ'].map((one) => `svc_sk_xx${one}yy${one}`)) {
    const altered = printed(header, { COVENANT_API_KEY: key }).replace('authorization: Bearer ', '');
    expect(altered).toHaveLength(key.length);
    expect(altered).not.toBe(key);
  }
});
