// A request as evidence shows it: every credential by its name, so that it is the same whoever's token was sent.
import type { Sent } from '../client/reply.ts';
import { defined } from '../runtime/defined.ts';

/** Part by part: what stands in a body is not escaped a second time. */
export function named({ method, url, headers, body }: Sent, redact: (text: string) => string): Sent {
  return {
    method,
    url: redact(url),
    headers: JSON.parse(redact(JSON.stringify(headers))),
    ...defined({ body: body === undefined ? undefined : redact(body) }),
  };
}
