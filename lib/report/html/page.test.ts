// The HTML report is valid HTML whatever the target sent, complete without script, and the same for the same result.
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { rulings } from '../../catalogue/index.ts';
import { changed, conformant, excerpt, hostile, sample } from '../sample.test-data.ts';
import { results } from '../terminal/example.test-data.ts';
import { failedAt } from '../wording.ts';
import { htmlPage, mostBytes } from './page.ts';
import { budgetTable } from './sections.ts';

const validator = new HtmlValidate({ extends: ['html-validate:recommended'] });

for (const [kind, result] of Object.entries(results)) {
  test(`a result ${kind} is valid HTML`, async () => {
    const { results: found } = await validator.validateString(
      htmlPage(excerpt(result()), { rulings, baseline: conformant().report }),
    );
    expect(
      found.flatMap((one) => one.messages.map(({ ruleId, message, line }) => `${line}: ${ruleId} ${message}`)),
    ).toEqual([]);
  });
}

test('the validator would refuse a repeated identifier and a table cell outside of a table', async () => {
  const broken = htmlPage(excerpt(sample())).replace('</main>', '<p id="main"><td></td></p></main>');
  const { valid } = await validator.validateString(broken);
  expect(valid).toBe(false);
});

test('the same result gives the same bytes', () => {
  expect(htmlPage(sample(), { rulings })).toBe(htmlPage(sample(), { rulings }));
});

/** A fold of the page, up to the next one. */
const bodyOf = (page: string, id: string): string =>
  new RegExp(
    `<details class="(?:requirement|index)[^"]*" id="${id}">.*?(?=<details class="(?:requirement|index)|<section id=|</main>)`,
    's',
  ).exec(page)?.[0] ?? '';

test('nothing that the target sent is markup, and nothing is loaded', () => {
  const page = htmlPage(sample(), { rulings });
  expect(page).toContain('&lt;/script&gt;&lt;script&gt;document.title');
  expect(page).not.toContain(hostile.split('\n')[0]);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page.match(/<\/script/g)).toHaveLength(1);
  expect(page).not.toMatch(/\s(src|srcset|href|action|data)="(?!#)/);
  expect(page).not.toMatch(/url\(|@import/);
  expect(page).toContain(`content="default-src &#39;none&#39;; style-src`);
});

test.each(Object.entries(results))('a result %s stays within its size', (_, result) => {
  expect(Buffer.byteLength(htmlPage(result(), { rulings, baseline: conformant().report }))).toBeLessThanOrEqual(
    mostBytes,
  );
});

test('every link leads to an anchor of the page', () => {
  const page = htmlPage(sample(), { rulings, baseline: conformant().report });
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((id) => !anchors.has(id))).toEqual([]);
});

test('every requirement has one fold, with its inside', () => {
  const page = htmlPage(sample());
  for (const { id } of sample().report.requirements) {
    expect(page.split(` id="${id}"`)).toHaveLength(2);
    expect(bodyOf(page, id)).toContain('<dt>Section</dt>');
  }
});

test('the numbers of the band are the totals', () => {
  const { must } = sample().report.totals;
  const page = htmlPage(sample());
  expect(page).toContain(`<b>${must.passed}</b> held`);
  expect(page).toContain(`<b>${must.failed}</b> failed`);
  expect(page).toContain(`<b>${must.not_tested + must.inconclusive}</b> open`);
});

test('the page says what rules out a certificate, or that nothing does', () => {
  const { report } = conformant();
  const page = htmlPage(changed(conformant(), { run: { ...report.run, minute_ms: 2000 } }));
  expect(bodyOf(page, 'run')).toContain('rate-limit minute was set to 2000 ms, not 60000 ms');
  expect(bodyOf(htmlPage(conformant()), 'run')).toContain('Nothing rules a certificate out');
});

test('long bodies are cut, and their full size is shown', () => {
  const body = 'x'.repeat(12_000);
  const page = htmlPage(sample({ exchanges: 3, body: () => body }));
  expect(page).not.toContain('x'.repeat(4_001));
  expect(page).toMatch(/Cut after \d+ of 12000 characters\./);
});

test('the first failure has its curl line whole, also in a page that is too large; what is cut is not offered to be copied', () => {
  const line = (end: string) => `curl -d '${'y'.repeat(60_000)}' ${end}`;
  const { report, transcript } = sample();
  let number = 0;
  const requirements = report.requirements.map((row) => ({
    ...row,
    cases: row.cases.map((one) =>
      one.failure === undefined
        ? one
        : { ...one, failure: { ...one.failure, curl: [line(`http://example.com/${number++}`)] } },
    ),
  }));
  const page = htmlPage({ report: { ...report, requirements }, transcript });
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(mostBytes);
  const [first = '', second = ''] = failedAt(report, 'must').map(({ id }) => id);
  expect(bodyOf(page, first)).toMatch(/<pre class="copy"[^>]*><code>curl -d [^<]*y{60000}[^<]*\/\d+<\/code>/);
  expect(bodyOf(page, second)).toContain('Whole in report.json.');
  expect(bodyOf(page, second)).not.toMatch(/<pre class="copy"[^>]*><code>curl/);
});

test('cases that fail alike are one card that names their operations', () => {
  const { report, transcript } = sample();
  const row = report.requirements.find(({ verdict }) => verdict === 'failed');
  const [first] = row?.cases ?? [];
  const operations = ['GET /me', 'GET /companies', 'GET /contacts'];
  const alike = { ...row, cases: operations.map((operation) => ({ ...first, operation })) };
  const requirements = report.requirements.map((one) => (one.id === row?.id ? { ...one, ...alike } : one));
  const body = bodyOf(htmlPage({ report: { ...report, requirements } as typeof report, transcript }), row?.id ?? '');
  expect(body.match(/<article/g)).toHaveLength(1);
  for (const operation of operations) expect(body).toContain(`<code>${operation}</code>`);
  expect(body).toContain('3 times');
});

test('a failure shows what was sent, expected, received, the ruling, the impact, and how to see it again', () => {
  const { report } = sample();
  const row = report.requirements.find(
    (one) => one.verdict === 'failed' && one.rulings !== undefined && one.impact !== undefined,
  );
  const page = htmlPage(sample(), { rulings });
  const body = bodyOf(page, row?.id ?? '');
  for (const heading of ['Sent', 'Expected', 'Received']) expect(body).toContain(`<h4>${heading}</h4>`);
  expect(body).toContain(row?.impact);
  expect(body).toContain(`--requirement ${row?.id} --seed ${report.run.seed}`);
  const [ruling = ''] = row?.rulings ?? [];
  expect(body).toContain(`<a href="#ruling-${ruling}">`);
  expect(bodyOf(page, 'readings')).toContain('Why: ');
  expect(body).toContain('<mark>');
});

test('a row under the failures does not say that it failed', () => {
  const [, failures = ''] = /<section id="failures".*?>(.*?)<\/section>/s.exec(htmlPage(sample())) ?? [];
  expect(failures).toContain('MUST');
  expect(failures).not.toContain('>Failed<');
});

test('what changed since the baseline is named', () => {
  const page = htmlPage(sample(), { baseline: conformant().report });
  expect(page).toContain('What changed since 2026-03-01 09:30:00 UTC</h2>');
  expect(page).toContain('>Worse than before: ');
  expect(page).toContain('<summary>Newly failing: ');
  expect(htmlPage(sample())).not.toContain('id="changes"');
});

test('every limit stands in the table', () => {
  expect(String(budgetTable(sample().report))).toContain(`<td class="number">200</td>`);
});

test('where there was a plan, it stands beside what was sent', () => {
  const plan = {
    requests: [{ account: 'COVENANT_API_KEY', class: 'read' as const, requests: 777 }],
    residue: [],
    duration_ms: 0,
  };
  expect(String(budgetTable(changed(sample(), { plan }).report))).toContain('777');
  expect(String(budgetTable(sample().report))).not.toContain('Planned');
});
