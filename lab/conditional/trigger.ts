// What a trigger is: a condition on a request, under which a conditional mutant misbehaves; and what it looks at.
import { isObject, type Json } from '../mutants/wrappers/mutator.ts';

/** The kind of a token; a grandchild is a key created by a created key. */
export type Caller =
  | 'primary'
  | 'restricted'
  | 'secondary'
  | 'session'
  | 'homeless'
  | 'rate'
  | 'sibling'
  | 'made'
  | 'made-by-session'
  | 'grandchild'
  | 'stranger';

/** Events that may have happened before. */
export const events = ['create', 'edit', 'delete', 'refusal', 'replay', 'revocation', 'switch', 'bad-token'] as const;
export type Event = (typeof events)[number];
/** How many requests ago each event was last seen, 1 for the request just before; Infinity: never. */
export type Since = Readonly<Record<Event, number>>;

/** The record that the path names, if it was made since the server began. */
export interface Target {
  /** 1 for the first record of its kind. */
  readonly ordinal: number;
  readonly ageMs: number;
  readonly edits: number;
  /** The body that it was made or last edited with. */
  readonly texts: string;
}

interface Past {
  /** Requests before this one: of everybody, of this caller, of this operation, of both. */
  readonly requests: number;
  readonly ofCaller: number;
  readonly ofOperation: number;
  /** Milliseconds since the first request, and since the one before. */
  readonly runMs: number;
  readonly idleMs: number;
  readonly since: Since;
  /** Of the same caller only. */
  readonly sinceOwn: Since;
}

export interface Moment {
  readonly operation: string;
  readonly method: string;
  readonly caller: Caller;
  readonly headers: Headers;
  readonly query: URLSearchParams;
  /** The body as it was sent, and parsed; empty and undefined where there is none. */
  readonly text: string;
  readonly body: unknown;
  readonly idempotencyKey: 'none' | 'fresh' | 'used';
  readonly target: Target | undefined;
  /** The identifier that ends the path. */
  readonly id: number | undefined;
  readonly past: Past;
  /** The honest reply, on GET, where the trigger looks at it. */
  readonly reply?: Json;
}

/** The members of the body; empty where it is not an object. */
export const membersOf = ({ body }: Moment): Json => (isObject(body) ? body : {});

/** The records of the reply: those of a list, or the one. */
export function recordsOf({ reply }: Moment): Json[] {
  const data = reply?.data;
  if (Array.isArray(data)) return data.filter(isObject);
  return isObject(data) ? [data] : [];
}

/** The pagination of a reply; undefined where there is none. */
export const paginationOf = ({ reply }: Moment): Json | undefined =>
  isObject(reply?.pagination) ? reply.pagination : undefined;

/** Every text in a value, however deep. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

export const kinds = [
  'caller',
  'header',
  'operation',
  'query',
  'shape',
  'value',
  'position',
  'history',
  'node',
] as const;
export type Kind = (typeof kinds)[number] | 'conjunction';

export interface Trigger {
  readonly kind: Kind;
  /** Completes "only where ...". */
  readonly words: string;
  /** On GET it looks at the honest reply. */
  readonly looksAtReply: boolean;
  readonly holds: (moment: Moment) => boolean;
}

type Holds = Trigger['holds'];

/** Triggers of one kind, from their words and conditions. */
export const triggersOf = (
  kind: Kind,
  conditions: Readonly<Record<string, Holds>>,
  looksAtReply = false,
): readonly Trigger[] => Object.entries(conditions).map(([words, holds]) => ({ kind, words, looksAtReply, holds }));

export const both = (one: Trigger, other: Trigger): Trigger => ({
  kind: 'conjunction',
  words: `${one.words}, and ${other.words}`,
  looksAtReply: one.looksAtReply || other.looksAtReply,
  holds: (moment) => one.holds(moment) && other.holds(moment),
});

/*
 * Drawing by rank: who is drawn depends on names and not on places, so that a new mutant or trigger leaves most draws as
 * they were.
 */
/** A number from 0 to 2^32 - 1 that follows from a text (FNV-1a, mixed). */
function hash(text: string): number {
  let mixed = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) mixed = Math.imul(mixed ^ text.charCodeAt(place), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The items in an order of chance that follows from `draw` and their names. */
export function ranked<Item>(items: readonly Item[], draw: string, name: (item: Item) => string): Item[] {
  const places = items.map((item) => ({ item, place: hash(`${draw} ${name(item)}`) }));
  return places.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
