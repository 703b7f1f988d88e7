// The HTML report is valid HTML whatever the target sent, complete without script, and the same for the same result.
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { rulings } from '../../catalogue/rulings.ts';
import { results } from '../results.test-data.ts';
import { changed, conformant, excerpt, hostile, sample } from '../sample.test-data.ts';
import { mostOfBody } from './exchange.ts';
import { html } from './page.ts';

const validator = new HtmlValidate({ extends: ['html-validate:recommended'] });

for (const [kind, result] of Object.entries(results)) {
  test(`a result ${kind} is valid HTML`, async () => {
    const { results: found } = await validator.validateString(
      html(excerpt(result()), { rulings, baseline: conformant().report }),
    );
    expect(
      found.flatMap((one) => one.messages.map(({ ruleId, message, line }) => `${line}: ${ruleId} ${message}`)),
    ).toEqual([]);
  });
}

test('the validator would refuse a repeated identifier and a table cell outside of a table', async () => {
  const broken = html(excerpt(sample())).replace('</main>', '<p id="main"><td></td></p></main>');
  const { valid } = await validator.validateString(broken);
  expect(valid).toBe(false);
});

test('the same result gives the same bytes', () => {
  expect(html(sample(), { rulings })).toBe(html(sample(), { rulings }));
});

test('nothing that the target sent is markup, and nothing is loaded', () => {
  const page = html(sample(), { rulings });
  expect(page).toContain('&lt;/script&gt;&lt;script&gt;document.title');
  expect(page).not.toContain(hostile.split('\n')[0]);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toMatch(/\s(src|srcset|href|action|data)="(?!#)/);
  expect(page).not.toMatch(/url\(|@import/);
  expect(page).toContain(`content="default-src &#39;none&#39;; style-src`);
});

test('every link leads to an anchor of the page', () => {
  const page = html(sample(), { rulings, baseline: conformant().report });
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(300);
  expect(links.filter((id) => !anchors.has(id))).toEqual([]);
});

test('every requirement has an anchor that is made of its identifier alone', () => {
  const page = html(sample());
  for (const { id } of sample().report.requirements) expect(page).toContain(` id="req-${id}"`);
});

test('only a run that nothing rules out shows a certificate', () => {
  expect(html(conformant())).toContain('>Certificate of conformance<');
  const { report } = conformant();
  const page = html(changed(conformant(), { run: { ...report.run, minute_ms: 2000 } }));
  expect(page).toContain('>No certificate<');
  expect(page).toContain('rate-limit minute was set to 2000 ms, not 60000 ms');
});

test('long bodies are cut, and their full size is told', () => {
  const body = 'x'.repeat(mostOfBody * 3);
  const page = html(sample({ exchanges: 3, body: () => body }));
  expect(page).not.toContain('x'.repeat(mostOfBody + 1));
  expect(page).toContain(`Cut after ${mostOfBody} of ${body.length} characters.`);
});

test('an exchange that several failures point at is shown once and linked from the others', () => {
  const page = html(sample({ exchanges: 2 }));
  expect(page.match(/ id="exchange-1"/g)).toHaveLength(1);
  expect(page.match(/href="#exchange-1"/g)?.length).toBeGreaterThan(5);
});

test('a failure shows what was sent, expected, received, the ruling, the impact, and how to see it again', () => {
  const { report } = sample();
  const row = report.requirements.find(
    (one) => one.verdict === 'failed' && one.rulings !== undefined && one.impact !== undefined,
  );
  const [, rest = ''] = html(sample(), { rulings }).split(`id="req-${row?.id}"`);
  const [card = ''] = rest.split('id="req-');
  for (const heading of ['Sent', 'Expected', 'Received']) expect(card).toContain(`<h6>${heading}</h6>`);
  expect(card).toContain(row?.impact);
  expect(card).toContain(`covenant run --requirement ${row?.id} --seed ${report.run.seed}`);
  expect(card).toContain('How the document is read');
  expect(card).toContain('<mark>');
});

test('what changed since the baseline is named', () => {
  const page = html(sample(), { baseline: conformant().report });
  expect(page).toContain('<h3 id="changes">What changed since 2026-03-01 09:30:00 UTC</h3>');
  expect(page).toContain('<h4>Newly failing</h4>');
  expect(html(sample())).not.toContain('id="changes"');
});
