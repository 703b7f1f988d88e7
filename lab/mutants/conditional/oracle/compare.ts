// Whether a reply differs from the honest one in more than what a lawful server is free to do otherwise.

import { isObject, type Json } from '../../wrappers/json.ts';
import type { Kept } from '../condition.ts';
import type { Exchange, Given } from './exchange.ts';

/** Clocks may be apart by so much. */
const skewMs = 300_000;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const base64 = /^[\w+/-]+={0,2}$/;

/** Members that the document names: one more in a reply is a difference, of others nothing is said. */
const documented = new Set([
  ...['pagination', 'data', 'error', 'api_key', 'user_id', 'account_id', 'scopes', 'tier', 'next_cursor'],
  ...['name', 'company_type', 'website', 'address', 'address2', 'city', 'state', 'zip', 'org_id', 'linkedin_url'],
  ...['contact_type', 'first_name', 'last_name', 'email', 'title', 'department', 'photo_url', 'phones', 'is_primary'],
]);

/** What one server gave out, and what the other gave out in its place. */
export class Pairs {
  readonly #there = new Map<string, string>();
  readonly #back = new Map<string, string>();

  /** What the other server knows by another name; the same value where it never gave one out. */
  value(kind: Given, first: string): string {
    return this.#there.get(`${kind} ${first}`) ?? first;
  }

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
  }
}

const recordKinds: readonly [RegExp, Given][] = [
  [/\/notes/, 'note'],
  [/ \/companies/, 'company'],
  [/ \/contacts/, 'contact'],
  [/ \/api-keys/, 'key'],
];

/** What is wrong, in words; undefined: nothing. */
type Difference = string | undefined;
const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};
const differs = (place: string, honest: unknown, other: unknown): string =>
  `${place} is ${shown(other)} instead of ${shown(honest)}`;

export class Comparison {
  readonly #pairs: Pairs;
  readonly #exchange: Exchange;
  readonly #kind: Given | undefined;
  readonly #cursorSent: string | null;

  /** `cursorSent`: what the second server was sent as its cursor. */
  constructor(pairs: Pairs, exchange: Exchange, cursorSent: string | null) {
    this.#pairs = pairs;
    this.#exchange = exchange;
    this.#kind = recordKinds.find(([pattern]) => pattern.test(exchange.operation))?.[1];
    this.#cursorSent = cursorSent;
  }

  /** The first difference that counts. */
  of(other: Kept): Difference {
    const { reply, json, sent } = this.#exchange;
    if (sent.judged !== 'exact') return this.#loosely(other);
    if (other.status !== reply.status && !isWantOfAccount(this.#exchange, other))
      return `the status is ${other.status} instead of ${reply.status}`;
    const type = other.headers.get('content-type') ?? 'no content type';
    if (!type.startsWith('application/json')) return `the reply is labelled ${type}`;
    const second = parsed(other.text);
    if (second === undefined) return 'the reply is not JSON';
    if (secretsIn(other.text) > secretsIn(reply.text)) return 'the reply shows a secret';
    return this.#value('the reply', '', this.#ordered(json), this.#ordered(second));
  }

  /** A list that fits on one page may stand in any order, where none was asked for. */
  #ordered(json: unknown): unknown {
    if (isUnshown(this.#exchange) && isObject(json)) return { ...json, data: isObject(json.data) };
    const whole = isWhole(this.#exchange) && !this.#exchange.sent.path.includes('sort=');
    if (!whole || !isObject(json) || !Array.isArray(json.data)) return json;
    return { ...json, data: [...json.data].sort((one, other) => Number(one?.id) - Number(other?.id)) };
  }

  #loosely({ status, text }: Kept): Difference {
    const { reply, sent } = this.#exchange;
    if (status >= 500) return `the status is ${status} instead of ${reply.status}`;
    if (sent.judged === 'refused' && status < 400) return `it is accepted with ${status} instead of refused`;
    const json = parsed(text);
    if (!isObject(json)) return 'the reply is not a JSON object';
    return status < 400 ? undefined : this.#error(json);
  }

  #error(json: Json): Difference {
    const { request_id, error } = json;
    if (typeof request_id !== 'string' || request_id === '') return differs('request_id', 'a text', request_id);
    if (!isObject(error)) return differs('error', 'an object', error);
    const wrong = ['code', 'message'].find((name) => typeof error[name] !== 'string' || error[name] === '');
    return wrong === undefined ? undefined : differs(`error.${wrong}`, 'a text', error[wrong]);
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
    return honest === other;
  }

  /** The judgement on what may lawfully differ; undefined: it may not. */
  #special(name: string, honest: unknown, other: unknown): boolean | undefined {
    if (name === 'last_used_at') return other === null || other === undefined || typeof other === 'string';
    if (name === 'next_cursor' || name === 'cursor') return this.#cursor(name, honest, other);
    if (typeof honest === 'number' && typeof other === 'number') {
      const kind = name === 'id' ? this.#kind : identifiers[name];
      return kind && this.#pairs.meet(kind, honest, other);
    }
    return typeof honest === 'string' && typeof other === 'string' ? this.#text(name, honest, other) : undefined;
  }

  #text(name: string, honest: string, other: string): boolean | undefined {
    if (name === 'request_id') return isOwn(other) || (other !== '' && this.#pairs.meetRequest(honest, other));
    if (secrets.includes(name)) return other.startsWith('svc_sk_') && this.#pairs.meet('secret', honest, other);
    if (name === 'message') return this.#message(honest, other);
    if (name === 'code' && !namedCodes.includes(honest)) return other !== '';
    if (dateTime.test(honest)) return dateTime.test(other) && areClose(honest, other);
    return undefined;
  }

  #cursor(name: string, honest: unknown, other: unknown): boolean {
    if (typeof honest !== 'string') return other === null || other === undefined;
    if (typeof other !== 'string') return false;
    if (name === 'cursor') return other === this.#cursorSent;
    this.#pairs.replace('cursor', honest, other);
    return base64.test(other);
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

  #object(place: string, honest: Json, other: Json): Difference {
    const inside = place === 'the reply' ? '' : `${place}.`;
    for (const [name, value] of Object.entries(honest)) {
      const difference = this.#value(inside + name, name, value, other[name]);
      if (difference !== undefined) return difference;
    }
    const more = Object.keys(other).find((name) => documented.has(name) && !(name in honest) && other[name] !== null);
    return more === undefined ? undefined : `${inside}${more} is there, and should not be`;
  }
}

/** Whoever has no account stored may be refused for that first, wherever one is needed. */
const isWantOfAccount = ({ reply, sent }: Exchange, other: Kept): boolean =>
  sent.who === homeless && reply.status === 403 && other.status === 400;
const homeless = 'the session without an account';

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
const namedCodes = ['UNAUTHORIZED', 'RATE_LIMITED'];
const identifiers: Readonly<Record<string, Given>> = { company_id: 'company', note_id: 'note' };
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const areClose = (one: string, other: string): boolean => Math.abs(Date.parse(one) - Date.parse(other)) <= skewMs;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
