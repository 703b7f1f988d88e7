// Integers that no double holds go through a run without losing a digit.
import { expect, test } from 'vitest';
import { LargeIntegers, parseExactly } from './large-integers.ts';
import type { Sent } from './reply.ts';

const large = '1234567890123456789';
const next = '1234567890123456790';
const limits = { timeoutMs: 1000 };
const get: Sent = { method: 'GET', url: 'http://t.test/x', headers: {} };

function exchanging(body: string, headers: Sent['headers'] = {}) {
  const integers = new LargeIntegers();
  const sent: Sent[] = [];
  const send = integers.through(async (request) => {
    sent.push(request);
    return { status: 200, headers, body };
  });
  return { integers, sent, send };
}

test('two neighbours stay two integers, and come out as they came in', async () => {
  const location = `/companies/${large}`;
  const { integers, sent, send } = exchanging(
    `{"data":[{"id":${large},"self":"${location}"},{"id":${next}},{"id":7}],"half":0.12500000000000000000}`,
    { location },
  );
  const reply = await send(get, limits);
  const { data, half } = JSON.parse(reply.body);
  const [one, other, small] = data;
  expect([one, other, small].every(({ id }) => Number.isSafeInteger(id))).toBe(true);
  expect(new Set([one.id, other.id, small.id]).size).toBe(3);
  expect([small.id, half]).toEqual([7, 0.125]);
  expect([one.self, reply.headers.location]).toEqual([`/companies/${one.id}`, `/companies/${one.id}`]);
  const headers = { 'x-of': String(other.id) };
  await send({ ...get, url: `http://t.test/x/${one.id}?after=${other.id}`, headers, body: `{"id":${one.id}}` }, limits);
  expect(sent[1]).toMatchObject({
    url: `http://t.test/x/${large}?after=${next}`,
    headers: { 'x-of': next },
    body: `{"id":${large}}`,
  });
  expect(integers.written(`the note ${one.id} of ${other.id}`)).toBe(`the note ${large} of ${next}`);
  expect(integers.writtenIn({ entry: 'made', n: 1, id: String(one.id) })).toEqual({ entry: 'made', n: 1, id: large });
});

test('digits in texts are texts, unless they are the number of something', async () => {
  const body = `{"text":"call \\"${large}\\", ${next}","id":${next}}`;
  const reply = JSON.parse((await exchanging(body).send(get, limits)).body);
  expect(reply.text).toContain(large);
});

test('read outside of a run, an integer that no double holds is a text of its digits', () => {
  expect(parseExactly(`{"a":${large},"b":[-${large},12,1.5e300],"c":"${large}"}`)).toEqual({
    a: large,
    b: [`-${large}`, 12, 1.5e300],
    c: large,
  });
});
