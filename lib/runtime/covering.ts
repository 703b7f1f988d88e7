// Which of many optional members stand in which record, so that a few records show what each does to another.
import type { Random } from './random.ts';

/** All ways to choose half of so many places, or the greater half. */
const halves = (places: number): readonly (readonly number[])[] =>
  Array.from({ length: 2 ** places }, (_, bits) =>
    Array.from({ length: places }, (_, place) => place).filter((place) => (bits >> place) & 1),
  ).filter(({ length }) => length === Math.ceil(places / 2));

/** The least even number of rows whose halves are as many as the names. */
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
