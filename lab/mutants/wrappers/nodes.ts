// Randomness, and servers of two nodes with the same records, one of which answers at random.
import type { Wrap } from '../mutant.ts';

/** Draws an integer from 0 to below `count`. */
export type Draw = (count: number) => number;

/** A small generator (mulberry32), so that a seed determines a server. */
export function drawing(seed: number): Draw {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return (count) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

/** Each request is answered by one node or, on average once in `oneIn`, by the other; the seed determines when. */
export const byChance =
  (node: Wrap, other: Wrap, oneIn: number, seed = oneIn): Wrap =>
  (honest, clock) => {
    const draw = drawing(seed);
    const [usual, rare] = [node(honest, clock), other(honest, clock)];
    return (request) => (draw(oneIn) === 0 ? rare : usual)(request);
  };

/** The node that is as the honest server. */
export const asItIs: Wrap = (honest) => honest;
