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

/** What a target may write, and what the finished page must not contain outside of code. */
const calls: readonly (readonly [string, string, RegExp])[] = [
  ['a person', 'ask @octocat', /@octocat/],
  ['a team', 'ask @acme/payments', /@acme/],
  ['an issue', 'see #1', /#1/],
  ['an issue of another repository', 'see acme/api#12', /#12/],
  ['an issue by its short name', 'see GH-26', /GH-26/],
  ['an address', 'see https://x.invalid/a and http://x.invalid', /<a|href/],
  ['an address without a scheme', 'see www.x.invalid', /<a|href/],
  ['a mail address', 'write to jane@x.invalid', /<a|mailto/],
  ['a link', '[here](https://x.invalid) and [a]: https://x.invalid', /<a|href/],
  ['an image', '![i](https://x.invalid/i.png)', /<img/],
  ['HTML', '</details><img src=x onerror=alert(1)><!-- -->', /<img|<!--|<\/details>(?=&lt;)/],
  ['a cell', 'a | bee | c', /<td>bee/],
  ['a table', '| a |\n|---|\n| bee |', /<td>bee/],
  ['emphasis', '**loud** _low_ ~~gone~~', /<strong>loud|<em>low|<del>/],
  ['a heading', '\n\n# heading', /<h1/],
];

test.each(calls)('a text of the target that names %s stays text', async (_, said, forbidden) => {
  const { report } = sample();
  const requirements = report.requirements.map((row) => ({
    ...row,
    ...(row.reason === undefined ? {} : { reason: said }),
    cases: row.cases.map((one) => ({ ...one, ...(one.failure && { failure: { ...one.failure, message: said } }) })),
  }));
  const observations = report.observations.map((one) => ({ ...one, answer: said }));
  const page = markdown(changed(sample(), { requirements, observations, reason: said }));
  // As the page is finished: entities are characters again when addresses and names are looked for.
  const shown = (await marked(page))
    .replace(/<(pre|code)>.*?<\/\1>/gs, '')
    .replace(/<pre><code.*?<\/code><\/pre>/gs, '');
  const plain = shown.replace(/&#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code)));
  const [word = ''] = /\w{3,}/.exec(said) ?? [];
  expect(plain).toContain(word);
  expect(forbidden.source.includes('<') ? shown : plain).not.toMatch(forbidden);
});
