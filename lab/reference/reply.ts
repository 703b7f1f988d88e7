// Envelopes: every reply, success or error, is written here (Common response envelope, Errors).
import type { Result } from './operation.ts';
import { randomHex, randomUuid } from './random.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Service } from './service.ts';

/** A reply before it becomes a Response; what the idempotency memory keeps. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function requestId({ random, choices }: Service): string {
  return choices.requestIds === 'uuid' ? randomUuid(random) : `req_${randomHex(random)}`;
}

export function success(service: Service, status: number, result: Result, now: number): Reply {
  const envelope = { request_id: requestId(service), timestamp: service.wire.time(now), ...result };
  return { status, text: JSON.stringify(service.choices.extraFields ? { ...envelope, meta: { node: 1 } } : envelope) };
}

export function failure(service: Service, { status, code, message, headers }: Refusal): Reply {
  return { status, text: JSON.stringify({ request_id: requestId(service), error: { code, message } }), headers };
}

/** The reply to an error of this implementation itself; it does not show the cause. */
export const mishap = () => refuse(500, 'Internal error');

let second = Number.NaN;
let date = '';
/** A Date header, written once a second. */
function dateOf(now: number): string {
  if (Math.floor(now / 1000) !== second) {
    second = Math.floor(now / 1000);
    date = new Date(now).toUTCString();
  }
  return date;
}

export function toResponse({ status, text, headers }: Reply, now: number): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'application/json', Date: dateOf(now), ...headers } });
}
