// Seeded randomness: each case derives its own stream from the seed of the run, so that selecting cases changes no
// other.
import { hash as digestOf } from 'node:crypto';

export interface Random {
  /** A 32-bit seed for another generator (fast-check). */
  readonly seed: number;
  /** An integer from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** A version 4 UUID. */
  uuid(): string;
  pick<T>(items: readonly [T, ...T[]]): T;
  shuffled<T>(items: readonly T[]): T[];
  /** A stream that depends only on the name, not on earlier draws. */
  derive(name: string): Random;
}

const hash = (text: string): number => digestOf('sha256', text, 'buffer').readUInt32LE(0);

/** Mulberry32: small, and good enough to choose test values. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** A new UUID, sometimes in capitals, which mean the same. */
export function idempotencyKey(random: Pick<Random, 'uuid'>): string {
  const key = random.uuid();
  return '01234'.includes(key.slice(0, 1)) ? key.toUpperCase() : key;
}

/**
 * `moment` makes the UUIDs of this run unique: a run with the same seed must not reuse the Idempotency-Keys of
 * yesterday.
 */
export function seededRandom(seed: number, moment = 0): Random {
  const next = generator(seed);
  let nextOfUuids: (() => number) | undefined;
  const int = (min: number, max: number) => min + Math.floor((next() / 2 ** 32) * (max - min + 1));
  const hex = () => {
    nextOfUuids ??= generator(hash(`${seed}/${moment}`));
    return nextOfUuids().toString(16).padStart(8, '0');
  };
  return {
    seed,
    int,
    uuid: () => {
      const [one, two, three, four] = [hex(), hex(), hex(), hex()];
      const variant = '89ab'[Number.parseInt(three.slice(0, 1), 16) % 4];
      return `${one}-${two.slice(0, 4)}-4${two.slice(5)}-${variant}${three.slice(1, 4)}-${three.slice(4)}${four}`;
    },
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    shuffled: (items) => {
      const rest = [...items];
      const all: (typeof rest)[number][] = [];
      while (rest.length > 0) all.push(...rest.splice(int(0, rest.length - 1), 1));
      return all;
    },
    derive: (name) => seededRandom(hash(`${seed}/${name}`), moment),
  };
}

/** All ways to choose half of the places, rounded up. */
const halves = (places: number): readonly (readonly number[])[] =>
  Array.from({ length: 2 ** places }, (_, bits) =>
    Array.from({ length: places }, (_, place) => place).filter((place) => (bits >> place) & 1),
  ).filter(({ length }) => length === Math.ceil(places / 2));

/** The least even number of rows with enough halves for all names. */
const rowsFor = (count: number, places = 2): number =>
  halves(places).length >= count ? places : rowsFor(count, places + 2);

/**
 * Rows with half of the names each: of every two names, each stands in some row without the other. Beside a row of all and
 * one of none, every two are seen together, apart both ways, and neither. In fewer rows than that takes, it holds of names
 * that are near each other.
 */
export function covering<T>(
  names: readonly T[],
  random: Random,
  places = rowsFor(names.length),
): readonly (readonly T[])[] {
  const codes = random.shuffled(halves(places));
  return Array.from({ length: places }, (_, row) =>
    names.filter((_, place) => codes[place % codes.length]?.includes(row)),
  );
}
