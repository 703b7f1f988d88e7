// The ways in which a stated member is broken, and how a wrapper reaches the records of a reply.
import { type Json, without } from './json.ts';

/** A value of another type, which no reader could mistake for the original. */
function retyped(value: unknown): unknown {
  if (typeof value === 'string') return { text: value };
  if (typeof value === 'number' || typeof value === 'boolean') return `#${value}`;
  if (Array.isArray(value)) return { items: value };
  return value === null || value === undefined ? value : ['object'];
}

export const ways = {
  dropped: (object: Json, name: string): Json => without(object, name),
  nulled: (object: Json, name: string): Json => (name in object ? { ...object, [name]: null } : object),
  retyped: (object: Json, name: string): Json =>
    name in object ? { ...object, [name]: retyped(object[name]) } : object,
} as const satisfies Record<string, (object: Json, name: string) => Json>;

export type Way = keyof typeof ways;
export const everyWay = Object.keys(ways) as Way[];

/** `POST /companies/{company_id}/notes` as part of an identifier: `post-companies-id-notes`. */
export const slugOf = (operation: string): string =>
  operation
    .toLowerCase()
    .replace(/\{\w+\}/g, 'id')
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '');
