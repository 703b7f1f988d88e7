// What a run shows while it runs: plain lines now and then without a terminal, a few redrawn lines on one, and with --json its events on stdout.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Happening, RunEvent } from '../events.ts';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import type { Examination } from './parts.ts';
import { Progress } from './progress.ts';
import { environment, expectRefused, trial, useFolder } from './trial.test-data.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 2, 9) }));
afterEach(() => void vi.useRealTimers());

function progressOf(live: boolean, columns = 50) {
  const seen: string[] = [];
  const clock = { now: () => Date.now(), sleep: async () => {} };
  const progress = new Progress({ clock, live, columns, write: (text) => seen.push(text) });
  const hear = (what: Happening) => progress.hear({ ...what, at: new Date().toISOString() });
  const begin = () =>
    hear({
      event: 'started',
      format: 'covenant-events/1',
      run: 'abc123',
      seed: 1,
      base_url: 'http://t.test',
      requirements: 200,
      cases: 120,
    });
  const forecast = (duration_ms: number) =>
    hear({ event: 'phase', phase: 'cases', plan: { requests: [], residue: [], duration_ms } });
  const fail = (requirement: string, message: string, level: 'must' | 'should' = 'must') =>
    hear({ event: 'failure', requirement, level, message });
  const wait = (ms: number, account = 'COVENANT_API_KEY') =>
    hear({
      event: 'wait',
      accounts: [account],
      class: 'write',
      why: `${account} has used its 30 write requests of this minute`,
      until: new Date(Date.now() + ms).toISOString(),
    });
  const finish = (done: number) =>
    hear({ event: 'case-finished', case: `case ${done}`, done, total: 120, share: done / 120 });
  return { progress, seen, hear, begin, forecast, fail, wait, finish };
}

describe('without a terminal', () => {
  test('progress without a terminal prints a line every 15 seconds: done, elapsed, left, and each wait', () => {
    const { progress, seen, begin, forecast, wait, finish } = progressOf(false);
    begin();
    forecast(240_000);
    finish(60);
    wait(42_000);
    wait(43_000);
    wait(50_000, 'COVENANT_API_KEY_SECONDARY');
    vi.advanceTimersByTime(31_000);
    progress.stop();
    vi.advanceTimersByTime(60_000);
    const why = 'has used its 30 write requests of this minute';
    const waits = [
      `waits until 09:00:43 UTC: COVENANT_API_KEY ${why}`,
      `waits until 09:00:50 UTC: COVENANT_API_KEY_SECONDARY ${why}`,
    ].join('; ');
    expect(seen).toEqual([
      '  This takes about 4 min 00 s: 0 reads, 0 writes, 0 validations. Nothing stays.\n',
      `  60 of 120 cases, 15.0 s, about 3 min 45 s left; ${waits}\n`,
      `  60 of 120 cases, 30.0 s, about 3 min 30 s left; ${waits}\n`,
    ]);
  });

  test('progress without a terminal prints a failure at once, and the first of each requirement only', () => {
    const { seen, begin, fail } = progressOf(false);
    begin();
    fail('errors-body-object', 'the body is no object');
    fail('errors-body-object', 'the body is no object');
    fail('billing-summary-session', 'it is not shown', 'should');
    expect(seen).toEqual([
      '  failed: errors-body-object: the body is no object\n',
      '  warning: billing-summary-session: it is not shown\n',
    ]);
  });

  test('where every case is over and the run is not, a line says what is under way', () => {
    const { progress, seen, begin, finish } = progressOf(false);
    begin();
    finish(120);
    progress.tick();
    expect(seen).toEqual(['  120 of 120 cases, now the checks at the end, 0 ms\n']);
  });

  test('the clean-up is a phase of its own, and says what failed so far', () => {
    const { progress, seen, hear, begin, fail } = progressOf(false);
    begin();
    fail('errors-body-object', 'the body is no object');
    vi.advanceTimersByTime(14_000);
    hear({ event: 'phase', phase: 'clean-up', things: 12, verdict: 'non-conformant' });
    hear({ event: 'cleaned', done: 5, total: 12 });
    progress.tick();
    expect(seen.slice(1)).toEqual([
      '  verdict: non-conformant\n',
      '  cleaning up, 0 of 12 things, 1 failed, 14.0 s\n',
      '  cleaning up, 5 of 12 things, 1 failed, 14.0 s\n',
    ]);
  });

  test('a verdict that the clean-up may still change is said with that', () => {
    const { seen, hear, begin } = progressOf(false);
    begin();
    hear({ event: 'phase', phase: 'clean-up', things: 1, verdict: 'conformant' });
    expect(seen[0]).toBe('  verdict so far: conformant\n');
  });

  test('progress without a terminal never uses ANSI, whatever a notice or a failure contains', () => {
    const { progress, seen, hear, begin, fail } = progressOf(false);
    begin();
    hear({ event: 'notice', message: 'the target says \u001b[2J\nhello' });
    fail('errors-body-object', 'it says \u001b[2J\nhello');
    progress.stop();
    expect(seen.join('')).not.toContain('\u001b');
    expect(seen.every((text) => text.indexOf('\n') === text.length - 1)).toBe(true);
  });
});

/** What a terminal shows after all that was written to it. */
function screen(seen: readonly string[]): string[] {
  const lines = [''];
  const text = seen.join('').replaceAll('\u001b[1A', '\v').replaceAll('\u001b[2K', '\f');
  for (const part of text.split(/(\r|\n|\v|\f)/)) {
    if (part === '\n') lines.push('');
    else if (part === '\v') lines.pop();
    else if (part === '\f') lines[lines.length - 1] = '';
    else if (part !== '\r') lines[lines.length - 1] += part;
  }
  return lines;
}

describe('on a terminal', () => {
  test('progress on a terminal redraws its lines under what stays, and takes them away at the end', () => {
    const { progress, seen, begin, forecast, fail, wait, finish } = progressOf(true);
    begin();
    forecast(139_000);
    finish(30);
    wait(42_000);
    vi.advanceTimersByTime(1000);
    fail('billing-summary-scope', 'the status should be 403 and is 200, so that everybody sees it');
    vi.advanceTimersByTime(1000);
    expect(screen(seen)).toEqual([
      '  This takes about 2 min 19 s: 0 reads, 0 writes,',
      '  0 validations. Nothing stays.',
      '  failed: billing-summary-scope: the status …',
      '  30 of 120 cases, 1 failed, 2.0 s, about 2 min',
      '  17 s left',
      '  waits until 09:00:42 UTC: COVENANT_API_KEY has',
      '  used its 30 write requests of this minute',
    ]);
    progress.stop();
    expect(screen(seen).slice(2)).toEqual(['  failed: billing-summary-scope: the status …', '']);
  });

  test.each([40, 50, 80])('no line is longer than a terminal of %d columns, and no word is cut', (columns) => {
    const { seen, hear, begin, fail, wait } = progressOf(true, columns);
    begin();
    hear({ event: 'notice', message: 'the credential is not what it should be; what rests on it is not tested' });
    fail('account-me-active-account', 'a very long message that goes on and on without ever coming to its end');
    wait(30_000, 'COVENANT_API_KEY_SECONDARY');
    vi.advanceTimersByTime(500);
    const words = new Set(screen(seen).join(' ').split(/\s+/));
    expect(screen(seen).every((line) => line.length < columns)).toBe(true);
    expect([...words].filter((word) => 'COVENANT_API_KEY_SECONDARY'.startsWith(word) && word.length > 3)).toEqual([
      'COVENANT_API_KEY_SECONDARY',
    ]);
  });
});

test('what remains only shrinks, whatever ends or is waited for, and is not said where it is not known', () => {
  const { seen, progress, begin, forecast, finish, wait } = progressOf(false);
  begin();
  progress.tick();
  forecast(60_000);
  for (const done of [1, 100, 119]) {
    finish(done);
    vi.advanceTimersByTime(15_000);
  }
  wait(30_000);
  vi.advanceTimersByTime(30_000);
  const left = seen.flatMap((line) =>
    line.includes(' cases, ') ? [/about (.*) left/.exec(line)?.[1] ?? 'unknown'] : [],
  );
  expect(left).toEqual(['unknown', '45.0 s', '30.0 s', '15.0 s', 'unknown', 'unknown']);
});

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
