// How long a browser takes for the largest pages: first paint, search and print of a report, and the filter of a matrix.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { MatrixBuilder } from '../lib/report/matrix/model.ts';
import { matrixPage } from '../lib/report/matrix/page.ts';
import type { Report } from '../lib/result.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

const rounds = 5;

/** The least of several: a machine may be busy with something else at one of them. */
async function least(measure: () => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round += 1) found.push(await measure());
  return Math.min(...found);
}

const painted = `new Promise((done) => new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (one.name === 'first-contentful-paint') done(one.startTime);
}).observe({ type: 'paint', buffered: true }))`;

/** Milliseconds until the page is laid out after an input. */
const typed = (text: string): string => `(() => {
  const before = performance.now();
  const search = document.querySelector('[name=search]');
  search.value = ${JSON.stringify(text)};
  search.dispatchEvent(new Event('input', { bubbles: true }));
  document.body.getBoundingClientRect();
  return performance.now() - before;
})()`;

async function printing(page: Page): Promise<number> {
  const before = performance.now();
  await page.pdf({ format: 'A4' });
  return performance.now() - before;
}

function largeMatrix(report: Report): string {
  const builder = new MatrixBuilder();
  for (let at = 0; at < 1_000; at += 1) builder.add(report, `vendor-${at}.example.com`);
  return matrixPage(builder.build());
}

/** Milliseconds each; the last is of a matrix of a thousand reports. */
export interface PagesCost {
  readonly painted: number;
  readonly searched: number;
  readonly printed: number;
  readonly filtered: number;
}

async function measured(browser: Browser, report: string, matrix: string): Promise<PagesCost> {
  const opened = async (url: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(url);
    return page;
  };
  const first = await least(async () => {
    const page = await opened(report);
    const at: number = await page.evaluate(painted);
    await page.context().close();
    return at;
  });
  const page = await opened(report);
  const searched = await least(() => page.evaluate(typed('notes')));
  const printed = await printing(page);
  const other = await opened(matrix);
  return { painted: first, searched, printed, filtered: await least(() => other.evaluate(typed('vendor-99'))) };
}

/** `page` is the HTML of the report. Undefined where there is no Chromium. */
export async function pagesCost(page: string, of: Report): Promise<PagesCost | undefined> {
  if (!existsSync(executablePath)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'covenant-pages-'));
  const [report, matrix] = [join(folder, 'report.html'), join(folder, 'matrix.html')];
  writeFileSync(report, page);
  writeFileSync(matrix, largeMatrix(of));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    return await measured(browser, pathToFileURL(report).href, pathToFileURL(matrix).href);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}
