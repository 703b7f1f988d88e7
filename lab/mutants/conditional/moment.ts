// What a trigger looks at: one request, who sends it and with what, and what went before it on the same server.

import { isObject, type Json } from '../wrappers/json.ts';

/** Whom a token stands for; a grandchild is a key that was made with a made key. */
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

/** What may have gone before. */
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
