// One exchange as a case sees it, and functions to read its body.
import type { OperationId } from '../catalogue/operations.ts';
import { computedOnce } from '../runtime/grouped.ts';
import { wordOf } from '../runtime/text.ts';

/** A request as sent. */
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
  /**
   * How many replies the run had when this was sent: two requests overlapped if each was sent before the other's reply.
   */
  readonly after: number;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
  /** The document leaves open what some part of the request does, so the reply shows nothing that depends on it. */
  readonly undocumented?: true;
  /** Why the reply may not be the target's; absent if it certainly is. */
  readonly doubt?: string;
  /** Its Idempotency-Key was sent more than once before the reply: it may repeat the reply to another request. */
  readonly mayReplay?: true;
}

/** Carried out: any 2xx. */
export const wasAccepted = ({ status }: Pick<Reply, 'status'>): boolean => status >= 200 && status < 300;

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of member names and indexes; undefined if there is none. */
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

/** `data` as a list of records; empty if it is none. */
export function itemsOf(reply: Reply): readonly JsonObject[] {
  const data = dataOf(reply);
  return Array.isArray(data) ? data.filter(isObject) : [];
}

export type RecordKind = 'company' | 'contact' | 'note' | 'key';

/** Inner records that describe something else: their identifier is not that of the outer record. */
const others = /account|user|author|owner|by$|creat|updat|edit|org|deal|phone|address|parent|member|team|link/i;
const kinds: readonly string[] = ['company', 'contact', 'note', 'key'];

/** The usual names of an identifier: the path parameter, or `id`, as the document shows it for keys. */
export function usualIdentifiers(kind: RecordKind): readonly string[] {
  const ofPath = [`${kind}_id`, `${kind}Id`];
  return kind === 'key' ? ['id', ...ofPath] : [...ofPath, 'id'];
}

function named(kind: RecordKind, record: JsonObject): unknown[] {
  return usualIdentifiers(kind).flatMap((name) => (Object.hasOwn(record, name) ? [record[name]] : []));
}

/** Other names of an integer identifier, if no usual name is there. */
const unusual = Object.fromEntries(
  kinds.map((kind) => [kind, new RegExp(`^(${kind}_?)?(id|identifier|number|no|nr|pk|ref|uid)$`, 'i')]),
) as Readonly<Record<RecordKind, RegExp>>;

const isIdentifier = (value: unknown): value is number | string =>
  typeof value === 'number' || (typeof value === 'string' && value !== '');

function unusualIn(kind: RecordKind, record: JsonObject): number | undefined {
  const names = unusual[kind];
  return Object.entries(record).flatMap(([name, value]) =>
    names.test(name) && typeof value === 'number' && Number.isInteger(value) ? [value] : [],
  )[0];
}

const searched = (kind: RecordKind) => (record: JsonObject) => {
  const isOwn = (name: string) => name === kind || !(kinds.includes(name) || others.test(name));
  const inner = () =>
    Object.entries(record).flatMap(([name, value]) => (isObject(value) && isOwn(name) ? named(kind, value) : []));
  const own = named(kind, record).filter(isIdentifier);
  const found = own.length > 0 ? own : inner().filter(isIdentifier);
  return found.find(Number.isInteger) ?? found[0] ?? unusualIn(kind, record);
};
/** Cached: the rules ask for the identifier of the same record a dozen times. */
const identifiers = {
  company: computedOnce(searched('company')),
  contact: computedOnce(searched('contact')),
  note: computedOnce(searched('note')),
  key: computedOnce(searched('key')),
};

/**
 * The identifier of a record. The document names it only for keys: `<kind>_id`, `id`, or one of them in an inner record
 * that describes the same thing, such as `ref`. Of several an integer comes first.
 */
export function identifierOf(kind: RecordKind, record: unknown): number | string | undefined {
  return isObject(record) ? identifiers[kind](record) : undefined;
}

/** The value is the identifier, or a text that ends with it, such as a link or a global identifier. */
const carries = (value: unknown, id: string): boolean =>
  wordOf(value) === id ||
  (typeof value === 'string' && value.endsWith(id) && '/:_-=#'.includes(value.charAt(value.length - id.length - 1)));

/** The members of a record that contain its identifier; a record with chosen fields may not show it itself. */
export function identifierNames(
  kind: RecordKind,
  record: JsonObject,
  id: number | string | undefined = identifierOf(kind, record),
): readonly string[] {
  if (id === undefined) return [];
  return Object.keys(record).filter((name) => walk(record[name]).some(({ value }) => carries(value, String(id))));
}

/** A value in a JSON tree, and the path that leads to it. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Paths are computed on demand: together they would take more memory than the values. */
class Branch implements Place {
  readonly value: unknown;
  private readonly step: string | number;
  private readonly within: Branch | undefined;

  constructor(value: unknown, step: string | number = '', within?: Branch) {
    this.value = value;
    this.step = step;
    this.within = within;
  }

  get path(): Place['path'] {
    const steps: (string | number)[] = [];
    for (let one: Branch = this; one.within !== undefined; one = one.within) steps.push(one.step);
    return steps.reverse();
  }
}

function grow(branch: Branch, places: Place[]): Place[] {
  const { value } = branch;
  places.push(branch);
  if (Array.isArray(value)) for (const [index, item] of value.entries()) grow(new Branch(item, index, branch), places);
  else if (isObject(value))
    for (const [name, item] of Object.entries(value)) grow(new Branch(item, name, branch), places);
  return places;
}

/** Every value in a JSON tree with its path, depth first. */
export const walk = (value: unknown): Place[] => grow(new Branch(value), []);

/** Every text in a JSON tree, depth first. */
export function textsIn(value: unknown, texts: string[] = []): string[] {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) textsIn(item, texts);
  return texts;
}
