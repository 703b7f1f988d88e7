// Whether a reply comes from the target, or may come from something between us and it.
import { at, type Reply } from './reply.ts';

type Received = Pick<Reply, 'status' | 'text' | 'json'>;

/** Statuses with which a gateway, a proxy or a limiter answers in place of the target. */
const isGatewayStatus = (status: number): boolean => status >= 500 || status === 408 || status === 429;
/** These need no JSON: there is no content, or only the redirect counts. */
const needsNoJson = (status: number): boolean => status === 204 || status === 205 || (status >= 300 && status < 400);

/** The interface's error envelope (Errors); a gateway's own JSON may have an `error.code` too, and has no `request_id`. */
const hasErrorEnvelope = (json: unknown): boolean =>
  typeof at(json, 'request_id') === 'string' && typeof at(json, 'error', 'code') === 'string';

function isEnvelope(text: string): boolean {
  try {
    return typeof at(JSON.parse(text), 'request_id') === 'string';
  } catch {
    return false;
  }
}

/** An envelope with text before or behind it: nothing on the way adds text to a reply of the target. */
function hasEnvelope(text: string): boolean {
  const start = text.indexOf('{');
  const end = endOfObject(text);
  return (start > 0 && isEnvelope(text.slice(start))) || (end !== undefined && isEnvelope(text.slice(0, end)));
}

/** Why the reply is suspect; undefined if it is certainly the target's. */
export function doubtOf({ status, text, json }: Received): string | undefined {
  if (isGatewayStatus(status) && !hasErrorEnvelope(json)) return `${status} without the error envelope`;
  if (json !== undefined || needsNoJson(status) || hasEnvelope(text)) return undefined;
  return text === '' ? `${status} with an empty body` : `${status} with a body that is not JSON`;
}

/**
 * The replies that are certainly the target's, or all if none is: a reply that comes every time is the target's, too.
 */
export function beyondDoubt(replies: readonly Reply[]): readonly Reply[] {
  const firm = replies.filter(({ doubt }) => doubt === undefined);
  return firm.length > 0 ? firm : replies;
}

interface Repeated {
  readonly method: string;
  readonly keyed: boolean;
  readonly operation: string | undefined;
  /** Of valid credentials. */
  readonly authorised: boolean;
}

/**
 * Whether the reply to a repetition says nothing about the first request, which may have been carried out: a deleted
 * record is gone, a creation in progress conflicts, and the document promises only for notes that a key creates one.
 */
export function mayDifferFromFirst({ method, keyed, operation, authorised }: Repeated, status: number): boolean {
  if (!authorised || method === 'GET' || method === 'HEAD') return false;
  if (status === 409) return true;
  if (method === 'DELETE') return [401, 404, 410].includes(status);
  const once = keyed && operation === 'POST /companies/{company_id}/notes';
  return method === 'POST' && operation !== 'POST /auth/validate-api-key' && status < 300 && !once;
}

export interface JsonShape {
  readonly levels: number;
  /** Members and items, and what holds them. */
  readonly values: number;
}

/** Bytes that each character takes in memory: one where all are Latin. */
export const bytesEach = (text: string): 1 | 2 => (/[^\0-\xff]/.test(text) ? 2 : 1);

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closers: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Where the text literal that begins here ends. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** Of a text that is no JSON it says nothing useful, and does no harm. */
export function shapeOf(text: string): JsonShape {
  let level = 0;
  let levels = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) values += 1;
    else if (openers.has(code)) {
      values += 1;
      level += 1;
      levels = Math.max(levels, level);
    } else if (closers.has(code)) level -= 1;
  }
  return { levels, values };
}

/** Where the object ends with which a text begins; undefined where it begins with none, or none ends. */
export function endOfObject(text: string): number | undefined {
  if (!text.startsWith('{')) return undefined;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (openers.has(code)) level += 1;
    else if (closers.has(code)) level -= 1;
    if (level === 0) return at + 1;
  }
  return undefined;
}
