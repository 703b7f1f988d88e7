// The OpenAPI description in the hands of two tools that others wrote: a linter, and a mock server that answers by it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compose } from '../cli/compose.ts';
import { violations } from '../schema/schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'covenant-openapi-'));
const file = join(folder, 'openapi.json');
let text = '';
let mock: ChildProcess | undefined;

beforeAll(async () => {
  text = JSON.stringify(await compose().openapi('http://127.0.0.1:4010'));
  writeFileSync(file, text);
});
afterAll(() => {
  mock?.kill();
  rmSync(folder, { recursive: true });
});

async function problems(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The document of the interface has no licence.
      'info-license': 'off',
      // A lawful reply may hold more than the document names.
      'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
    },
  });
  const found = await lintFromString({ source, absoluteRef: file, config });
  return found.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${message} ${place?.pointer}`);
}

test('the linter of Redocly has nothing to say, and notices an example that does not fit', async () => {
  expect(await problems(text)).toEqual([]);
  const wrong = await problems(text.replaceAll('"deleted":true', '"deleted":"yes"'));
  expect(wrong.join('\n')).toContain('no-invalid-media-type-examples');
});

interface Answer {
  readonly status: number;
  readonly body: { readonly data?: unknown; readonly error?: { readonly code: string } };
}

/** The address of the mock server once it listens. */
function mocked(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
  const child = spawn(process.execPath, [main, 'mock', '-p', '0', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  mock = child;
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (more: Buffer): void => {
      said += more;
      const url = /listening on (http:\/\/[\d.]+:\d+)/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', () => reject(new Error(`the mock server ended: ${said}`)));
  });
}

test('the mock server of Stoplight answers by it, and refuses by it', async () => {
  const url = await mocked();
  const ask = async (path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const reply = await fetch(url + path, { headers: { 'content-type': 'application/json', ...headers }, ...sent });
    return { status: reply.status, body: (await reply.json()) as Answer['body'] };
  };
  const caller = { authorization: 'Bearer svc_sk_mock', 'x-origin-app': 'my-client' };
  const page = await ask('/companies?limit=2', caller);
  expect([page.status, violations('cursor-list', page.body)]).toEqual([200, []]);
  const made = await ask('/companies', caller, { name: 'Juniper', company_type: 'lender' });
  expect([made.status, violations('company', made.body.data)]).toEqual([201, []]);
  const nobody = await ask('/me', { 'x-origin-app': 'my-client' });
  expect([nobody.status, nobody.body.error?.code]).toEqual([401, 'UNAUTHORIZED']);
  expect((await ask('/companies', caller, { name: 'Juniper', company_type: 'bank' })).status).toBe(422);
  expect((await ask('/companies?limit=201', caller)).status).not.toBe(200);
});
