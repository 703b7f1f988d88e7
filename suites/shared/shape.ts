// The shape of a record whose fields the document does not show, in words that are the same on every run.
import { isObject } from '../../lib/index.ts';

/** Names of members in alphabetical order, those of inner records in brackets; of a list its first item. */
export function shapeOf(value: unknown, depth = 2): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of (${shapeOf(value[0], depth)})`;
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  return Object.keys(value)
    .sort()
    .map((name) => (depth > 1 && isObject(value[name]) ? `${name} (${shapeOf(value[name], depth - 1)})` : name))
    .join(', ');
}
