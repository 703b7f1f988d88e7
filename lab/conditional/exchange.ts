// One exchange of a history: a request that names what the server gave out, so that it can be sent to a second server.
import type { Kept } from './condition.ts';

/** What a server gives out and the client sends back. */
export type Given = 'company' | 'note' | 'contact' | 'key' | 'secret' | 'cursor';

/** Address, headers and body hold what was given out as `⟦kind:value⟧`, with the value of the first server. */
export interface Sent {
  readonly method: string;
  /** Below the API's. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The document does not decide what the request does: only the envelope of the reply counts. */
  readonly open: boolean;
  /** The same request under the same Idempotency-Key once more. */
  readonly repeat: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The name of the credential. */
  readonly who: string;
}

export interface Exchange {
  readonly sent: Sent;
  /** `POST /companies/{company_id}/notes`; empty where the document knows none. */
  readonly operation: string;
  readonly reply: Kept;
  /** The parsed reply. */
  readonly json: unknown;
}

const origin = 'http://reference.test/api/external/v2';
const placeholder = /⟦(\w+):([^⟧]*)⟧/g;
const given = (kind: string, value: string): string => `⟦${kind}:${value}⟧`;

export type Translate = (kind: Given, first: string) => string;

/** The request with every placeholder as `write` has it. */
function filled(sent: Sent, write: Translate, writeInPath = write): Pick<Sent, 'path' | 'headers' | 'body'> {
  const fill = (text: string, by: Translate): string =>
    text.includes('⟦') ? text.replace(placeholder, (_, kind: Given, first: string) => by(kind, first)) : text;
  const { path, headers, body } = sent;
  return {
    path: fill(path, writeInPath),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fill(text, write)])),
    ...(body === undefined ? {} : { body: fill(body, write) }),
  };
}

/** The request as it goes to a server that gave out what `value` says. */
export function requestOf(sent: Sent, value: Translate): Request {
  const inPath: Translate = (kind, first) => encodeURIComponent(value(kind, first));
  const { path, headers, body } = filled(sent, value, inPath);
  return new Request(origin + path, { method: sent.method, headers, ...(body === undefined ? {} : { body }) });
}

/** The same request where another server is the first. */
export const translated = (sent: Sent, value: Translate): Sent => ({
  ...sent,
  ...filled(sent, (kind, first) => given(kind, value(kind, first))),
});

/** In a sentence, without secrets and with what was given out left as the first server gave it. */
export function wordsOf({ method, path, who }: Sent): string {
  const plain = path.replace(placeholder, (_, kind: string, first: string) => (kind === 'cursor' ? '...' : first));
  return `${method} ${plain} as ${who}`;
}

type Places = readonly (readonly [place: RegExp, kind: Given])[];
const inPaths: Places = [
  [/(\/companies\/)(\d+)/, 'company'],
  [/(\/notes\/)(\d+)/, 'note'],
  [/(\/api-keys\/)(\d+)/, 'key'],
  [/([?&]cursor=)([^&]+)/, 'cursor'],
];
const inTexts: Places = [
  [/("company_id":\s*)(\d+)/g, 'company'],
  [/()(svc_sk_\w+)/g, 'secret'],
];
const marked = (text: string, places: Places): string =>
  places.reduce(
    (done, [place, kind]) => done.replace(place, (_, before: string, value: string) => before + given(kind, value)),
    text,
  );

/** A request as it was sent, with placeholders for what the server had given out. */
export function withPlaceholders({ path, headers, body }: Pick<Sent, 'path' | 'headers' | 'body'>) {
  const { authorization } = headers;
  return {
    path: marked(path, inPaths).replace(/(⟦cursor:)([^⟧]*)/, (_, before, value) => before + decodeURIComponent(value)),
    headers: { ...headers, ...(authorization && { authorization: marked(authorization, inTexts) }) },
    ...(body === undefined ? {} : { body: marked(body, inTexts) }),
  };
}
