// What everything is made of: clocks, seeded randomness, text for terminals, coverage of pairs.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { onEmptyLoop } from './clock.ts';
import { defined } from './defined.ts';
import { covering, seededRandom } from './random.ts';
import { cut, duration, moment, short, visible } from './text.ts';
import { virtualClock } from './virtual-clock.ts';

const forbidden = /[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\u{10000}-\u{10fffd}]/u;

test('any text becomes printable and well-formed', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (codes) => {
      expect(visible(String.fromCharCode(...codes))).not.toMatch(forbidden);
    }),
  );
});

test('ordinary text is left as it is', () => {
  const text = 'Zürich\n\t<b> & "quotes" 😀 日本';
  expect(visible(text)).toBe(text);
});

test('unprintable characters are spelled out', () => {
  expect(visible('a\u0000b\ud800c\u202ed')).toBe('a\\u{0000}b\\u{d800}c\\u{202e}d');
});

test('cutting says the full size and tears no pair of surrogates', () => {
  expect(cut('abc', 3)).toEqual({ text: 'abc' });
  expect(cut('a😀b', 2)).toEqual({ text: 'a', all: 4 });
  expect(short('abcdef', 3)).toBe('abc … (3 of 6 characters)');
});

test.each([
  [12.4, '12 ms'],
  [12_345, '12.3 s'],
  [59_960, '1 min 00 s'],
  [245_000, '4 min 05 s'],
])('%d ms is said as %s', (ms, said) => {
  expect(duration(ms)).toBe(said);
});

test('moments are shown in UTC', () => {
  expect(moment('2026-03-01T09:30:00.000Z')).toBe('2026-03-01 09:30:00 UTC');
});

test('undefined members are left out, and every other falsy value stays', () => {
  const members = defined({ a: undefined, b: null, c: 0, d: '', e: false });
  expect(members).toEqual({ b: null, c: 0, d: '', e: false });
  expect('a' in members).toBe(false);
});

test('a member that may be undefined becomes one that may be absent', () => {
  const reason = ['because', undefined][1];
  const row: { readonly id: number; readonly reason?: string } = defined({ id: 1, reason });
  expect(row).toEqual({ id: 1 });
});

const namesOf = (count: number) => Array.from({ length: count }, (_, place) => place);
const areApart = (rows: readonly (readonly number[])[], one: number, other: number) =>
  rows.some((row) => row.includes(one) && !row.includes(other));

test.each([1, 2, 6, 7, 14, 20])('of %i names each stands in some row without each other one', (count) => {
  const names = namesOf(count);
  const rows = covering(names, seededRandom(count));
  expect(rows.length).toBeLessThanOrEqual(6);
  for (const one of names) for (const other of names) expect(areApart(rows, one, other)).toBe(one !== other);
});

test('in three rows, of names that are next to each other or next but one', () => {
  const names = namesOf(11);
  const rows = covering(names, seededRandom(1), 3);
  expect(rows).toHaveLength(3);
  for (const one of names)
    for (const other of names.filter((name) => Math.abs(name - one) === 1 || Math.abs(name - one) === 2))
      expect(areApart(rows, one, other)).toBe(true);
});

const draw = (random: ReturnType<typeof seededRandom>) => Array.from({ length: 5 }, () => random.int(0, 1_000_000));

test('the same seed draws the same, another draws another', () => {
  expect(draw(seededRandom(1))).toEqual(draw(seededRandom(1)));
  expect(draw(seededRandom(1))).not.toEqual(draw(seededRandom(2)));
});

test('a derived stream does not depend on what was drawn before', () => {
  const used = seededRandom(1);
  draw(used);
  expect(draw(used.derive('case'))).toEqual(draw(seededRandom(1).derive('case')));
  expect(draw(seededRandom(1).derive('case'))).not.toEqual(draw(seededRandom(1).derive('other')));
});

test('UUIDs are well formed, differ within a run, and differ between two runs with one seed', () => {
  const first = seededRandom(1, 1000);
  const uuids = Array.from({ length: 200 }, () => first.uuid());
  expect(new Set(uuids).size).toBe(200);
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(seededRandom(1, 2000).uuid()).not.toBe(uuids[0]);
  expect(draw(seededRandom(1, 2000))).toEqual(draw(seededRandom(1, 1000)));
});

test('integers stay within their bounds and reach both', () => {
  const random = seededRandom(5);
  const drawn = new Set(Array.from({ length: 200 }, () => random.int(3, 6)));
  expect([...drawn].sort()).toEqual([3, 4, 5, 6]);
});

test('a shuffle loses nothing', () => {
  const shuffled = seededRandom(9).shuffled([1, 2, 3, 4, 5, 6]);
  expect([...shuffled].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(shuffled).not.toEqual([1, 2, 3, 4, 5, 6]);
});

test('sleepers wake in the order of their times', async () => {
  const clock = virtualClock(0);
  const woken: string[] = [];
  await Promise.all([
    clock.sleep(60_000).then(() => woken.push(`late ${clock.now()}`)),
    clock.sleep(10).then(() => woken.push(`early ${clock.now()}`)),
  ]);
  expect(woken).toEqual(['early 10', 'late 60000']);
});

test('time stops while work is in progress', async () => {
  const clock = virtualClock(0);
  const work = clock.during(async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return clock.now();
  });
  await Promise.all([clock.sleep(1000), work]);
  expect(await work).toBe(0);
});

test('a server that sleeps lets time pass', async () => {
  const clock = virtualClock(0);
  const answered = await clock.during(async () => {
    await clock.inside.sleep(5000);
    return clock.now();
  });
  expect(answered).toBe(5000);
});

test('an aborted wait is removed and delays no other', async () => {
  const clock = virtualClock(0);
  const stop = new AbortController();
  const sleeping = expect(clock.sleep(99_000, stop.signal)).rejects.toThrow('enough');
  stop.abort(new Error('enough'));
  await sleeping;
  await clock.sleep(5);
  expect(clock.now()).toBe(5);
});

test('the end of all work is reported until the listener is removed', () => {
  let heard = 0;
  const release = onEmptyLoop(() => {
    heard += 1;
  });
  process.emit('beforeExit', 0);
  process.emit('beforeExit', 0);
  release();
  process.emit('beforeExit', 0);
  expect(heard).toBe(2);
});
