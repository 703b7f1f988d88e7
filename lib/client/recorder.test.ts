// What is kept of replies: JSON that is not too deep, and of long replies only as much as a run can hold.
import { expect, test } from 'vitest';
import { anonymous } from './credential.ts';
import { Recorder } from './recorder.ts';
import type { Reply } from './reply.ts';

const sent = { method: 'GET', url: 'http://t.test/', headers: {} };

function record(recorder: Recorder, body: string, owner = 'a case', headers: Reply['headers'] = {}): Reply {
  const wire = { status: 200, headers, body };
  const about = {
    operation: undefined,
    credential: anonymous,
    owner,
    sentAt: 0,
    receivedAt: 0,
    after: 0,
    undocumented: undefined,
  };
  return recorder.record({ sent, wire, ...about });
}

test('a body nested deeper than any record is not parsed', () => {
  const nested = (levels: number) => `{"request_id":"r","data":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(record(new Recorder(), nested(150)).json).toBeDefined();
  expect(record(new Recorder(), nested(100_000))).toMatchObject({ json: undefined, doubt: expect.any(String) });
});

test('brackets in texts do not count as nesting', () => {
  const text = '[{'.repeat(5000);
  expect(record(new Recorder(), JSON.stringify({ data: `\\"${text}` })).json).toEqual({ data: `\\"${text}` });
});

test('a write may have been carried out at its first attempt, a read only at its last', () => {
  const recorder = new Recorder();
  const [read, write] = [sent, { ...sent, method: 'POST' }];
  expect([read, write].map((one) => recorder.sending(one))).toEqual([0, 0]);
  record(recorder, '{}');
  record(recorder, '{}');
  expect([read, write].map((one) => recorder.sending(one))).toEqual([2, 0]);
});

test('a byte order mark is ignored', () => {
  expect(record(new Recorder(), '\ufeff{"data":1}').json).toEqual({ data: 1 });
});

test('long replies of finished cases are dropped once there are too many', () => {
  const recorder = new Recorder();
  const body = JSON.stringify({ data: 'x'.repeat(3_000_000) });
  const replies = Array.from({ length: 17 }, (_, index) => record(recorder, body, `case ${index}`));
  recorder.release('case 1');
  recorder.release('case 0');
  expect(replies[1]?.text.length).toBeLessThan(20_000);
  expect(replies[1]?.text).toContain('3000011 characters, sha256');
  // There is room again.
  expect(replies[0]?.text).toBe(body);
  // Half a reply proves nothing.
  expect(replies[1]?.doubt).toBe('the reply was too large to keep');
  expect(recorder.lost()).toEqual([replies[1]?.request]);
  // Until there is none.
  record(recorder, body);
  expect(replies[0]?.text).not.toBe(body);
});

test('an excessive reply is dropped at once and not judged', () => {
  const recorder = new Recorder();
  const body = JSON.stringify({ data: 'x'.repeat(4_000_000) });
  const replies = Array.from({ length: 20 }, () => record(recorder, body));
  const [last] = replies.slice(-1);
  if (!last) throw new Error('there is no reply');
  expect(() => recorder.ensureKept(last)).toThrow('too large to keep: over 104 MB at a time');
  expect(last.text.length).toBeLessThan(5_000);
  expect(() => recorder.ensureKept(record(recorder, '{"data":1}'))).not.toThrow();
});

test.each([
  ['more values than any page', '{},', 40_000, 120_000, 'more than 100000 values'],
  ['more levels than any record', '[', 150, 250, 'more than 200 levels'],
])('a body with %s is not parsed, and is no failure', (_, unit, few, many, why) => {
  const body = (count: number) => {
    const items = unit.repeat(count);
    return `{"request_id":"r","data":[${items}0${unit === '[' ? ']'.repeat(count) : ''}]}`;
  };
  const recorder = new Recorder();
  expect(() => recorder.ensureKept(record(recorder, body(few)))).not.toThrow();
  const reply = record(recorder, body(many));
  expect(reply).toMatchObject({ json: undefined, doubt: expect.stringContaining(why) });
  expect(() => recorder.ensureKept(reply)).toThrow(why);
});

test('many values count like a long text', () => {
  const recorder = new Recorder();
  const body = `{"data":[${'{},'.repeat(40_000)}0]}`;
  const replies = Array.from({ length: 40 }, (_, index) => record(recorder, body, `case ${index}`));
  recorder.release('case 0');
  expect(replies[0]).toMatchObject({ json: undefined, text: expect.stringContaining('characters, sha256') });
});

test('long headers count like a long text, and are dropped, too', () => {
  const recorder = new Recorder();
  const headers = { 'x-long': 'x'.repeat(14_000) };
  const replies = Array.from({ length: 9000 }, (_, index) => record(recorder, '{"data":1}', `case ${index}`, headers));
  for (const { owner } of replies) recorder.release(owner);
  const kept = replies.filter((reply) => reply.headers === headers);
  expect(kept.length * 14_000).toBeLessThan(96 * 1024 * 1024);
  expect(kept.length).toBeGreaterThan(6000);
  expect(replies[0]).toMatchObject({ headers: {}, doubt: 'the reply was too large to keep' });
});

test('once everything is judged every reply may be dropped', () => {
  const recorder = new Recorder();
  const body = JSON.stringify({ data: 'x'.repeat(3_900_000) });
  const replies = Array.from({ length: 7 }, () => record(recorder, body));
  recorder.releaseAll();
  for (let more = 0; more < 10; more += 1) replies.push(record(recorder, body));
  for (const reply of replies.slice(-3)) expect(() => recorder.ensureKept(reply)).not.toThrow();
  expect(replies.filter(({ text }) => text === body)).toEqual(replies.slice(-12));
});

test('another view of a reply is dropped with it', () => {
  const recorder = new Recorder();
  const body = JSON.stringify({ data: 'x'.repeat(3_900_000) });
  const views = Array.from({ length: 17 }, () => ({ ...record(recorder, body), owner: 'a case' }));
  for (const view of views) recorder.judge(view);
  recorder.release('a case');
  expect(views[0]?.text.length).toBeLessThan(5_000);
});

test('a late reply to a finished case is dropped and not judged', () => {
  const recorder = new Recorder();
  const body = JSON.stringify({ data: 'x'.repeat(4_000_000) });
  for (let more = 0; more < 12; more += 1) record(recorder, body, 'another case');
  recorder.release('a case');
  const late = record(recorder, body);
  expect(late.json).toBeUndefined();
  expect(() => recorder.ensureKept(late)).toThrow('too large to keep');
});
