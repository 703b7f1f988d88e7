// Rules of one's own: judged beside the document's, shown apart, seen to fail, and refused in one sentence where they are not whole.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { defaultSettings, targetOf } from '../../lab/examine.ts';
import { createReference, serveReference } from '../../lab/reference/index.ts';
import { suites } from '../../suites/index.ts';
import { type Handler, handlerTransport } from '../client/transports/handler.ts';
import { exitCode } from '../gate/exit-code.ts';
import { htmlPage } from '../report/html/page.ts';
import { markdown } from '../report/markdown.ts';
import { styled } from '../report/terminal/layout.ts';
import { terminal } from '../report/terminal.ts';
import type { Report } from '../result.ts';
import { run } from '../run/run.ts';
import { defined } from '../runtime/defined.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { violations } from '../schema/schema.ts';
import houseRules from './house-rules.test-data.mjs';
import { command } from './trial.test-data.ts';

const here = import.meta.dirname;
const rulesFile = join(here, 'house-rules.test-data.mjs');
const folder = mkdtempSync(join(tmpdir(), 'covenant-own-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function examined(
  wrap: (honest: Handler) => Handler = (honest) => honest,
  onCheckpoint?: (report: Report) => void,
) {
  const clock = virtualClock();
  const { handler, env } = await createReference({ clock: clock.inside });
  const transport = handlerTransport(wrap(handler), clock);
  const settings = { ...defaultSettings, areas: ['public'] };
  return run({
    suites: [...suites, houseRules],
    target: targetOf(env),
    settings,
    transport,
    clock,
    ...defined({ onCheckpoint }),
  });
}

/** Says that it is not well, lawfully: the document is silent on what /health says. */
const unwell =
  (honest: Handler): Handler =>
  async (request) => {
    const reply = await honest(request);
    if (!request.url.endsWith('/health')) return reply;
    const body: object = JSON.parse(await reply.text());
    return Response.json({ ...body, data: { status: 'tired' } }, { headers: { server: 'example/1' } });
  };

describe('the house rules of docs/own-rules.md', () => {
  test('stand there word for word', () => {
    const code = readFileSync(rulesFile, 'utf8').split('\n').slice(1).join('\n');
    expect(readFileSync('docs/own-rules.md', 'utf8')).toContain(code.replace('../index.ts', 'covenant-conformance'));
  });

  test('hold for the reference, and no total counts them', async () => {
    const { report } = await examined();
    expect(report.own?.requirements.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      'x-house-health passed',
      'x-house-request-id passed',
      'x-house-server observed',
    ]);
    expect(report.own?.observations).toMatchObject([{ id: 'x-house-server', answer: 'none does' }]);
    expect(report.requirements.filter(({ id }) => id.startsWith('x-'))).toEqual([]);
    expect(report.totals.must.passed).toBe(report.requirements.filter(({ level }) => level === 'must').length);
    expect(exitCode(report, { interrupted: false })).toBe(0);
  });

  test('their mutant is killed by them alone: the verdict stays, the exit code does not', async () => {
    const result = await examined(unwell);
    const { report } = result;
    expect(report.verdict).toBe('conformant');
    expect(exitCode(report, { interrupted: false })).toBe(1);
    expect(violations('report', report)).toEqual([]);
    const reader = { ruling: () => undefined, again: () => '' };
    for (const shown of [terminal(report, reader, styled(false)), htmlPage(result), markdown(result)]) {
      expect(shown).toContain('Rules of your own');
      expect(shown).toContain('x-house-health');
      expect(shown).toContain('data.status should be');
      expect(shown).toContain('example/1');
    }
    const [health] = report.own?.requirements ?? [];
    expect(health?.cases[0]?.failure?.curl[0]).toContain('/health');
  });
});

describe('--suite', () => {
  let files = 0;
  const file = (text: string): string => {
    files += 1;
    const name = `ours-${files}.mjs`;
    writeFileSync(join(folder, name), text);
    return name;
  };
  test.each([
    ['nothing.mjs', 'is not there'],
    ['.', 'is not a module'],
    [() => file('export default 7;'), 'has no suite as its default export'],
    [() => file('export const = 1'), 'cannot be loaded'],
    [() => file('export default { area: "own", own: {}, cases: [] };'), 'it has no rule'],
    [() => file('export default { own: { "x-a": { level: "must" } }, cases: [] };'), 'no case judges x-a'],
    [() => file('export default { own: { y: { level: "must" } }, cases: [] };'), 'needs a name like x-house-rule'],
    [
      () => file('export default { own: { "x-a": {} }, cases: [{ kind: "case", ids: ["x-a", "errors-x"] }] };'),
      'a case judges errors-x, which is none of its rules',
    ],
    [
      () =>
        file(`export default { own: { "x-a": { level: "must", statement: "a" } }, cases: [
          { kind: "invariant", id: "x-a", over: ["GET /mee"], applies: () => true, judge: () => {} }] };`),
      '"GET /mee" is no operation of the interface; did you mean GET /me.',
    ],
  ])('%s is refused: %s', async (given, why) => {
    const name = typeof given === 'string' ? given : given();
    const { code, text } = await command(folder, ['run', '--suite', name]);
    expect(text).toContain(why);
    expect(text.trim()).not.toContain('\n');
    expect(code).toBe(2);
  });

  test('goes with neither evidence nor shards', async () => {
    const name = file('export default 7;');
    for (const other of [['--evidence'], ['--shard', '1/2']]) {
      expect((await command(folder, ['run', '--suite', name, ...other])).code).toBe(2);
    }
  });

  test('is judged by the command, where --requirement names its rules', async () => {
    const words = ['run', '--suite', rulesFile, '--requirement', 'x-house-health'];
    const { code, text } = await command(folder, words);
    expect(text).toMatch(/Rules of your own\n +1 rule, 0 failed/);
    expect(code).toBe(0);
    expect((await command(folder, [...words, '--requirement', 'x-house-helth'])).text).toContain('did you mean');
  });

  test('is judged at a target, beside the document and alone, and leaves nothing to resume', async () => {
    const { env, close } = await serveReference({ minuteMs: 2000 });
    const examine = (...more: string[]) => command(folder, ['run', '--suite', rulesFile, ...more], env);
    const beside = await examine('--area', 'public', '--no-exhaustion');
    expect(beside.text).toMatch(/Rules of your own\n +3 rules, 0 failed/);
    const alone = await examine('--requirement', 'x-house-health');
    expect(alone.text).toMatch(/Nothing of the document was selected.*only 1 requirement was selected/s);
    await close();
    expect([beside.code, alone.code]).toEqual([0, 0]);
    expect(readdirSync(join(folder, 'reports'))).not.toContain('resume.json');
  });
});

test('the report at a checkpoint holds them, too', async () => {
  const reports: Report[] = [];
  await examined(undefined, (report) => reports.push(report));
  expect(reports[0]?.own?.requirements.map(({ id }) => id)).toContain('x-house-health');
});
