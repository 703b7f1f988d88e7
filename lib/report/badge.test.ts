// The badge is well-formed SVG with a name for those who do not see it, and never promises more than the run showed.
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { badge } from './badge.ts';
import { results } from './results.test-data.ts';
import { changed, conformant } from './sample.test-data.ts';
import { verdictWord } from './wording.ts';

for (const [kind, result] of Object.entries(results)) {
  test(`a result ${kind} gives well-formed SVG that says its verdict`, async () => {
    const svg = badge(result());
    const { valid, errors } = await validateXML({
      xml: [{ fileName: 'badge.svg', contents: svg }],
      normalization: 'c14n',
    });
    expect(errors).toEqual([]);
    expect(valid).toBe(true);
    expect(svg).toContain(`<title id="title">External REST v2: ${verdictWord(result().report)}.`);
  });
}

test('a conformant selection is not shown as a certificate', () => {
  const { report } = conformant();
  const options = { ...report.run.options, area: ['notes'] };
  const svg = badge(changed(conformant(), { run: { ...report.run, options } }));
  expect(svg).toContain('>conformant (selection)</text>');
  expect(badge(conformant())).toContain('>conformant</text>');
  const quick = changed(conformant(), { run: { ...report.run, options: { ...report.run.options, effort: 'quick' } } });
  expect(badge(quick)).toContain('>conformant (quick)</text>');
  const short = changed(conformant(), { run: { ...report.run, minute_ms: 1000 } });
  expect(badge(short)).toContain('>conformant (short minute)</text>');
});
