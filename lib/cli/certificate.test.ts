// The certificate: issued where nothing rules it out, refused with what does.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { own, recordedRun } from '../../lab/recorded-run.ts';
import { suites } from '../../suites/index.ts';
import type { Settings } from '../configuration/settings.ts';
import { violations } from '../schema/schema.ts';
import { trial } from './trial.test-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'covenant-'));
const inFolder = (name: string) => join(folder, name);
const product = {
  implementation: 'Granite <API>',
  version: '4.2',
  vendor: 'Granite & Co.',
  contact: 'api@granite.test',
};
const covenant = (words: string) => trial(words.split(' '), { folder, judge: () => ({ suites, own }) });
const written = (name: string) => readFileSync(inFolder(name), 'utf8');

async function record(name: string, settings: Partial<Settings>): Promise<void> {
  const { file, reportFile } = await recordedRun({ settings });
  writeFileSync(inFolder(`${name}.jsonl.gz`), file);
  writeFileSync(inFolder(`${name}.json`), reportFile);
}

beforeAll(async () => {
  await record('whole', {});
  await record('part', { areas: ['billing'], effort: 'quick', exhaustion: false });
  writeFileSync(inFolder('covenant.product.json'), JSON.stringify(product));
  await covenant('keygen --out key.pem');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('covenant certificate', () => {
  test('is not issued while nobody has signed', async () => {
    const { code, stderr } = await covenant('certificate whole.jsonl.gz --report whole.json');
    expect([code, stderr]).toEqual([1, expect.stringContaining('nobody signed the evidence')]);
  });

  test('is a page and data, which name everything that a third party needs', async () => {
    await covenant('sign whole.jsonl.gz --report whole.json --key key.pem');
    const done = await covenant('certificate whole.jsonl.gz --report whole.json --key key.pub.pem --out out');
    expect([done.code, done.stderr]).toEqual([
      0,
      expect.stringMatching(/^Recomputing [^\n]*\n +live controls: 0 of \d+ MUSTs seen to fail, 0 ms\n$/),
    ]);
    const issued = JSON.parse(written('out/certificate.json'));
    expect(violations('certificate', issued)).toEqual([]);
    expect(issued).toMatchObject({
      format: 'covenant-certificate/2',
      product,
      interface: { revision: '2026-03' },
      result: { verdict: 'conformant', totals: { must: { failed: 0, not_tested: 0, inconclusive: 0 } } },
      signer: expect.stringMatching(/^[0-9a-f]{64}$/),
      verify: expect.stringContaining('verify whole.jsonl.gz --key '),
    });
    const page = written('out/certificate.html');
    for (const text of [
      'Granite &lt;API&gt; 4.2',
      'Granite &amp; Co.',
      issued.signer,
      issued.evidence.sha256,
      issued.verify,
    ])
      expect(page).toContain(text);
    const { valid, results } = await new HtmlValidate({ extends: ['html-validate:standard'] }).validateString(page);
    expect([valid, results.flatMap(({ messages }) => messages.map(({ message }) => message))]).toEqual([true, []]);
  });

  test('names the profile and what is out of its scope, and is refused where the product declares another', async () => {
    await record('keys', { profile: 'server-to-server' });
    await covenant('sign keys.jsonl.gz --report keys.json --key key.pem');
    const verified = await covenant('verify keys.jsonl.gz --key key.pub.pem');
    expect(verified.out).toContain('the run was conformant in the server-to-server profile.');
    const issue = 'certificate keys.jsonl.gz --report keys.json --key key.pub.pem --out keys';
    const done = await covenant(issue);
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('live controls: ')]);
    const issued = JSON.parse(written('keys/certificate.json'));
    expect(violations('certificate', issued)).toEqual([]);
    expect(issued).toMatchObject({ product, interface: { profile: 'server-to-server' } });
    expect(issued.result.out_of_scope).toContain('authentication-jwt-accepted');
    expect(written('keys/certificate.html')).toContain('conforms to the interface in its server-to-server profile,');
    writeFileSync(inFolder('full.json'), JSON.stringify({ ...product, profile: 'full' }));
    const refused = await covenant(`${issue} --product full.json`);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('the product declares the full profile'),
    ]);
  });

  test('says what rules it out', async () => {
    const { code, stderr } = await covenant('certificate part.jsonl.gz --report part.json');
    expect(code).toBe(1);
    expect(stderr).toContain('only the area billing was selected');
    expect(stderr).toContain('--effort quick');
  });

  test('is not issued where the report does not follow', async () => {
    const { code, stderr } = await covenant('certificate part.jsonl.gz --report whole.json');
    expect([code, stderr]).toEqual([3, expect.stringContaining('the evidence does not follow')]);
  });

  test.each([
    ['a missing file', undefined, 'names its product; write none.json like {'],
    ['no JSON', 'x', 'is not JSON'],
    ['a vendor left out', JSON.stringify({ ...product, vendor: ' ' }), 'vendor should be'],
  ])('asks for %s in one sentence', async (_, text, message) => {
    rmSync(inFolder('none.json'), { force: true });
    if (text !== undefined) writeFileSync(inFolder('none.json'), text);
    const { code, stderr } = await covenant('certificate whole.jsonl.gz --report whole.json --product none.json');
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
