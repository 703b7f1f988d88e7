// The oddities, theme by theme.
import accounts from './accounts.ts';
import envelope from './envelope.ts';
import errors from './errors.ts';
import freedoms from './freedoms.ts';
import limits from './limits.ts';
import lists from './lists.ts';
import network from './network.ts';
import type { Oddity } from './oddity.ts';
import population from './population.ts';
import records from './records.ts';
import refusals from './refusals.ts';

export const oddities: readonly Oddity[] = [
  freedoms,
  envelope,
  errors,
  accounts,
  records,
  refusals,
  lists,
  limits,
  network,
  population,
].flat();
