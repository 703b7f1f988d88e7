// Writing replies: the envelopes, the JSON text and the headers.
import { rateHeaders } from './charge.ts';
import type { Choices } from './choices.ts';
import { isoOf, writeTime } from './clock.ts';
import { type Dice, mix } from './dice.ts';
import type { Row } from './records.ts';
import type { Cause, Outcome, Refusal, Reply } from './refusal.ts';
import type { Call, Visit } from './visit.ts';
import type { World } from './world.ts';

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ACCEPTED_ID = /^[\w.-]{1,64}$/;

export class Printer {
  readonly #world: World;
  readonly #choices: Choices;
  readonly #steady: Record<string, string>;

  constructor(world: World) {
    this.#world = world;
    this.#choices = world.choices;
    this.#steady = steadyHeaders(world.choices);
  }

  success(visit: Visit, outcome: Outcome): Reply {
    const { choices, call, now } = visit;
    const requestId = this.#requestId(call, now);
    const text = writeJson(successBody(choices, requestId, writeTime(now, choices.timestampForm), outcome), choices);
    const headers = { ...this.#headers(requestId), ...rateHeaders(visit, outcome.status), ...outcome.headers };
    if (choices.etagHeader === 'weak' && call.method === 'GET')
      headers.ETag = `W/"${mix(text.length, text).toString(16)}"`;
    this.#echoKey(call, headers);
    return { status: outcome.status, headers, text };
  }

  refusal(call: Call, now: number, refusal: Refusal, visit: Visit | undefined): Reply {
    const choices = this.#choices;
    const requestId = this.#requestId(call, now);
    const text = writeJson(refusalBody(choices, requestId, writeTime(now, choices.timestampForm), refusal), choices);
    const limits = visit === undefined ? {} : rateHeaders(visit, refusal.status);
    const headers = { ...this.#headers(requestId), ...limits, ...refusal.headers };
    this.#echoKey(call, headers);
    return { status: refusal.status, headers, text };
  }

  #headers(requestId: string): Record<string, string> {
    const { requestIdHeader } = this.#choices;
    return requestIdHeader === 'none' ? { ...this.#steady } : { ...this.#steady, [requestIdHeader]: requestId };
  }

  #echoKey(call: Call, headers: Record<string, string>): void {
    if (this.#choices.idemEcho === 'none') return;
    const key = call.header('idempotency-key');
    if (key !== undefined && ACCEPTED_ID.test(key)) headers['Idempotency-Key'] = key;
  }

  #requestId(call: Call, now: number): string {
    if (this.#choices.requestIdEcho === 'echoed') {
      const given = call.header('x-request-id');
      if (given !== undefined && ACCEPTED_ID.test(given)) return given;
    }
    return makeRequestId(this.#choices.requestIdForm, this.#world.dice, now);
  }
}

function makeRequestId(form: Choices['requestIdForm'], dice: Dice, now: number): string {
  if (form === 'uuid') return dice.uuid();
  if (form === 'hex') return dice.hex(32);
  if (form === 'prefixed') return `req_${dice.text(LETTERS, 16)}`;
  if (form === 'short') return dice.text(LETTERS, 10);
  const stamp = isoOf(now).replace(/\D/g, '').slice(0, 17);
  return `${stamp}${dice.text(BASE32, 9)}`;
}

function successBody(choices: Choices, requestId: string, timestamp: string, outcome: Outcome): Row {
  const { data, pagination } = outcome;
  const paging = pagination === undefined ? undefined : { pagination };
  const extra = envelopeExtra(choices);
  if (choices.envelopeOrder === 'documented') return { request_id: requestId, timestamp, data, ...paging, ...extra };
  if (choices.envelopeOrder === 'data-first') return { data, ...paging, ...extra, request_id: requestId, timestamp };
  return alphabetical({ request_id: requestId, timestamp, data, ...paging, ...extra });
}

function envelopeExtra(choices: Choices): Row | undefined {
  if (choices.envelopeExtra === 'api_version') return { api_version: '2026-03' };
  if (choices.envelopeExtra === 'meta') return { meta: { version: 'v2', region: 'east' } };
  if (choices.envelopeExtra === 'success') return { success: true };
  return choices.envelopeExtra === 'links' ? { links: {} } : undefined;
}

function refusalBody(choices: Choices, requestId: string, timestamp: string, refusal: Refusal): Row {
  const error: Row = { code: codeOf(refusal, choices), message: messageOf(refusal, choices) };
  const { errorExtra } = choices;
  if (errorExtra === 'status') error.status = refusal.status;
  if (errorExtra === 'details') error.details = refusal.field === undefined ? [] : [{ field: refusal.field }];
  if (errorExtra === 'doc_url') error.doc_url = null;
  const stamp = errorExtra === 'timestamp' ? { timestamp } : undefined;
  return choices.errorOrder === 'id-first'
    ? { request_id: requestId, error, ...stamp }
    : { error, request_id: requestId, ...stamp };
}

function writeJson(body: Row, choices: Choices): string {
  const { jsonIndent } = choices;
  let text =
    jsonIndent === 'compact' ? JSON.stringify(body) : JSON.stringify(body, null, jsonIndent === 'tab' ? '\t' : 2);
  if (choices.jsonUnicode === 'escaped') {
    text = text.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
  if (choices.jsonSlashes === 'escaped') text = text.replaceAll('/', '\\/');
  return choices.jsonTail === 'newline' ? `${text}\n` : text;
}

export function alphabetical(row: Row): Row {
  const sorted: Row = {};
  for (const name of Object.keys(row).sort()) sorted[name] = row[name];
  return sorted;
}

function steadyHeaders(choices: Choices): Record<string, string> {
  const headers: Record<string, string> = { 'Content-Type': choices.contentType };
  if (choices.cacheHeader !== 'none') headers['Cache-Control'] = choices.cacheHeader;
  if (choices.versionHeader !== 'none') headers[choices.versionHeader] = '2026-03';
  if (choices.corsHeader === 'any-origin') headers['Access-Control-Allow-Origin'] = '*';
  if (choices.securityHeaders !== 'none') headers['X-Content-Type-Options'] = 'nosniff';
  if (choices.securityHeaders === 'strict') headers['Strict-Transport-Security'] = 'max-age=31536000';
  if (choices.durationHeader !== 'none') headers[choices.durationHeader] = 'app;dur=1';
  if (choices.varyHeader !== 'none') headers.Vary = choices.varyHeader;
  return headers;
}

const FIXED: Partial<Record<Cause, string>> = { unauthorized: 'UNAUTHORIZED', rate_limited: 'RATE_LIMITED' };

const TERSE: Record<number, string> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Body too large',
  415: 'Unsupported media type',
  422: 'Validation failed',
};

function codeOf(refusal: Refusal, choices: Choices): string {
  const fixed = FIXED[refusal.cause];
  if (fixed !== undefined) return fixed;
  const upper = choices.codeDetail === 'specific' ? refusal.cause.toUpperCase() : generalCode(refusal.status, choices);
  if (choices.codeStyle === 'lower_snake') return upper.toLowerCase();
  if (choices.codeStyle === 'dotted') return `error.${upper.toLowerCase()}`;
  return choices.codeStyle === 'numbered' ? `E${refusal.status}_${upper}` : upper;
}

function generalCode(status: number, choices: Choices): string {
  const codes: Record<number, string> = {
    400: choices.badRequestCode,
    403: choices.forbiddenCode,
    404: choices.notFoundCode,
    409: choices.conflictCode,
    422: choices.invalidCode,
  };
  return codes[status] ?? (TERSE[status] ?? 'Error').toUpperCase().replaceAll(' ', '_');
}

function messageOf(refusal: Refusal, choices: Choices): string {
  if (FIXED[refusal.cause] !== undefined || choices.messageTone === 'plain') return refusal.message;
  if (choices.messageTone === 'terse') return TERSE[refusal.status] ?? refusal.message;
  if (choices.messageTone === 'hint') return `${refusal.message} See the interface description.`;
  return `« ${refusal.message} »`;
}
