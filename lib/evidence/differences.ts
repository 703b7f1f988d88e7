// In what two values of JSON differ.
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../client/reply.ts';

const listMax = 5;

/** JSON pointers to the first places where two values differ. */
function places(one: unknown, other: unknown, path = '', found: string[] = []): string[] {
  if (found.length >= listMax || isDeepStrictEqual(one, other)) return found;
  const bothLists = Array.isArray(one) && Array.isArray(other);
  if (!bothLists && !(isObject(one) && isObject(other))) return [...found, path];
  const [left, right] = [Object.entries(one), Object.entries(other)];
  const keys = new Set([...left, ...right].map(([key]) => key));
  const values = [new Map(left), new Map(right)] as const;
  let all = found;
  for (const key of keys) all = places(values[0].get(key), values[1].get(key), `${path}/${key}`, all);
  return all;
}

/** JSON pointers to the first places where they differ, also where one holds members of which the other says nothing. */
export const differencesBetween = (one: object, other: object): string[] =>
  places(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
