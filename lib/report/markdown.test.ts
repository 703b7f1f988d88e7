// The job summary stays Markdown whatever the target sent, says the verdict first, and fits.
import { HtmlValidate } from 'html-validate';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { markdown, mostBytes } from './markdown.ts';
import { results } from './results.test-data.ts';
import { changed, conformant, incomplete, sample } from './sample.test-data.ts';

const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
const elements = /^(h[1-6]|p|table|thead|tbody|tr|th|td|code|pre|details|summary|ul|li|strong|em)$/;

for (const [kind, result] of Object.entries(results)) {
  test(`a result ${kind} renders to the elements that we meant, and no others`, async () => {
    const page = await marked(markdown(result(), { baseline: conformant().report }));
    const names = [...page.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name = '']) => name);
    expect([...new Set(names)].filter((name) => !elements.test(name))).toEqual([]);
    const attributes = [...page.matchAll(/<[a-z][a-z0-9]*\s+([^=>\s]+)/gi)].map(([, name]) => name);
    expect(attributes.filter((name) => name !== 'class')).toEqual([]);
    const { results: found } = await validator.validateString(
      `<!DOCTYPE html><html lang="en"><head><title>x</title></head><body>${page}</body></html>`,
    );
    const wrong = found.flatMap((one) => one.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`));
    expect(wrong.filter((one) => /^(close|parser|element-permitted|void)/.test(one))).toEqual([]);
  });
}

test('the verdict comes first', () => {
  expect(markdown(sample())).toMatch(/^## ❌ Covenant: non-conformant\n\n\d+ of \d+ selected MUST/);
  expect(markdown(conformant())).toMatch(/^## ✅ Covenant: conformant\n\n(\d+) of \1 selected MUST/);
  expect(markdown(incomplete())).toMatch(/^## ⚠️ Covenant: incomplete\n/);
});

test('a strict run says whether a recommendation failed', () => {
  const { run } = conformant().report;
  const options = { ...run.options, strict: true } as const;
  const page = markdown(changed(conformant(), { run: { ...run, options } }));
  expect(page).toMatch(/With --strict a failed recommendation fails the gate[,:]/);
  expect(markdown(conformant())).not.toContain('--strict');
});

test('every failed requirement is named, with what was expected and received', async () => {
  const page = markdown(sample());
  for (const { id, level, verdict } of sample().report.requirements) {
    if (verdict === 'failed') expect(page, level).toContain(`#### <code>${id}</code>`);
  }
  expect(page).toContain('Expected\n\n```text\n422\n```');
});

test('a result too large for CI services is cut, and says so', () => {
  const { report } = sample();
  const message = 'm'.repeat(2_000);
  const failing = report.requirements.find((row) => row.verdict === 'failed');
  const many = Array.from({ length: 600 }, (_, at) => ({ ...failing, id: `made-up-${at}`, statement: message }));
  const large = markdown(changed(sample(), { requirements: JSON.parse(JSON.stringify(many)) }));
  expect(Buffer.byteLength(large)).toBeLessThanOrEqual(mostBytes);
  expect(large).toContain('_Cut here: CI services show no more.');
  expect(markdown(sample())).not.toContain('_Cut here');
});
