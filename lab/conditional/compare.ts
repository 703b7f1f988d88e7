// Whether a reply differs from the honest one in more than a lawful server may choose.
import { isObject, type Json, parsed } from '../mutants/wrappers/mutator.ts';
import type { Kept } from './condition.ts';
import type { Exchange, Given } from './exchange.ts';
import { alsoOf, type Difference, differs, isNamedCode, isSuccess, looseFault } from './leeway.ts';

/** A shorter text may stand anywhere. */
const shortestSecret = 30;

/** Maps the identifiers of one server to those of the other. */
export class Pairs {
  readonly #there = new Map<string, string>();
  readonly #back = new Map<string, string>();
  readonly #lost = new Set<string>();
  readonly #secrets: string[] = [];

  /** The other server's value; the same one if it never issued another. */
  readonly value = (kind: Given, first: string): string => this.#there.get(`${kind} ${first}`) ?? first;

  /** Whether both can be the same thing, as far as is known. */
  meet(kind: Given, first: unknown, second: unknown): boolean {
    const [one, other] = [`${kind} ${first}`, `${kind} ${second}`];
    const [there, back] = [this.#there.get(one), this.#back.get(other)];
    if (there === undefined && back === undefined) {
      this.#there.set(one, String(second));
      this.#back.set(other, String(first));
      return true;
    }
    return there === String(second) && back === String(first);
  }

  /** Whether a reply may be numbered so: not as another one, though a repeat may have a number of its own. */
  meetRequest(first: string, second: string): boolean {
    const other = `request ${second}`;
    const back = this.#back.get(other) ?? first;
    this.#back.set(other, back);
    return back === first;
  }

  /** Of cursors only the latest counts: a server may write a new one each time. */
  replace(kind: Given, first: string, second: string): void {
    this.#there.set(`${kind} ${first}`, second);
    this.#lost.delete(first);
  }

  /** What comes behind this cursor of the first server is not what comes behind any of the second. */
  lose(cursor: string): void {
    this.#lost.add(cursor);
  }
  isLost = (cursor: string): boolean => this.#lost.has(cursor);

  /** A key that the second server gave out; nothing shows it again, with its prefix or without, as it is or in base64. */
  keep(secret: string): void {
    if (secret.length < shortestSecret) return;
    this.#secrets.push(secret.replace(/^svc_sk_/, ''), Buffer.from(secret).toString('base64').replace(/=+$/, ''));
  }
  leaks = (text: string): boolean => this.#secrets.some((one) => text.includes(one));
}

/** The largest lawful difference of clocks. */
const skewMs = 300_000;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Members that the document names: one more in a reply is a difference, of others nothing is said. */
const documented = new Set([
  ...['pagination', 'data', 'error', 'api_key', 'user_id', 'account_id', 'scopes', 'tier'],
  ...['name', 'company_type', 'website', 'address', 'address2', 'city', 'state', 'zip', 'org_id', 'linkedin_url'],
  ...['contact_type', 'first_name', 'last_name', 'email', 'title', 'department', 'photo_url', 'phones', 'is_primary'],
]);

const recordKinds: readonly [RegExp, Given][] = [
  [/\/notes/, 'note'],
  [/ \/companies/, 'company'],
  [/ \/contacts/, 'contact'],
  [/ \/api-keys/, 'key'],
];

export class Comparison {
  readonly #pairs: Pairs;
  readonly #exchange: Exchange;
  readonly #kind: Given | undefined;

  constructor(pairs: Pairs, exchange: Exchange) {
    this.#pairs = pairs;
    this.#exchange = exchange;
    this.#kind = recordKinds.find(([pattern]) => pattern.test(exchange.operation))?.[1];
  }

  /** The first difference that counts. */
  of(other: Kept): Difference {
    const { reply, sent } = this.#exchange;
    const isAsWell = other.status !== reply.status && alsoOf(this.#exchange).includes(other.status);
    if (!sent.open && !this.#isLost()) return isAsWell ? looseFault(other) : this.#exactly(other);
    const next = nextCursorOf(this.#exchange);
    // What follows a page that may be another one cannot be compared either.
    if (this.#exactly(other) !== undefined && next !== undefined) this.#pairs.lose(next);
    return looseFault(other);
  }

  #exactly(other: Kept): Difference {
    const { reply, json, sent } = this.#exchange;
    // idempotency-replay: a repeat is answered with a success.
    const isAnswered = sent.repeat && isSuccess(reply) && isSuccess(other);
    if (other.status !== reply.status && !isAnswered) return `the status is ${other.status} instead of ${reply.status}`;
    const second = parsed(other.text);
    if (second === undefined) return 'the reply is not JSON';
    if (secretsIn(other.text) > secretsIn(reply.text) || this.#isLeak(other)) return 'the reply shows a secret';
    return this.#value('the reply', '', this.#ordered(json), this.#ordered(second));
  }

  /** key-secrecy: in no reply but that to the creation, under any name. */
  #isLeak({ text }: Kept): boolean {
    return this.#exchange.operation !== 'POST /api-keys' && this.#pairs.leaks(text);
  }

  /** Whether it goes on from a page that was another one than the honest server's. */
  #isLost(): boolean {
    const [, cursor] = /⟦cursor:([^⟧]*)⟧/.exec(this.#exchange.sent.path) ?? [];
    return cursor !== undefined && this.#pairs.isLost(cursor);
  }

  /** A list that fits on one page may stand in any order: what a sort does is not shown either (sort-values). */
  #ordered(json: unknown): unknown {
    if (isUnshown(this.#exchange) && isObject(json)) return { ...json, data: isObject(json.data) };
    if (!isWhole(this.#exchange) || !isObject(json) || !Array.isArray(json.data)) return json;
    return { ...json, data: [...json.data].sort((one, other) => Number(one?.id) - Number(other?.id)) };
  }

  #value(place: string, name: string, honest: unknown, other: unknown): Difference {
    if (this.#correspond(name, honest, other)) return undefined;
    if (Array.isArray(honest) && Array.isArray(other)) return this.#array(place, honest, other);
    if (isObject(honest) && isObject(other)) return this.#object(place, honest, other);
    return differs(place, honest, other);
  }

  #correspond(name: string, honest: unknown, other: unknown): boolean {
    const special = this.#special(name, honest, other);
    if (special !== undefined) return special;
    // Null, left out, or what an empty record would have: all are lawful for what was not given.
    if (honest === null) return other === null || other === undefined || other === false || isEmptyList(other);
    // round-trip: an empty text is no normal form, and may be kept as nothing.
    if (honest === '') return other === '' || other === null || other === undefined;
    return honest === other;
  }

  /** The judgement on what may lawfully differ; undefined: it may not. */
  #special(name: string, honest: unknown, other: unknown): boolean | undefined {
    if (name === 'last_used_at') return other === null || other === undefined || isDateTime(other);
    // phone-shape: neither need come back.
    if ((name === 'raw' || name === 'country') && (other === null || other === undefined)) return true;
    if (name === 'next_cursor' || name === 'cursor') return this.#cursor(name, honest, other);
    if (typeof honest === 'number' && typeof other === 'number') {
      const kind = name === 'id' ? this.#kind : identifiers[name];
      return kind && this.#pairs.meet(kind, honest, other);
    }
    return typeof honest === 'string' && typeof other === 'string' ? this.#text(name, honest, other) : undefined;
  }

  #text(name: string, honest: string, other: string): boolean | undefined {
    if (name === 'request_id') return this.#requestId(honest, other);
    if (name === 'api_key') this.#pairs.keep(other);
    if (secrets.includes(name)) return other.startsWith('svc_sk_') && this.#pairs.meet('secret', honest, other);
    if (name === 'message') return this.#message(honest, other);
    if (name === 'code' && !isNamedCode(honest)) return other !== '';
    // note-text-kept, round-trip: white space at the ends may go.
    if (honest.trim() !== honest && honest.trim() === other.trim()) return true;
    if (dateTime.test(honest)) return dateTime.test(other) && areClose(honest, other);
    return undefined;
  }

  #cursor(name: string, honest: unknown, other: unknown): boolean {
    // cursor-nulls: the cursor of later pages and the next_cursor of the last one are recorded.
    if (name === 'cursor') return typeof honest === 'string' || other === null || other === undefined;
    if (typeof honest !== 'string') return true;
    if (!isCursor(other)) return false;
    this.#pairs.replace('cursor', honest, String(other));
    return true;
  }

  /** request-id-uniqueness: on errors it is recorded. */
  #requestId(honest: string, other: string): boolean {
    if (other === '' || isOwn(other)) return other !== '';
    return !isSuccess(this.#exchange.reply) || this.#pairs.meetRequest(honest, other);
  }

  /** Words are free, but not the seconds of a 429. */
  #message(honest: string, other: string): boolean {
    if (this.#exchange.reply.status !== 429) return other !== '';
    const [one, two] = [honest, other].map((text) => Number(/\d+/.exec(text)?.[0] ?? Number.NaN));
    return Math.abs(Number(one) - Number(two)) <= 2;
  }

  #array(place: string, honest: unknown[], other: unknown[]): Difference {
    if (honest.length !== other.length) return `${place} has ${other.length} entries instead of ${honest.length}`;
    for (const [index, one] of honest.entries()) {
      const difference = this.#value(`${place}[${index}]`, '', one, other[index]);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }

  /** pagination-presence: the account lists may have pages. */
  #isUnexpected(name: string): boolean {
    const mayHavePages = /^GET \/me\/(team-)?accounts$/.test(this.#exchange.operation);
    return documented.has(name) && !(name === 'pagination' && mayHavePages);
  }

  #object(place: string, honest: Json, other: Json): Difference {
    const inside = place === 'the reply' ? '' : `${place}.`;
    for (const [name, value] of Object.entries(honest)) {
      const difference = this.#value(inside + name, name, value, other[name]);
      if (difference !== undefined) return difference;
    }
    const more = Object.keys(other).find(
      (name) => this.#isUnexpected(name) && !(name in honest) && other[name] !== null,
    );
    return more === undefined ? undefined : `${inside}${more} is there, and should not be`;
  }
}

export function nextCursorOf({ json }: Exchange): string | undefined {
  const next = isObject(json) && isObject(json.pagination) ? json.pagination.next_cursor : undefined;
  return typeof next === 'string' ? next : undefined;
}

const base64 = /^[\w+/-]+={0,2}$/;
const isCursor = (value: unknown): boolean => typeof value === 'string' && base64.test(value);

/** The document shows no field of it. */
const isUnshown = ({ operation }: Exchange): boolean => operation === 'PATCH /me/active-account';

/** How many whole keys a text holds. */
const secretsIn = (text: string): number =>
  text.includes('svc_sk_') ? (text.match(/svc_sk_\w{30}/g)?.length ?? 0) : 0;

/** A list of which the honest server shows all at once. */
function isWhole({ json, sent }: Exchange): boolean {
  const pagination = isObject(json) ? json.pagination : undefined;
  return isObject(pagination) && pagination.has_more === false && !/cursor=|offset=/.test(sent.path);
}

/** Of a reply that a wrapper wrote itself: it is not numbered, and that is not the change that is looked for. */
const isOwn = (requestId: string): boolean => requestId.startsWith('req_mutant_');
const secrets = ['api_key', 'key_prefix'];
const identifiers: Readonly<Record<string, Given>> = { company_id: 'company', note_id: 'note' };
const isDateTime = (value: unknown): boolean => typeof value === 'string' && dateTime.test(value);
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const areClose = (one: string, other: string): boolean => Math.abs(Date.parse(one) - Date.parse(other)) <= skewMs;
