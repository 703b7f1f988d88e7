// The single values of a reply under their paths.
import { dataOf, instant, isObject, type Reply, walk } from '../../lib/index.ts';

/**
 * Times are left out, because they may be those of the reply. Two nodes may spell a value in two ways: a number is written
 * plainly, also one that comes as a text, and letters are small.
 */
export function scalarValuesOf(reply: Reply): ReadonlyMap<string, string> {
  const isSingle = (value: unknown): boolean => value !== undefined && !isObject(value) && !Array.isArray(value);
  const single = walk(dataOf(reply)).filter(({ value }) => isSingle(value));
  return new Map(
    single
      .filter(({ value }) => !(typeof value === 'string' && instant(value) !== undefined))
      .map(({ path, value }) => [path.join('.'), plainly(JSON.stringify(value))]),
  );
}

const plainly = (leaf: string): string => String(numberIn(leaf) ?? leaf.toLowerCase());

/** The number that a leaf shows, also one that is written as a text; undefined where it shows none. */
export function numberIn(leaf: string | undefined): number | undefined {
  const digits = /^"?(-?[\d,]*\.?\d+)"?$/.exec(leaf ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}
