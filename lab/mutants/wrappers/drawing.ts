// Chance for wrappers and drawn servers: a small generator that a seed determines.

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
