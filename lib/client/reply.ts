// One exchange with the target as a case sees it, and how to look into its body.
import type { OperationId } from '../catalogue/operations.ts';

/** A request as it went over the wire. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Reply {
  /** Number of the exchange in this run, from 1. */
  readonly id: number;
  /** Absent on routes that the document does not know. */
  readonly operation?: OperationId;
  readonly request: Sent;
  /** The credential's name; `none` where no Authorization header was sent. */
  readonly credential: string;
  /** The case on whose behalf it was sent. */
  readonly owner: string;
  /** Milliseconds since the epoch on the run's clock. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** How many replies the run had when this was sent: two were under way together where each was sent before the other's reply. */
  readonly after: number;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON. */
  readonly json: unknown;
  /** The call was marked as undocumented. */
  readonly undocumented?: true;
  /** Its Idempotency-Key had been sent more than once when it came: it may repeat the reply to another request. */
  readonly mayReplay?: true;
}

/** Carried out: any 2xx. */
export const wasAccepted = ({ status }: Pick<Reply, 'status'>): boolean => status >= 200 && status < 300;

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value under a path of member names and indexes; undefined where the path leads nowhere. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step];
    else if (isObject(found) && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}

/** `data` of a reply's envelope. */
export const dataOf = (reply: Reply): unknown => at(reply.json, 'data');

/** `data` as a list of records; empty where it is not one (expectations say so first). */
export function itemsOf(reply: Reply): readonly JsonObject[] {
  const data = dataOf(reply);
  return Array.isArray(data) ? data.filter(isObject) : [];
}

export type RecordKind = 'company' | 'contact' | 'note' | 'key';

/** The identifier of a record, whose name the document leaves open except on keys: `id`, or the kind with `_id`. */
export function identifierOf(kind: RecordKind, record: unknown): number | string | undefined {
  const found = at(record, 'id') ?? at(record, `${kind}_id`) ?? at(record, `${kind}Id`);
  return typeof found === 'number' || typeof found === 'string' ? found : undefined;
}

/** A value in a JSON tree, and the path that leads to it. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Every value in a JSON tree with its path, depth first. */
export function walk(value: unknown, path: Place['path'] = [], places: Place[] = []): Place[] {
  places.push({ path, value });
  if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index], places);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) walk(item, [...path, name], places);
  return places;
}

/** Every text in a JSON tree, depth first. */
export function textsIn(value: unknown, texts: string[] = []): string[] {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) textsIn(item, texts);
  return texts;
}
