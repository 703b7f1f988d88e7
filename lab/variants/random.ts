// Randomised lawful servers: every choice drawn at random, with some wrappers that can be combined.
import type { Wrap } from '../mutants/mutant.ts';
import { type Draw, drawing } from '../mutants/wrappers/nodes.ts';
import { type Choices, choiceValues } from '../reference/index.ts';
import { exceptionsOf } from './choices.ts';
import envelope from './envelope.ts';
import errors from './errors.ts';
import lists from './lists.ts';
import network from './network.ts';
import records from './records.ts';
import { type Exceptions, together, type Variant } from './variant.ts';

/** Values that leave much untested or make a run several times as long are drawn less often: once in this many. */
const rare: { readonly [Name in keyof Choices]?: number } = { keyCreation: 8, shortPages: 3 };

function drawnChoices(draw: Draw): Partial<Choices> {
  return Object.fromEntries(
    Object.entries(choiceValues).map(([name, values]) => {
      const often = rare[name as keyof Choices];
      return [name, often !== undefined && draw(often) > 0 ? values[0] : values[draw(values.length)]];
    }),
  );
}

/** At most one wrapper of each theme, the first nearest to the server; those that need a certain reference are left out. */
const themes: readonly (readonly Variant[])[] = [lists, records, errors, envelope, network];
const apart = new Set([
  ...['network-path-prefix', 'network-very-slow'],
  // Late beside a list that lags is too late; and links hold other numbers than scattered identifiers.
  ...['lists-with-late-totals', 'lists-with-late-deletions', 'lists-with-fields-keep-links'],
  // So that every seed draws the servers that it drew before these were added.
  ...['lists-of-the-team-begin-with-nothing', 'lists-with-sort-ignored', 'envelope-byte-order-mark'],
  ...['lists-with-sparse-pages', 'lists-with-very-sparse-pages', 'lists-with-cursors-for-one-use'],
  // Other wrappers read numbers as doubles.
  ...['records-identifiers-beyond-31-bits', 'records-identifiers-beyond-53-bits'],
]);
const combinable = themes.map((theme) =>
  theme.filter(({ id, wrap, reference, target, skewMs }) => wrap && !reference && !target && !skewMs && !apart.has(id)),
);

const merged = (all: readonly (Exceptions | undefined)[]): Exceptions => Object.assign({}, ...all);

/** The server of a seed. */
export function randomServer(seed: number): Variant {
  const draw = drawing(seed);
  const choices: { -readonly [Name in keyof Choices]?: Choices[Name] } = drawnChoices(draw);
  const drawn = combinable.flatMap((theme) => {
    const one = theme[draw(theme.length * 2)];
    // What a lost reply leaves open is judged in lab/network, where it may stay open.
    return one && one.id !== 'network-breaks' ? [one] : [];
  });
  const wraps = drawn.flatMap(({ wrap }): Wrap[] => (wrap ? [wrap] : []));
  // These read the whole honest list, and short pages would use up the rate limit of the account.
  if (drawn.some((one) => lists.includes(one))) choices.shortPages = 0;
  if (drawn.some(({ id }) => id === 'records-key-used-since-creation')) choices.lastUsedAt = 'tracked';
  // Without key creation the exceptions would be different ones.
  if (choices.keyCreation === false) Object.assign(choices, { unknownKeyDeletion: 404, foreignKeyDeletion: 404 });
  const limits = Object.entries(choices).map(([name, value]) => exceptionsOf[`${name as keyof Choices}=${value}`]);
  const untested = merged([...limits, ...drawn].map((one) => one?.untested));
  const warned = merged([...limits, ...drawn].map((one) => one?.warned));
  return {
    id: `random-${seed}`,
    why: `every choice drawn with seed ${seed}${drawn.map(({ id }) => `, ${id}`).join('')}`,
    reference: { seed: seed + 1, choices },
    wrap: together(wraps),
    untested,
    warned: Object.fromEntries(Object.entries(warned).filter(([id]) => !(id in untested))),
  };
}
