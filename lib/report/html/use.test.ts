// The HTML report in the hands of its reader: searching, following links, copying, the keyboard alone.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { rulings } from '../../catalogue/rulings.ts';
import type { RequirementResult } from '../../result.ts';
import { MatrixBuilder, matrixPage } from '../matrix/matrix.ts';
import { conformant, excerpt, sample } from '../sample.test-data.ts';
import { pagesInBrowser } from './browser.test-data.ts';
import { htmlPage } from './page.ts';

/** Of three servers, of which the second answers one question otherwise and the third was asked nothing of it. */
function matrix(): string {
  const { report } = conformant();
  const [first, ...others] = report.observations;
  if (first === undefined) throw new Error('the sample observes nothing');
  const builder = new MatrixBuilder();
  const part = { ...report, requirements: report.requirements.slice(0, 10), observations: others };
  builder.add(report, 'a-host-with-a-long-name.staging.example.com:8443');
  builder.add({ ...report, observations: [{ ...first, answer: 'quite another one' }, ...others] }, 'other.example.com');
  builder.add(report, 'third.example.com');
  builder.add(part, 'part.example.com');
  return matrixPage(builder.build());
}

const open = pagesInBrowser(() => {
  const baseline = conformant().report;
  return {
    'report.html': htmlPage(sample(), { rulings, baseline }),
    'excerpt.html': htmlPage(excerpt(sample()), { rulings, baseline }),
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

test('a number of the band leads to what it counts', async () => {
  const page = await open();
  await page.locator('.numbers a', { hasText: 'failed' }).click();
  await soon(() => page.locator('#found a').count()).toBe(sample().report.totals.must.failed);
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

test('a failure is copied as an issue', async () => {
  const failed = sample().report.requirements.find(({ verdict }) => verdict === 'failed')?.id ?? '';
  const page = await open({ hash: `#${failed}`, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy as issue' }).first().click();
  await soon(() => page.evaluate('navigator.clipboard.readText()')).toContain(`\`${failed}\``);
});

test('a failure is copied as a script, and its request_ids', async () => {
  const ids = (one: RequirementResult) => one.cases.flatMap(({ failure }) => failure?.exchanges ?? []);
  const failed = excerpt(sample()).report.requirements.find((one) => ids(one).length > 0)?.id ?? '';
  const page = await open({
    hash: `#${failed}`,
    permissions: ['clipboard-read', 'clipboard-write'],
    file: 'excerpt.html',
  });
  const own = page.locator(`[id="${failed}"]`);
  await own.getByRole('button', { name: 'Copy as script' }).click();
  await soon(() => page.evaluate('navigator.clipboard.readText()')).toContain('#!/bin/sh');
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toContain('work=$(mktemp -d)');
});

test('in the matrix equal answers stand together, questions have room, and nothing is undefined', async () => {
  const page = await open({ file: 'matrix.html' });
  const rows = await page.locator('#choices tbody tr').allInnerTexts();
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/a-host-with-a-long-name\.staging\.example\.com:8443\s+third\.example\.com/);
  expect(rows[1]).toContain('quite another one');
  expect(rows[2]).toMatch(/not answered\s+part\.example\.com/);
  const width = await page.locator('#choices .question').first().boundingBox();
  expect(width?.width).toBeGreaterThanOrEqual(320);
  expect(await page.locator('body').innerText()).not.toContain('undefined');
  const lines = await page.evaluate(
    '[...document.querySelectorAll(".host")].map((one) => { const range = document.createRange(); range.selectNodeContents(one); return range.getClientRects().length; })',
  );
  expect(new Set(lines as number[])).toEqual(new Set([1]));
  expect(await page.locator('#areas tbody tr').last().locator('td.p').count()).toBe(1);
});
