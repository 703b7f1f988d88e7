// A request as evidence shows it: every credential by its name, so that it is the same whoever's token was sent.
import type { Sent } from '../client/reply.ts';
import { defined } from '../runtime/defined.ts';
import { cleanHeaders } from '../secrets/secrets.ts';

/** Part by part: what stands in a body is not escaped a second time, and most headers are the same each time. */
export function named({ method, url, headers, body }: Sent, redact: (text: string) => string): Sent {
  return {
    method,
    url: redact(url),
    headers: cleanHeaders(headers, redact),
    ...defined({ body: body === undefined ? undefined : redact(body) }),
  };
}
