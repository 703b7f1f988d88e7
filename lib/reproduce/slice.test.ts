// What leads to a failure: also writes that were refused, between what a record was and what it is.

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import type { Wrap } from '../../lab/mutants/mutant.ts';
import { companyIn } from './origins.ts';
import { options } from './request.ts';
import { word } from './shell.ts';

/** Refuses an edit of a note, and yet changes its text. */
const wiping: Wrap = (honest) => async (request) => {
  const { method, url, headers } = request;
  const response = await honest(request);
  if (method === 'PATCH' && url.includes('/notes/') && [400, 422].includes(response.status))
    await honest(new Request(url, { method, headers, body: '{"text":"wiped"}' }));
  return response;
};

test('a refused edit that changed the note is among the steps', async () => {
  const { report } = await examine({ wrap: wiping });
  const row = report.requirements.find(({ id }) => id === 'notes-list-record');
  const failures = row?.cases.flatMap(({ failure }) => failure ?? []) ?? [];
  expect(failures.length).toBeGreaterThan(0);
  const byId = new Map(report.exchanges.map((one) => [one.id, one]));
  for (const { steps = [] } of failures) {
    const refused = steps.flatMap(({ exchange }) => {
      const found = byId.get(exchange);
      return found?.request.method === 'PATCH' && found.response.status >= 400 ? [found] : [];
    });
    expect(refused).not.toEqual([]);
  }
});

test.each([
  ['{"company_id":18,"last_name":"x"}', '18'],
  ['{ "last_name" : "x",\n  "company_id" :\t18 }', '18'],
  ['{"\\u0063ompany_id": 18}', '18'],
  ['{"company_id":"18"}', '18'],
  ['{"other_company_id":18}', undefined],
])('the company that %j names', (body, id) => {
  expect(companyIn(body)).toBe(id);
});

const printed = (text: string, environment: Record<string, string>): string =>
  execFileSync('sh', ['-c', `printf %s ${text}`], { env: { PATH: '/usr/bin:/bin', ...environment } }).toString();

test.each(['V', '_', '9', '-', "'"])('a variable before %j', (next) => {
  expect(printed(word([{ shell: '$KEY' }, next]), { KEY: 'svc_sk_1' })).toBe(`svc_sk_1${next}`);
});

test.each([
  [[{ of: 'COVENANT_API_KEY', from: 1, to: 9 }, 'a', { of: 'COVENANT_API_KEY', from: 11 }]],
  [[{ of: 'COVENANT_API_KEY', from: 1, to: -1 }, 'a']],
])('a changed character is another one in every key', (derivation) => {
  const request = {
    method: 'GET',
    url: 'http://x/',
    headers: { authorization: 'Bearer <altered>' },
    credential: 'altered',
  };
  const exchange = { id: 1, at: '', duration_ms: 0, request, response: { status: 401, headers: {}, body: '' } };
  const [header = ''] = options(exchange, { keys: new Map(), derivations: { altered: derivation } }).map((one) =>
    one.replace(/^-H /, ''),
  );
  for (const key of [...'0123456789abcdefABCDEF_-zZ'].map((one) => `svc_sk_xx${one}yy${one}`)) {
    const altered = printed(header, { COVENANT_API_KEY: key }).replace('authorization: Bearer ', '');
    expect(altered).toHaveLength(key.length);
    expect(altered).not.toBe(key);
  }
});
