// The quality of a reply: the target's own word, or what something between us and the target could have said in its place.
import { endOfObject } from './json-shape.ts';
import { at, type Reply } from './reply.ts';

type Received = Pick<Reply, 'status' | 'text' | 'json'>;

/** With these a gateway, a proxy or a limiter answers where the target does not. */
const isGatewayStatus = (status: number): boolean => status >= 500 || status === 408 || status === 429;
/** No content is promised there, and where a redirect leads is all that it says. */
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

/** A whole envelope behind something else, or before it: nothing on the way adds text to what the target said. */
function hasEnvelope(text: string): boolean {
  const start = text.indexOf('{');
  const end = endOfObject(text);
  return (start > 0 && isEnvelope(text.slice(start))) || (end !== undefined && isEnvelope(text.slice(0, end)));
}

/** Why the reply is suspect; undefined where it is the target's own word. */
export function doubtOf({ status, text, json }: Received): string | undefined {
  if (isGatewayStatus(status) && !hasErrorEnvelope(json)) return `${status} without the error envelope`;
  if (json !== undefined || needsNoJson(status) || hasEnvelope(text)) return undefined;
  return text === '' ? `${status} with an empty body` : `${status} with a body that is not JSON`;
}

/** The replies that are the target's own word, or all where none is: whatever comes every time is its word too. */
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
 * Whether the reply to a repetition says nothing about the first request, which may have been carried out: what was
 * deleted is gone, what is being made conflicts, and only for notes does the document promise that a key makes one.
 */
export function mayDifferFromFirst({ method, keyed, operation, authorised }: Repeated, status: number): boolean {
  if (!authorised || method === 'GET' || method === 'HEAD') return false;
  if (status === 409) return true;
  if (method === 'DELETE') return [401, 404, 410].includes(status);
  const once = keyed && operation === 'POST /companies/{company_id}/notes';
  return method === 'POST' && operation !== 'POST /auth/validate-api-key' && status < 300 && !once;
}
