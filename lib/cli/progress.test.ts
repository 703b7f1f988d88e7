// What a run shows while it runs: few plain lines without a terminal, one redrawn line on one.
import { describe, expect, test } from 'vitest';
import { Progress } from './progress.ts';

function progressOf(live: boolean) {
  const seen: string[] = [];
  const time = { now: 0 };
  const clock = { now: () => time.now, sleep: async () => {} };
  const progress = new Progress({ clock, live, columns: 40, write: (text) => seen.push(text) });
  return { progress, seen, time };
}

const clear = '\r\u001b[2K';
const fits = (text: string): boolean =>
  text.startsWith(clear) && !text.includes('\n') && text.length - clear.length <= 40;
const start = { cases: 120, requirements: 200 };

describe('without a terminal', () => {
  test('progress without a terminal prints a line every few seconds and at the end, not one a case', () => {
    const { progress, seen, time } = progressOf(false);
    progress.onStart(start);
    for (let done = 1; done <= 120; done++) {
      time.now += 100;
      progress.onCaseStart(`case ${done}`);
      progress.onCaseEnd(`case ${done}`);
    }
    progress.stop();
    expect(seen).toEqual([
      '  200 requirements in 120 cases\n',
      '   50/120 cases\n',
      '  100/120 cases\n',
      '  120/120 cases\n',
    ]);
  });

  test('progress without a terminal announces a wait that lasts, once for all cases that wait for the same', () => {
    const { progress, seen, time } = progressOf(false);
    progress.onWait({ why: 'writes of COVENANT_API_KEY', ms: 42_000 });
    progress.onWait({ why: 'writes of COVENANT_API_KEY', ms: 43_000 });
    progress.onWait({ why: 'reads of COVENANT_API_KEY', ms: 900 });
    time.now = 44_000;
    progress.onWait({ why: 'writes of COVENANT_API_KEY', ms: 10_000 });
    expect(seen).toEqual([
      '  waiting 42.0 s: writes of COVENANT_API_KEY\n',
      '  waiting 10.0 s: writes of COVENANT_API_KEY\n',
    ]);
  });

  test('progress without a terminal never uses ANSI, whatever a notice contains', () => {
    const { progress, seen } = progressOf(false);
    progress.onNotice('the target says \u001b[2J\nhello');
    progress.stop();
    expect(seen.join('')).not.toContain('\u001b');
    expect(seen).toHaveLength(1);
  });
});

describe('on a terminal', () => {
  test('progress on a terminal redraws one line that fits, with the case or the wait', () => {
    const { progress, seen, time } = progressOf(true);
    progress.onStart(start);
    progress.onCaseStart('billing-summary-scope and 3 more');
    expect(progress.status()).toBe('  0/120 cases  billing-summary-scope and 3 more');
    progress.onWait({ why: 'writes of COVENANT_API_KEY', ms: 42_000 });
    time.now = 2000;
    expect(progress.status()).toBe('  0/120 cases  waiting 40.0 s: writes of COVENANT_API_KEY');
    time.now = 41_000;
    progress.onCaseEnd('billing-summary-scope and 3 more');
    expect(progress.status()).toBe('  1/120 cases');
    progress.stop();
    for (const text of seen.slice(1)) expect(text).toSatisfy(fits);
    expect(seen.at(-1)).toBe(clear);
  });
});
