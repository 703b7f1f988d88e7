// The pages in a real browser: accessible, readable at every width, printed, without script, unmoved by hostile texts, and light; `npm run bench` measures their times.
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { rulings } from '../../catalogue/rulings.ts';
import { MatrixBuilder, matrixPage } from '../matrix/matrix.ts';
import { conformant, excerpt, incomplete, sample } from '../sample.test-data.ts';
import { pagesInBrowser } from './browser.test-data.ts';
import { htmlPage } from './page.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** A long list as the body of each of 2,000 exchanges. */
function large(): string {
  const body = JSON.stringify({ data: Array.from({ length: 150 }, (_, id) => ({ id, name: `company ${id}` })) });
  return htmlPage(sample({ exchanges: 2_000, body: () => body }), { rulings });
}

function matrix(): string {
  const builder = new MatrixBuilder();
  for (let at = 0; at < 1000; at += 1) builder.add(sample().report, `vendor-${at}.example.com`);
  return matrixPage(builder.build());
}

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
  for (const file of ['excerpt.html', 'green.html', 'incomplete.html']) {
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

test('without script the verdict, the failures and the areas are there, and a sentence says where the rest is', async () => {
  const page = await open({ javaScriptEnabled: false });
  for (const id of ['failures', 'areas', 'requirements']) expect(await page.locator(`#${id}`).isVisible()).toBe(true);
  expect(await page.locator('noscript p').isVisible()).toBe(true);
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
  for (const part of ['.rail', '.tools', '.copier']) expect(await page.locator(part).first().isVisible()).toBe(false);
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

test.each(['report.html', 'conformant.html'])(
  'before something is opened %s has at most 3,000 elements',
  async (file) => {
    const page = await open({ file });
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThanOrEqual(3_000);
  },
);

test('2,000 exchanges are a page of at most 600 kB, which prints', async () => {
  expect(Buffer.byteLength(large())).toBeLessThanOrEqual(600_000);
  const page = await open({ file: 'large.html' });
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(50_000);
});

test('a matrix of 1,000 reports shows those that a search leaves', async () => {
  const page = await open({ file: 'matrix.html' });
  await page.locator('[name=search]').fill('vendor-99');
  await expect.poll(() => page.locator('#areas tbody tr').count()).toBe(11);
});
