// What the largest pages take: in a browser to paint, search, print and filter; and `covenant matrix` to write one of a thousand reports.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { MatrixBuilder, matrixPage } from '../../lib/report/matrix/matrix.ts';
import type { Report } from '../../lib/result.ts';
import { seededRandom } from '../../lib/runtime/random.ts';

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

const reports = 1000;
/** So many files are written; each is given more than once, which is no less work. */
const files = 50;

/** One of twenty requirements failed, one of twenty answers another one, each time elsewhere. */
function madeUp(report: Report, seed: number): Report {
  const random = seededRandom(seed);
  const isDrawn = (): boolean => random.int(1, 20) === 1;
  return {
    ...report,
    target: { ...report.target, base_url: `https://vendor-${seed}.example.com` },
    requirements: report.requirements.map((row) =>
      row.verdict === 'passed' && isDrawn() ? { ...row, verdict: 'failed' } : row,
    ),
    observations: report.observations.map((one) =>
      isDrawn() ? { ...one, answer: `answer ${random.int(1, 4)}` } : one,
    ),
  };
}

const measuredMatrix = (program: string): string =>
  `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS))); process.argv.splice(1, 0, 'covenant'); await import(${JSON.stringify(program)});`;

interface MatrixCost {
  readonly ms: number;
  /** Of the process at its largest, in megabytes. */
  readonly memory: number;
  /** Of the page, in megabytes. */
  readonly page: number;
}

/** `program` is the address of the command line. */
export function matrixCost(report: Report, program: string): MatrixCost {
  const folder = mkdtempSync(join(tmpdir(), 'covenant-matrix-'));
  try {
    const names = Array.from({ length: files }, (_, seed) => `${seed}.json`);
    for (const [seed, name] of names.entries()) writeFileSync(join(folder, name), JSON.stringify(madeUp(report, seed)));
    const given = Array.from({ length: reports }, (_, at) => names[at % files] ?? '');
    const started = performance.now();
    const words = ['--input-type=module', '-e', measuredMatrix(program), 'matrix', '--out', 'out', ...given];
    const { stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
    const ms = performance.now() - started;
    return { ms, memory: Number(stderr) / 1024, page: statSync(join(folder, 'out/matrix.html')).size / 1_000_000 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
