// One exchange of the long session: a request that names what the server gave out, so that it can be sent to a second server.
import type { Kept } from '../condition.ts';

/**
 * How the reply of another server may differ. `exact`: the document decides the status. `invalid`: it must be refused with
 * 400 or 422. `refused`: it must be refused, with whatever 4xx. `rubbish`: it must be refused in the envelope. `page`: how
 * the list is asked for is open, it is refused or a page. `ignorable`: it is refused, or served as if X-Active-Account
 * were not there. `open`: the document does not decide, only the envelope counts.
 */
export type Judged = 'exact' | 'invalid' | 'refused' | 'rubbish' | 'page' | 'ignorable' | 'open';

/** What the document leaves to a server although the reply is `exact`. */
export interface Leeway {
  /** It may be refused with one of these as well; a write that is refused has done nothing. */
  readonly also?: readonly number[];
  /** The same request under the same Idempotency-Key once more. */
  readonly repeat?: boolean;
  /** Which fields a page shows is open. */
  readonly anyFields?: boolean;
}

/** What a server gives out and the client sends back. */
export type Given = 'company' | 'note' | 'contact' | 'key' | 'secret' | 'cursor';

/** Address, headers and body hold what was given out as `⟦kind:value⟧`, with the value of the first server. */
export interface Sent extends Leeway {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly judged: Judged;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Who sends it, in words. */
  readonly who: string;
}

export interface Exchange {
  readonly sent: Sent;
  /** `POST /companies/{company_id}/notes`. */
  readonly operation: string;
  readonly reply: Kept;
  /** The parsed reply. */
  readonly json: unknown;
}

export const given = (kind: Given, value: unknown): string => `⟦${kind}:${value}⟧`;

const origin = 'http://reference.test/api/external/v2';
const placeholder = /⟦(\w+):([^⟧]*)⟧/g;

/** The request, with what was given out as `value` translates it. */
export function requestOf(sent: Sent, value: (kind: Given, first: string) => string): Request {
  const filled = (text: string, write = (one: string) => one): string =>
    text.includes('⟦') ? text.replace(placeholder, (_, kind: Given, first: string) => write(value(kind, first))) : text;
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(sent.headers)) headers[name] = filled(text);
  const url = origin + filled(sent.path, encodeURIComponent);
  const { method, body } = sent;
  return new Request(url, { method, headers, ...(body === undefined ? {} : { body: filled(body) }) });
}

/** In a sentence, without secrets and with what was given out left as the first server gave it. */
export function wordsOf({ method, path, who }: Sent): string {
  const plain = path.replace(placeholder, (_, kind: string, first: string) => (kind === 'cursor' ? '...' : first));
  return `${method} ${plain} as ${who}`;
}
