// The HTML report in a real browser: accessible, readable at every width, printed, without script, and unmoved by hostile texts.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rulings } from '../../catalogue/rulings.ts';
import { conformant, excerpt, sample } from '../sample.test-data.ts';
import { html } from './page.ts';

const named = process.env.CHROMIUM_PATH;
const executablePath = named ?? '/usr/bin/chromium';
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const folder = mkdtempSync(join(tmpdir(), 'covenant-html-'));
let browser: Browser | undefined;

const missing = named === undefined && process.env.CI === undefined && !existsSync(executablePath);

// In CI, and where a browser was named, it must be there; elsewhere the skip says what was not run, and how to run it.
beforeEach(({ skip }) => {
  if (missing)
    skip(
      `no Chromium at ${executablePath}: install it (Debian: apt-get install chromium) or name one in CHROMIUM_PATH`,
    );
});

const quiet = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A busy machine takes its time to start a browser. */
const startMs = 60_000;

beforeAll(async () => {
  writeFileSync(join(folder, 'report.html'), html(sample(), { rulings, baseline: conformant().report }));
  writeFileSync(join(folder, 'excerpt.html'), html(excerpt(sample()), { rulings, baseline: conformant().report }));
  writeFileSync(join(folder, 'certificate.html'), html(conformant(), { rulings }));
  if (missing) return;
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });
}, startMs);

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

async function open(
  options: BrowserContextOptions & { readonly file?: string; readonly hash?: string } = {},
): Promise<Page> {
  const { file = 'report.html', hash = '', ...context } = options;
  if (browser === undefined) throw new Error('no browser was started');
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context })).newPage();
  await page.goto(`${pathToFileURL(join(folder, file)).href}${hash}`);
  return page;
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Every fold opened, so that nothing hides from the examination. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: axe });
  await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
  const options: RunOptions = { runOnly: tags, resultTypes: ['violations'] };
  const results: AxeResults = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`);
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.length} times, first ${nodes[0]?.html.slice(0, 200)}`,
  );
}

const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
] as const;

for (const { colorScheme, width } of looks) {
  for (const view of ['executive', 'technical']) {
    test(`axe finds nothing in the ${view} view, ${colorScheme}, ${width} px wide`, async () => {
      const page = await open({
        colorScheme,
        viewport: { width, height: 900 },
        bypassCSP: true,
        file: 'excerpt.html',
        hash: `#${view}`,
      });
      expect(await violations(page)).toEqual([]);
    });
  }
}

test('axe would find a button without a name, and pale text', async () => {
  const page = await open({ bypassCSP: true, file: 'excerpt.html', hash: '#executive' });
  await page.evaluate(
    'document.querySelector("main").insertAdjacentHTML("beforeend", `<button></button><p style="color: #bbb">pale</p>`)',
  );
  expect((await violations(page)).map((one) => one.split(':')[0])).toEqual(['button-name', 'color-contrast']);
});

test('axe finds nothing on paper', async () => {
  const printed = await open({ file: 'excerpt.html', bypassCSP: true });
  await printed.emulateMedia({ media: 'print' });
  expect(await violations(printed)).toEqual([]);
});

test.each([320, 360, 768, 1920])('nothing is wider than a page of %d px', async (width) => {
  const page = await open({ viewport: { width, height: 900 } });
  await page.locator('.views a', { hasText: 'Everything' }).click();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
});

test('without script everything is there, and nothing that would need script', async () => {
  const page = await open({ javaScriptEnabled: false });
  for (const id of ['certificate', 'executive', 'technical'])
    expect(await page.locator(`#${id}`).isVisible()).toBe(true);
  expect(await page.locator('.requirement').count()).toBe(sample().report.requirements.length);
  expect(await page.locator('.failure pre.copy').first().isVisible()).toBe(true);
  expect(await page.locator('.filter').isVisible()).toBe(false);
  expect(await page.locator('.copier').count()).toBe(0);
});

test('printed, the certificate is a page of its own, before everything else', async () => {
  const page = await open({ file: 'certificate.html' });
  await page.emulateMedia({ media: 'print' });
  const certificate = 'document.getElementById("certificate")';
  expect(await page.evaluate(`getComputedStyle(${certificate}).breakAfter`)).toBe('page');
  expect(await page.evaluate(`${certificate}.getBoundingClientRect().top`)).toBeLessThan(60);
  for (const id of ['executive', 'technical']) expect(await page.locator(`#${id}`).isVisible()).toBe(true);
  for (const part of ['.views', '.filter', '.verdict']) expect(await page.locator(part).isVisible()).toBe(false);
});

test('hostile texts run nothing and fetch nothing', async () => {
  const page = await open({ file: 'certificate.html' });
  const asked: string[] = [];
  const said: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  expect(asked.map((url) => url.replace(/.*\//, ''))).toEqual(['report.html']);
  expect(await page.title()).toBe('non-conformant: staging.example.com');
  expect(said).toEqual([]);
});

test('search and filters show what fits and say how many', async () => {
  const page = await open({ hash: '#requirements' });
  await page.locator('[name=verdict]').selectOption('failed');
  await page.locator('[name=level]').selectOption('should');
  const { requirements } = sample().report;
  const wanted = requirements.filter((row) => row.level === 'should' && row.verdict === 'failed');
  expect(await page.locator('.requirement:visible').count()).toBe(wanted.length);
  expect(await page.locator('.filter [role=status]').textContent()).toBe(
    `${wanted.length} of ${requirements.length} requirements shown`,
  );
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.locator('[name=search]').fill('NOTES-create  blank');
  expect(await page.locator('.requirement:visible .id').allTextContents()).toContain('notes-create-blank');
  expect(await page.locator('.requirement:visible').count()).toBeLessThan(10);
});

test('a number of the summary leads to what it counts', async () => {
  const page = await open();
  await page.locator('#executive a[data-level=must][data-verdict=failed]').click();
  const failed = sample().report.totals.must.failed;
  expect(await page.locator('.requirement:visible').count()).toBe(failed);
  expect(await page.locator('#executive').isVisible()).toBe(false);
});

test('a link to a requirement opens it in the technical view, whatever was filtered', async () => {
  const page = await open({ hash: '#req-notes-create-blank' });
  expect(await page.locator('#req-notes-create-blank > .body').isVisible()).toBe(true);
  await page.locator('[name=search]').fill('nothing like this');
  await page.evaluate('location.hash = "#req-billing-summary-scope"');
  await page.locator('#req-billing-summary-scope > .body').waitFor({ timeout: 5_000 });
});

test('by keyboard: the first stop skips to the report, views switch by Enter, folds open by Space', async () => {
  const page = await open();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the report');
  for (const name of ['Executive', 'Technical']) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe(name);
  }
  await page.keyboard.press('Enter');
  expect(await page.locator('#technical').isVisible()).toBe(true);
  const fold = page.locator('.requirement.passed > summary').first();
  await fold.focus();
  await page.keyboard.press('Space');
  expect(await page.locator('.requirement.passed > .body').first().isVisible()).toBe(true);
});

test('the curl line is copied whole', async () => {
  const page = await open({ hash: '#technical', permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('.copier').first().click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    await page.locator('pre.copy').first().textContent(),
  );
});

test('2,000 exchanges with long bodies are shown and searched without delay', async () => {
  const body = JSON.stringify({ data: Array.from({ length: 150 }, (_, id) => ({ id, name: `company ${id}` })) });
  writeFileSync(join(folder, 'large.html'), html(sample({ exchanges: 2_000, body: () => body }), { rulings }));
  const page = await open({ file: 'large.html' });
  const shown = await page.evaluate('performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd');
  expect(shown).toBeLessThan(20_000);
  const searched = await page.evaluate(`(() => {
    const before = performance.now();
    document.querySelector('[data-view=everything]').click();
    const search = document.querySelector('[name=search]');
    search.value = 'notes';
    search.dispatchEvent(new Event('input', { bubbles: true }));
    document.body.getBoundingClientRect();
    return performance.now() - before;
  })()`);
  expect(searched).toBeLessThan(10_000);
});
