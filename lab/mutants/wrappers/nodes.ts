// Servers of two nodes with the same records: which of them answers is a matter of chance.
import type { Wrap } from '../mutant.ts';
import { drawing } from './drawing.ts';

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
