// What `covenant serve` answers beside the interface, over a real socket: the page, the description, and nothing else.
import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationIds } from '../catalogue/operations.ts';
import { compose } from './compose.ts';
import type { Listening } from './parts.ts';

let sandbox: Listening;
beforeAll(async () => {
  sandbox = await compose().serve({ port: 0, host: '127.0.0.1', minuteMs: 60_000 });
});
afterAll(() => sandbox.close());

test('the page names every credential and operation, is valid, and may load nothing', async () => {
  const reply = await fetch(sandbox.url);
  const text = await reply.text();
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'; connect-src 'self'");
  for (const [name, value] of Object.entries(sandbox.env))
    expect(text).toContain(`<code>${name}</code></th><td><code>${value}<`);
  for (const id of operationIds) expect(text).toContain(`<code>${id}</code>`);
  expect(text).not.toMatch(/(?:src|href)="https?:/);
  const { results } = await new HtmlValidate({ extends: ['html-validate:standard'] }).validateString(text);
  expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))).toEqual([]);
});

test('/openapi.json is what covenant openapi prints for this server', async () => {
  const reply = await fetch(`${sandbox.url}/openapi.json`);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await reply.json()).toEqual(JSON.parse(JSON.stringify(await compose().openapi(sandbox.url))));
});

test('everything else is left to the interface', async () => {
  const answered = async (path: string, method = 'GET') => {
    const reply = await fetch(sandbox.url + path, { method });
    return [reply.status, Object.keys((await reply.json()) as object)];
  };
  expect(await answered('/page')).toEqual([404, ['request_id', 'error']]);
  expect(await answered('/', 'POST')).toEqual([404, ['request_id', 'error']]);
  expect(await answered('/api/external/v2/health')).toEqual([200, ['request_id', 'timestamp', 'data']]);
});
