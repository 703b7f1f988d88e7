// Takes the picture of docs/running.md: the top of the sample report, in a real browser.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const folder = resolve('reports/sample');
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
const page = await browser.newPage({ viewport: { width: 1180, height: 860 } });
await page.goto(pathToFileURL(join(folder, 'report.html')).href);
await page.screenshot({ path: join(folder, 'report.png') });
await browser.close();
process.stdout.write(`Written: ${join(folder, 'report.png')}\n`);
