// The page of the sandbox in a real browser: one form reads, another writes, and nothing but the sandbox is asked.
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pagesInBrowser } from '../report/html/browser.test-data.ts';
import { compose } from './compose.ts';
import type { Listening } from './parts.ts';

let sandbox: Listening;
beforeAll(async () => {
  sandbox = await compose().serve({ port: 0, host: '127.0.0.1', minuteMs: 60_000 });
});
afterAll(() => sandbox.close());

const open = pagesInBrowser(() => ({ 'empty.html': '<!doctype html><title>Empty</title>' }));

async function opened() {
  const page = await open();
  const problems: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
  page.on('request', (request) => void (request.url().startsWith(sandbox.url) || problems.push(request.url())));
  await page.goto(sandbox.url);
  const send = async (operation: string, fields: Readonly<Record<string, string>> = {}) => {
    const details = page.locator('details', { has: page.locator('summary code', { hasText: operation }) }).first();
    await details.locator('summary').click();
    for (const [name, value] of Object.entries(fields)) await details.locator(`[name="${name}"]`).fill(value);
    await details.getByRole('button').click();
    await details.locator('output', { hasText: 'request_id' }).waitFor();
    return details.locator('output').innerText();
  };
  return { page, problems, send };
}

test('the forms send what they say, with the credential that was chosen', async () => {
  const { page, problems, send } = await opened();
  expect(await send('GET /me')).toMatch(/^GET \/api\/external\/v2\/me\n200 OK\n/);
  expect(await send('POST /companies')).toMatch(/\n201 Created\n[\s\S]*"name": "Juniper Lending"/);
  expect(await send('GET /companies', { limit: '1', fields: 'name' })).toMatch(
    /companies\?limit=1&fields=name\n200 OK/,
  );
  expect(await send('GET /health')).toContain('200 OK');
  expect(problems).toEqual([]);
  await page.locator('#credential').selectOption({ label: 'nobody, without a credential' });
  expect(await send('GET /billing/summary')).toContain('401 Unauthorized');
});

test('operations stand first; credentials are folded, and each is copied whole', async () => {
  const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(sandbox.url);
  expect(await page.locator('h2').allTextContents()).toEqual(['Operations', 'Credentials']);
  const [name, value = ''] = Object.entries(sandbox.env).find(([one]) => one === 'COVENANT_JWT') ?? [];
  const copier = page.getByRole('button', { name: `Copy ${name}`, exact: true });
  expect(await copier.isVisible()).toBe(false);
  await page.locator('summary', { hasText: '.env' }).click();
  await copier.click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(value);
  const heights = await page.evaluate(
    '[...document.querySelectorAll("th code")].map((one) => one.getClientRects().length)',
  );
  expect(new Set(heights as number[])).toEqual(new Set([1]));
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
});

test.each(['light', 'dark'] as const)('axe finds nothing with every form open, %s', async (colorScheme) => {
  // The page's own policy would keep axe out.
  const page = await open({ colorScheme, bypassCSP: true });
  await page.goto(sandbox.url);
  await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  const { violations }: AxeResults = await page.evaluate('axe.run(document)');
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});
