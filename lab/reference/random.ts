// A small seeded generator (sfc32) and what is drawn from it: secrets, request identifiers, picks.

/** Draws 32 random bits. */
export type Random = () => number;

/** A generator whose sequence is determined by `seed`. */
export function seededRandom(seed: number): Random {
  let a = seed | 0;
  let b = 0x9e3779b9;
  let c = 0x243f6a88;
  let counter = 1;
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let warmUp = 0; warmUp < 15; warmUp += 1) next();
  return next;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A text of `length` letters and digits. */
export function randomText(random: Random, length: number): string {
  let text = '';
  for (let index = 0; index < length; index += 1) text += letters[random() % letters.length];
  return text;
}

const hex8 = (random: Random) => random().toString(16).padStart(8, '0');

/** Sixteen hexadecimal digits. */
export function randomHex(random: Random): string {
  return hex8(random) + hex8(random);
}

/** A version 4 UUID. */
export function randomUuid(random: Random): string {
  const digits = randomHex(random) + randomHex(random);
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `a${digits.slice(17, 20)}`];
  return `${groups.join('-')}-${digits.slice(20)}`;
}

/** One of `values`, which must not be empty. */
export function pick<Value>(random: Random, values: readonly [Value, ...Value[]]): Value {
  return values[random() % values.length] ?? values[0];
}
