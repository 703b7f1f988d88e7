// A small seeded generator: the same seed always throws the same numbers.

const HEX = '0123456789abcdef';

/** A 32-bit mix of a text and a number, used to give each purpose its own stream. */
export function mix(seed: number, label: string): number {
  let h = (seed ^ 0x9e3779b9) | 0;
  for (let i = 0; i < label.length; i += 1) {
    h = Math.imul(h ^ label.charCodeAt(i), 0x85ebca6b);
    h ^= h >>> 13;
  }
  return scatter(h);
}

/** A one-to-one mixing of 32-bit numbers. */
export function scatter(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

export class Dice {
  #state: number;

  constructor(seed: number, label: string) {
    this.#state = mix(seed, label);
  }

  /** A whole number from 0 to 2^32 - 1. */
  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** A whole number from 0 to size - 1. */
  below(size: number): number {
    return this.word() % size;
  }

  /** A whole number from low to high, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True once in so many throws. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.word().toString(16).padStart(8, '0');
    return text.slice(0, length);
  }

  text(alphabet: string, length: number): string {
    let text = '';
    for (let i = 0; i < length; i += 1) text += alphabet.charAt(this.below(alphabet.length));
    return text;
  }

  bytes(length: number): Buffer {
    return Buffer.from(this.hex(length * 2), 'hex');
  }

  uuid(): string {
    const h = this.hex(32);
    const variant = HEX.charAt(8 + (h.charCodeAt(16) % 4));
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20)}`;
  }
}
