// How heavy the pages are in a real browser: elements, bytes and print of a large report, and the filter of a large matrix; `npm run bench` measures their times.
import { expect, test } from 'vitest';
import { rulings } from '../../catalogue/rulings.ts';
import { MatrixBuilder, matrixPage } from '../matrix/matrix.ts';
import { conformant, sample } from '../sample.test-data.ts';
import { pagesInBrowser } from './browser.test-data.ts';
import { htmlPage } from './page.ts';

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

const open = pagesInBrowser(() => ({
  'large.html': large(),
  'report.html': htmlPage(sample(), { rulings, baseline: conformant().report }),
  'certificate.html': htmlPage(conformant(), { rulings }),
  'matrix.html': matrix(),
}));

test.each(['report.html', 'certificate.html'])(
  'before something is opened %s has at most 3,000 elements',
  async (file) => {
    const page = await open({ file });
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThanOrEqual(3_000);
  },
);

test('2,000 exchanges are a page of at most 600 kB, which prints', async () => {
  expect(Buffer.byteLength(large())).toBeLessThanOrEqual(600_000);
  const page = await open();
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(50_000);
});

test('a matrix of 1,000 reports shows those that a search leaves', async () => {
  const page = await open({ file: 'matrix.html' });
  await page.locator('[name=search]').fill('vendor-99');
  await expect.poll(() => page.locator('#areas tbody tr').count()).toBe(11);
});
