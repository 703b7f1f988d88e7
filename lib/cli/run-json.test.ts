import { expect, test } from 'vitest';
import type { RunEvent } from '../events.ts';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import type { Examination } from './parts.ts';
import { environment, expectRefused, trial, useFolder } from './trial.test-data.ts';

const events: readonly RunEvent[] = [
  { event: 'notice', at: '2026-03-01T09:30:00Z', message: 'a key svc_sk_canary_primary is shown' },
  { event: 'failure', at: '2026-03-01T09:30:01Z', requirement: 'notes-create-id', level: 'must', message: 'no id' },
];
const examine = ({ onEvent }: Examination) => {
  for (const event of events) onEvent(event);
  return report([requirement('failed')]);
};

useFolder();

test('--json prints each event as a line on stdout and everything for people on stderr', async () => {
  const { code, out, stderr } = await trial(['run', '--json'], { environment, examine });
  expect((await trial(['run', '--format', 'json'], { environment, examine })).out).toBe(out);
  const lines = out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(['notice', 'failure']);
  expect(out).not.toContain('canary');
  expect(stderr).toContain('NON-CONFORMANT');
  expect(stderr).toContain('Written:');
  expect(code).toBe(1);
});

test('--json with --quiet prints the events only', async () => {
  const { out, stderr } = await trial(['run', '--json', '--quiet'], { environment, examine });
  expect([out.trimEnd().split('\n').length, stderr]).toEqual([2, '']);
});

test('without --json no event is on stdout', async () => {
  const { out, stderr } = await trial(['run'], { environment, examine });
  expect(out).not.toContain('"event"');
  expect(stderr).toContain('failed: notes-create-id: no id');
});

test.each([
  [['--bail'], 1],
  [['--bail', '3'], 3],
  [[], undefined],
])('%j stops after %s failed requirements', async (words, bail) => {
  const { examined } = await trial(['run', ...words], { environment });
  expect(examined[0]?.settings.bail).toBe(bail);
});

test.each([
  [['--bail', '0'], 'is not a whole number between 1 and 1000'],
  [['--bail', 'billing'], 'is not a whole number between 1 and 1000'],
  [['--bail', '--evidence'], 'leave --bail off'],
  [['--json', '--plan'], 'leave one of them off'],
  [['--format', 'json', '--plan'], 'leave one of them off'],
])('%j is refused in one sentence, and nothing is sent', async (words, why) => {
  expectRefused(await trial(['run', ...words], { environment }), why);
});
