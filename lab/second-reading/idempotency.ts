// The memory of Idempotency-Keys.
import type { Entry } from './idempotency-store.ts';
import { refuse } from './refusal.ts';
import type { Visit } from './visit.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The key sent with a request, or undefined when there is none to heed. */
export function keyOf(visit: Visit): string | undefined {
  const { choices, call } = visit;
  const sent = call.header('idempotency-key');
  if (sent === undefined) return undefined;
  if (sent.trim() === '') {
    return choices.idemBlank === 'as-absent' ? undefined : refuse(400, 'bad_request', 'The Idempotency-Key is blank.');
  }
  if (choices.idemNotUuid !== 'accepted' && !UUID.test(sent)) {
    refuse(choices.idemNotUuid, 'bad_request', 'The Idempotency-Key must be a UUID.');
  }
  return choices.idemCase === 'any-case' ? sent.toLowerCase() : sent;
}

/** The name under which a key is kept: for whom it counts, and where. */
export function entryName(visit: Visit, key: string): string {
  const { idemScope } = visit.choices;
  const user = visit.caller?.user.number ?? 0;
  if (idemScope === 'user') return `u${user}:${key}`;
  const account = visit.account?.number ?? `u${user}`;
  if (idemScope === 'account') return `a${account}:${key}`;
  const path = requestOf(visit);
  if (idemScope === 'account-and-path') return `a${account}:${path}:${key}`;
  if (idemScope === 'user-and-path') return `u${user}:${path}:${key}`;
  const credential = visit.caller?.key?.id ?? `u${user}`;
  return `c${credential}:${path}:${key}`;
}

export function isSameRequest(entry: Entry, visit: Visit): boolean {
  return entry.request === requestOf(visit) && entry.body === printOf(visit);
}

/** Refuses, or lets pass, another request under a key already used. */
export function meetOther(entry: Entry, visit: Visit): void {
  const { idemOtherBody } = visit.choices;
  const elsewhere = entry.request !== requestOf(visit);
  if (idemOtherBody === 'replay' && !elsewhere) return;
  const status = idemOtherBody === 'replay' ? '422' : idemOtherBody;
  refuse(status, 'idempotency_conflict', 'This Idempotency-Key was used for another request.');
}

export function requestOf(visit: Visit): string {
  return `${visit.operation.method} ${visit.operation.path} ${visit.ids.join(' ')}`;
}

export function printOf(visit: Visit): string {
  const { body } = visit.call;
  return visit.choices.idemSameBody === 'bytes' ? body : canonical(body);
}

function canonical(body: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(body)));
  } catch {
    return body;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}
