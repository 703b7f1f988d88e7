// A request as evidence shows it: every credential by its name, so that it is the same whoever's token was sent.
import type { Sent } from '../client/reply.ts';
import { defined } from '../runtime/defined.ts';

export const cleanHeaders = (headers: Sent['headers'], clean: (text: string) => string): Sent['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [clean(name), clean(value)]));

/** Headers with the name of a credential where one stands by itself, as in most requests. */
export function markedHeaders(headers: Sent['headers'], marked: (text: string) => string | undefined): Sent['headers'] {
  let clean = headers;
  for (const name of Object.keys(headers)) {
    const mark = marked(headers[name] ?? '');
    if (mark !== undefined) clean = { ...clean, [name]: mark };
  }
  return clean;
}

/** Part by part: what stands in a body is not escaped a second time, and most headers are the same each time. */
export function named({ method, url, headers, body }: Sent, redact: (text: string) => string): Sent {
  return {
    method,
    url: redact(url),
    headers: cleanHeaders(headers, redact),
    ...defined({ body: body === undefined ? undefined : redact(body) }),
  };
}
