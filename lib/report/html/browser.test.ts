// The pages in a real browser, used and looked at: accessible, readable at every width, printed, without script, unmoved by hostile texts, and light.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rulings } from '../../catalogue/index.ts';
import { MatrixBuilder, matrixPage } from '../matrix/matrix.ts';
import { conformant, excerpt, incomplete, sample } from '../sample.test-data.ts';
import { htmlPage } from './page.ts';

const named = process.env.CHROMIUM_PATH;
const executablePath = named ?? '/usr/bin/chromium';
const missing = named === undefined && process.env.CI === undefined && !existsSync(executablePath);

const quiet = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A busy machine takes its time to start a browser. */
const startMs = 60_000;

interface Opening extends BrowserContextOptions {
  readonly file?: string;
  readonly hash?: string;
}

/** The pages by the names of their files, and what opens one of them; the report unless another is named. */
function pagesInBrowser(pages: () => Readonly<Record<string, string>>): (options?: Opening) => Promise<Page> {
  const folder = mkdtempSync(join(tmpdir(), 'covenant-html-'));
  let browser: Browser | undefined;

  // In CI, and where a browser was named, it must be there; elsewhere the skip says what was not run, and how to run it.
  beforeEach(({ skip }) => {
    if (missing)
      skip(
        `no Chromium at ${executablePath}: install it (Debian: apt-get install chromium) or name one in CHROMIUM_PATH`,
      );
  });

  beforeAll(async () => {
    if (missing) return;
    for (const [name, text] of Object.entries(pages())) writeFileSync(join(folder, name), text);
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });
  }, startMs);

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  return async ({ file = 'report.html', hash = '', ...context } = {}) => {
    if (browser === undefined) throw new Error('no browser was started');
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context })).newPage();
    await page.goto(`${pathToFileURL(join(folder, file)).href}${hash}`);
    return page;
  };
}

function matrix(): string {
  const builder = new MatrixBuilder();
  builder.add(conformant().report, 'a-host-with-a-long-name.staging.example.com:8443');
  builder.add(sample().report, 'other.example.com');
  return matrixPage(builder.build());
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const body = JSON.stringify({ data: Array.from({ length: 150 }, (_, id) => ({ id, name: `company ${id}` })) });
const large = (): string => htmlPage(sample({ exchanges: 2_000, body: () => body }), { rulings });

const open = pagesInBrowser(() => {
  const baseline = conformant().report;
  return {
    'report.html': htmlPage(sample(), { rulings, baseline }),
    'excerpt.html': htmlPage(excerpt(sample()), { rulings, baseline }),
    'conformant.html': htmlPage(conformant(), { rulings }),
    'green.html': htmlPage(excerpt(conformant()), { rulings }),
    'incomplete.html': htmlPage(excerpt(incomplete()), { rulings }),
    'large.html': large(),
    'matrix.html': matrix(),
  };
});

const hashOf = (page: Page): string => new URL(page.url()).hash;

/** The page follows an address some time after the click that changed it. */
const soon = <Value>(read: () => Promise<Value> | Value) => expect.poll(read, { timeout: 20_000 });

test('a search shows what fits, says how many, and stands in the address', async () => {
  const page = await open();
  const { requirements } = sample().report;
  await page.locator('[name=search]').fill('NOTES-create  blank');
  const ids = await page.locator('#found a').allTextContents();
  expect(ids).toContain('notes-create-blank');
  await soon(() => page.locator('.filter [role=status]').textContent()).toBe(
    `${ids.length} of ${requirements.length} requirements`,
  );
  await soon(() => hashOf(page)).not.toBe('');
  const again = await open({ hash: hashOf(page) });
  await soon(() => again.locator('#found a').allTextContents()).toEqual(ids);
});

test('a link to a requirement opens it, also where it stands in a folded area', async () => {
  const failed = await open({ hash: '#notes-create-blank' });
  await soon(() => failed.locator('#notes-create-blank > .body').isVisible()).toBe(true);
  const passed = sample().report.requirements.find(({ verdict }) => verdict === 'passed')?.id;
  const page = await open({ hash: `#${passed}` });
  await soon(() => page.locator(`[id="${passed}"] > .body`).isVisible()).toBe(true);
});

test('from the keyboard alone the curl of a failure is reached and copied', async () => {
  const failed = sample().report.requirements.find(({ verdict }) => verdict === 'failed')?.id ?? '';
  const page = await open({ hash: `#${failed}`, permissions: ['clipboard-read', 'clipboard-write'] });
  const own = page.locator(`[id="${failed}"]`);
  const copier = own.locator('.copier').first();
  const isReached = () => copier.evaluate((one) => one === one.ownerDocument.activeElement);
  for (let step = 0; step < 60 && !(await isReached()); step += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await soon(() => page.evaluate('navigator.clipboard.readText()')).toBe(
    await own.locator('pre.copy').first().textContent(),
  );
});

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
  { colorScheme: 'dark', width: 360 },
] as const;

for (const { colorScheme, width } of looks) {
  for (const file of ['excerpt.html', 'green.html', 'incomplete.html', 'matrix.html']) {
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

test('without script all is there but the search', async () => {
  const page = await open({ javaScriptEnabled: false });
  for (const id of ['failures', 'requirements']) expect(await page.locator(`#${id}`).isVisible()).toBe(true);
  await page.locator('#failures > details > summary').first().click();
  expect(await page.locator('#failures .failure').first().isVisible()).toBe(true);
  expect(await page.locator('.filter').isVisible()).toBe(false);
});

test('printed, the verdict and the failures begin on the first sheet, and failures are whole', async () => {
  const page = await open();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  expect(await page.evaluate('getComputedStyle(document.querySelector(".band")).breakAfter')).toBe('auto');
  const first = await page.locator('#failures > details').first().boundingBox();
  expect(first?.y).toBeLessThan(500);
  expect(await page.locator('#failures .failure').count()).toBeGreaterThan(5);
  for (const part of ['.rail', '.copier']) expect(await page.locator(part).first().isVisible()).toBe(false);
});

test('hostile texts run nothing and fetch nothing', async () => {
  const page = await open({ file: 'conformant.html' });
  const asked: string[] = [];
  const said: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(page.url().replace('conformant.html', 'report.html'));
  expect(asked.map((url) => url.replace(/.*\//, ''))).toEqual(['report.html']);
  expect(await page.title()).toBe('non-conformant: staging.example.com');
  expect(said).toEqual([]);
});

test('2,000 exchanges are a page of at most 600 kB, which prints', async () => {
  expect(Buffer.byteLength(large())).toBeLessThanOrEqual(600_000);
  const page = await open({ file: 'large.html' });
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(50_000);
});
