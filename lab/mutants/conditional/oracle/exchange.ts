// One exchange of the long session: a request that names what the server gave out, so that it can be sent to a second server.
import type { Kept } from '../condition.ts';

/**
 * How the reply of another server may differ. `exact`: the document decides the status. `refused`: it must be refused,
 * with whatever status. `open`: the document does not decide, only the envelope counts.
 */
export type Judged = 'exact' | 'refused' | 'open';

/** What a server gives out and the client sends back. */
export type Given = 'company' | 'note' | 'contact' | 'key' | 'secret' | 'cursor';

/** Address, headers and body hold what was given out as `⟦kind:value⟧`, with the value of the first server. */
export interface Sent {
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
