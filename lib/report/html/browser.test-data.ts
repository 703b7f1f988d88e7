// A real browser for the tests of pages, and the pages that they open.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';

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

/** For the tests of one file: the pages by the names of their files, and what opens one of them; the first unless it is named. */
export function pagesInBrowser(pages: () => Readonly<Record<string, string>>): (options?: Opening) => Promise<Page> {
  const folder = mkdtempSync(join(tmpdir(), 'covenant-html-'));
  let browser: Browser | undefined;
  let first = '';

  // In CI, and where a browser was named, it must be there; elsewhere the skip says what was not run, and how to run it.
  beforeEach(({ skip }) => {
    if (missing)
      skip(
        `no Chromium at ${executablePath}: install it (Debian: apt-get install chromium) or name one in CHROMIUM_PATH`,
      );
  });

  beforeAll(async () => {
    if (missing) return;
    for (const [name, text] of Object.entries(pages())) {
      first ||= name;
      writeFileSync(join(folder, name), text);
    }
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });
  }, startMs);

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  return async ({ file = first, hash = '', ...context } = {}) => {
    if (browser === undefined) throw new Error('no browser was started');
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context })).newPage();
    await page.goto(`${pathToFileURL(join(folder, file)).href}${hash}`);
    return page;
  };
}
