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
  writeFileSync(join(folder, 'certified.html'), html(excerpt(conformant()), { rulings }));
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

/** Also the folds inside of folds. */
async function openAll(page: Page): Promise<void> {
  for (let depth = 0; depth < 3; depth += 1) {
    await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
    await page.evaluate('new Promise((done) => setTimeout(done, 50))');
  }
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Every fold opened, so that nothing hides from the examination. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: axe });
  await openAll(page);
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
  for (const file of ['excerpt.html', 'certified.html']) {
    test(`axe finds nothing in ${file} with every fold open, ${colorScheme}, ${width} px wide`, async () => {
      const page = await open({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true, file });
      expect(await violations(page)).toEqual([]);
    });
  }
}

test('axe would find a button without a name, and pale text', async () => {
  const page = await open({ bypassCSP: true, file: 'excerpt.html' });
  await page.evaluate(
    'document.querySelector("main").insertAdjacentHTML("beforeend", `<button></button><p style="color: #bbb">pale</p>`)',
  );
  expect((await violations(page)).map((one) => one.split(':')[0])).toEqual(['button-name', 'color-contrast']);
});

test('axe finds nothing on paper', async () => {
  const printed = await open({ file: 'excerpt.html', bypassCSP: true });
  await printed.emulateMedia({ media: 'print' });
  // On paper nothing is pointed at.
  expect((await violations(printed)).filter((one) => !one.startsWith('target-size'))).toEqual([]);
});

test.each([320, 360, 768, 1920])('nothing is wider than a page of %d px', async (width) => {
  const page = await open({ viewport: { width, height: 900 }, file: 'excerpt.html' });
  await openAll(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
});

test.each([360, 1440])(
  'the first screen of %d px has the verdict, its numbers and the first failure',
  async (width) => {
    const page = await open({ viewport: { width, height: 900 } });
    for (const part of ['.band h1', '.numbers', '#failures > details:first-of-type > summary']) {
      const box = await page.locator(part).first().boundingBox();
      expect((box?.y ?? 900) + 20).toBeLessThan(900);
    }
  },
);

test('before something is opened the page is light', async () => {
  const page = await open();
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThanOrEqual(3_000);
});

test('without script the verdict, the failures and the areas are there, and a sentence says where the rest is', async () => {
  const page = await open({ javaScriptEnabled: false });
  for (const id of ['failures', 'areas', 'requirements']) expect(await page.locator(`#${id}`).isVisible()).toBe(true);
  expect(await page.locator('noscript p').isVisible()).toBe(true);
  expect(await page.locator('.filter').isVisible()).toBe(false);
});

test('printed, the verdict or the certificate is a page before everything else, and failures are whole', async () => {
  const page = await open();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  expect(await page.evaluate('getComputedStyle(document.querySelector(".band")).breakAfter')).toBe('page');
  expect(await page.locator('#failures .failure').count()).toBeGreaterThan(5);
  for (const part of ['.rail', '.tools', '.copier']) expect(await page.locator(part).first().isVisible()).toBe(false);
  const certificate = await open({ file: 'certificate.html' });
  await certificate.emulateMedia({ media: 'print' });
  expect(await certificate.evaluate('getComputedStyle(document.getElementById("certificate")).breakAfter')).toBe(
    'page',
  );
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

test('a search shows what fits, says how many, and stands in the address', async () => {
  const page = await open();
  const { requirements } = sample().report;
  await page.locator('[name=search]').fill('NOTES-create  blank');
  const ids = await page.locator('#found a').allTextContents();
  expect(ids).toContain('notes-create-blank');
  expect(await page.locator('.filter [role=status]').textContent()).toBe(
    `${ids.length} of ${requirements.length} requirements`,
  );
  const again = await open({ hash: new URL(page.url()).hash });
  expect(await again.locator('#found a').allTextContents()).toEqual(ids);
});

test('a number of the band leads to what it counts, and a cell of the map to its requirements', async () => {
  const page = await open();
  await page.locator('.numbers a', { hasText: 'failed' }).click();
  expect(await page.locator('#found a').count()).toBe(sample().report.totals.must.failed);
  const cell = page.locator('.map td.failed a').first();
  const count = Number(await cell.textContent());
  await cell.click();
  expect(await page.locator('#found a').count()).toBe(count);
});

test('a link to a requirement opens it, also where it stands in a folded area', async () => {
  const failed = await open({ hash: '#notes-create-blank' });
  expect(await failed.locator('#notes-create-blank > .body').isVisible()).toBe(true);
  const passed = sample().report.requirements.find(({ verdict }) => verdict === 'passed')?.id;
  const page = await open({ hash: `#${passed}` });
  expect(await page.locator(`[id="${passed}"] > .body`).isVisible()).toBe(true);
});

test('by keyboard: j and k walk the failures, / searches, ? names the keys', async () => {
  const page = await open();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the report');
  const focused = 'document.activeElement.closest("details").id';
  await page.keyboard.press('j');
  const first = await page.evaluate(focused);
  await page.keyboard.press('j');
  const second = await page.evaluate(focused);
  expect(second).not.toBe(first);
  expect(await page.locator(`[id="${second}"] .failure`).first().isVisible()).toBe(true);
  expect(new URL(page.url()).hash).toBe(`#${second}`);
  await page.keyboard.press('k');
  expect(await page.evaluate(focused)).toBe(first);
  await page.keyboard.press('?');
  expect(await page.locator('#keys').isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  expect(await page.evaluate('document.activeElement.name')).toBe('search');
});

test('from the keyboard alone the curl of the last failure is reached and copied', async () => {
  const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.keyboard.press('k');
  const last = page.locator('#failures > details, #warnings > details').last();
  const copier = last.locator('.copier').first();
  for (
    let step = 0;
    step < 60 && !(await copier.evaluate((one) => one === one.ownerDocument.activeElement));
    step += 1
  ) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    await last.locator('pre.copy').first().textContent(),
  );
});

test('a failure is copied as an issue', async () => {
  const failed = sample().report.requirements.find(({ verdict }) => verdict === 'failed')?.id ?? '';
  const page = await open({ hash: `#${failed}`, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy as issue' }).first().click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`\`${failed}\``);
});

test('2,000 exchanges with long bodies are shown and searched without delay', async () => {
  const body = JSON.stringify({ data: Array.from({ length: 150 }, (_, id) => ({ id, name: `company ${id}` })) });
  writeFileSync(join(folder, 'large.html'), html(sample({ exchanges: 2_000, body: () => body }), { rulings }));
  const page = await open({ file: 'large.html' });
  const shown = await page.evaluate('performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd');
  expect(shown).toBeLessThan(5_000);
  const searched = await page.evaluate(`(() => {
    const before = performance.now();
    const search = document.querySelector('[name=search]');
    search.value = 'notes';
    search.dispatchEvent(new Event('input', { bubbles: true }));
    document.body.getBoundingClientRect();
    return performance.now() - before;
  })()`);
  expect(searched).toBeLessThan(1_000);
});
