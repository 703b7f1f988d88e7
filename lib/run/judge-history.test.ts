// Rules judge a whole history, and a report shows a few failures of one requirement at most.
import { expect, test } from 'vitest';
import { Mismatch } from '../client/errors.ts';
import { Recorder } from '../client/recorder.ts';
import { replyOf } from '../client/reply.test-data.ts';
import type { History } from '../model/history.ts';
import { rules, type Violation } from '../model/judge.ts';
import { Findings } from './findings.ts';
import { judgeHistory } from './judge-history.ts';

const id = 'notes-create-text';
const operation = 'POST /companies/{company_id}/notes';
const mismatch = new Mismatch({ message: 'it differs', expected: 1, actual: 2 });

const unshown = () => ({ verdict: 'not-tested', reason: 'nobody asked' }) as const;

type Find = (history: History) => readonly Violation[];

function found(find: Find, recorder = new Recorder(), putAt = 0): readonly string[] {
  const findings = new Findings(new Set([id] as const));
  const all = rules([id], ({ history }, { violations }) => void violations.push(...find(history)));
  const clockPuts = () => (putAt > 0 ? [{ at: putAt, backMs: 0 }] : []);
  judgeHistory({ rules: [all], history: recorder.history(), findings, clockPuts, unshown });
  return findings.of(id).map(({ verdict }) => verdict);
}

test('what a rule finds is a failure, a few of one kind at most', () => {
  expect(found(() => [])).toEqual(['not-tested']);
  expect(found(() => [{ id, operation, mismatch }])).toEqual(['failed']);
  expect(found(() => Array.from({ length: 9 }, () => ({ id, operation, mismatch })))).toHaveLength(3);
});

test('each exchange that a rule looked at counts once, whether its failure is shown or not', () => {
  const findings = new Findings(new Set([id] as const));
  const all = rules([id], (_, { expect: judge }) => {
    for (const one of [operation, 'PATCH /companies/{company_id}'] as const)
      for (let time = 0; time < 5; time += 1)
        judge(id, replyOf({ operation: one }), time === 0, 'it differs', { expected: 1, actual: 2 });
  });
  judgeHistory({ rules: [all], history: new Recorder().history(), findings, clockPuts: () => [], unshown });
  expect(findings.of(id)).toHaveLength(7);
  expect(findings.judgedOn(id)).toBe(10);
});

test('what rests on replies amid which the clock of the target was put is inconclusive', () => {
  const seen = (...times: readonly number[]) =>
    new Mismatch({
      message: 'it differs',
      expected: 1,
      actual: 2,
      replies: times.map((sentAt) => replyOf({ sentAt, receivedAt: sentAt + 50 })),
    });
  const at = (...times: readonly number[]) =>
    found(() => [{ id, operation, mismatch: seen(...times) }], undefined, 60_000);
  expect(at(50_000, 61_000)).toEqual(['inconclusive']);
  expect(at(40_000, 50_000)).toEqual(['failed']);
  expect(at(80_000)).toEqual(['failed']);
});

test('it learns which requests got no reply', () => {
  const recorder = new Recorder();
  const sent = { method: 'POST', url: 'http://target.test/', headers: {} };
  recorder.sending(sent);
  found(({ lost }) => {
    expect(lost).toEqual([sent]);
    return [];
  }, recorder);
});
