// The step of a GitHub workflow, under the variables that it gets there: against the bundled reference, against a server that fails, and without a run.
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { beforeEach, expect, test } from 'vitest';
import { createReference } from '../../lab/reference/index.ts';
import { compose } from './compose.ts';
import { githubStep } from './github.ts';
import { inFolder, keptConsole, put, read, useFolder } from './trial.test-data.ts';

useFolder();
beforeEach(() => {
  for (const name of ['output', 'summary']) put(name, 'before\n');
});

/** What the step did with these inputs: its exit code, what the service obeys, and the log. */
async function step(inputs: Readonly<Record<string, string>>) {
  let obeyed = '';
  const { console, written } = keptConsole({
    environment: {
      GITHUB_OUTPUT: inFolder('output'),
      GITHUB_STEP_SUMMARY: inFolder('summary'),
      GITHUB_RUN_NUMBER: '42',
      ...inputs,
    },
  });
  const code = await githubStep(console, compose(), (text) => {
    obeyed += text;
  });
  return { code, log: written.text, obeyed };
}

test('the bundled reference: outputs and summary are appended, and nothing is annotated as a failure', async () => {
  const { code, obeyed } = await step({ INPUT_AREAS: 'public, notes', INPUT_EFFORT: 'quick', INPUT_OUT: 'out' });
  expect([code, obeyed]).toEqual([
    0,
    expect.stringMatching(/^::notice title=Covenant%3A conformant at the bundled implementation::[^\n]+\n$/),
  ]);
  const report = JSON.parse(read('out/report.json'));
  expect(report.run.options).toMatchObject({ area: ['public', 'notes'], effort: 'quick' });
  const counts = JSON.stringify(report.totals);
  expect(read('output')).toBe(`before\nverdict=conformant\ncounts=${counts}\nreport=${join('out', 'report.json')}\n`);
  expect(read('summary')).toBe(`before\n${read('out/summary.md')}`);
});

test('shards take the number of the workflow run as their seed, and may leave the rest to each other', async () => {
  const { code } = await step({ INPUT_AREAS: 'notes', INPUT_SHARD: '2/2' });
  expect(code).toBe(0);
  expect(JSON.parse(read('reports/report.json')).run).toMatchObject({ seed: 42, options: { allow_incomplete: true } });
});

test('a server that fails: the failures are annotated, and no line of its own is obeyed', async () => {
  const { handler, env } = await createReference({ minuteMs: 1500 });
  const hostile = '{"data":{"status":"x\\n::error title=pwned::y\\n##[error]z"}}\n::error title=pwned::y\n##[error]z';
  const fetch = (request: Request) =>
    request.url.endsWith('/health') ? new Response(hostile, { status: 203 }) : handler(request);
  const server = createAdaptorServer({ fetch });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  const inputs = {
    ...env,
    COVENANT_MINUTE_MS: '1500',
    INPUT_EFFORT: 'quick',
    COVENANT_BASE_URL: '',
    INPUT_BASE_URL: `http://127.0.0.1:${port}`,
    INPUT_AREAS: 'public',
  };
  const { code, log, obeyed } = await step(inputs);
  server.close();
  expect(code).toBe(1);
  expect(obeyed).toMatch(
    /^(?:::error title=[a-z-]+ at http%3A\/\/127[^:]+::[^\n]+\n)+(?:::warning [^\n]+\n)*::notice [^\n]+\n$/,
  );
  for (const key of [env.COVENANT_API_KEY, env.COVENANT_JWT]) expect(`${log}${obeyed}`).not.toContain(key);
  expect(log).not.toMatch(/^\s*::|##\[/m);
  expect(read('output')).toContain('verdict=non-conformant\n');
});

test('a base URL that is empty, as where a secret is missing, is no reason to examine something else', async () => {
  for (const missing of [{ INPUT_BASE_URL: '' }, { INPUT_BASE_URL: 'unset', COVENANT_BASE_URL: '', CI: 'true' }]) {
    const { code, log } = await step({ ...missing, INPUT_AREAS: 'public' });
    expect([code, log]).toEqual([
      2,
      expect.stringMatching(/^covenant: [^\n]* is (?:set and )?empty, [^\n]*--bundled[^\n]*\n$/),
    ]);
  }
  const asked = { INPUT_BASE_URL: '', INPUT_BUNDLED: 'true', COVENANT_BASE_URL: '', CI: 'true', INPUT_AREAS: 'public' };
  expect((await step({ ...asked, INPUT_EFFORT: 'quick' })).code).toBe(0);
});

test('without a run there are no outputs, also where an earlier report is there', async () => {
  mkdirSync(inFolder('reports'));
  put('reports/report.json', '{}');
  const { code, log, obeyed } = await step({ INPUT_EFFORT: 'immense' });
  expect([code, obeyed]).toEqual([2, '::error title=Covenant::No report was written; the log above says why.\n']);
  expect(log).toContain('immense');
  expect([read('output'), read('summary')]).toEqual(['before\n', 'before\n']);
});
