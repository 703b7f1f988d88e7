// Seeded randomness: repeatable, apart for each name, and with UUIDs that belong to one run.
import { expect, test } from 'vitest';
import { seededRandom } from './random.ts';

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
