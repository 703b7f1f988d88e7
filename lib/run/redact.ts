// Exchanges and results as reports show them: without secrets, and long bodies cut.
import type { Case } from '../case.ts';
import { isObject, type Reply } from '../client/reply.ts';
import type { ReportedExchange } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { cleanHeaders } from '../secrets/secrets.ts';

/** Removes the secrets from a text. */
export type Clean = (text: string) => string;

/** A longer body is cut in a report; nobody needs all of it to see the fault. */
const bodyMax = 20_000;
const cut = (text: string): string =>
  text.length > bodyMax ? `${text.slice(0, bodyMax)}… (${text.length} characters)` : text;

/**
 * Text by text, so that a text without secrets is shared, not copied: a copy of all replies takes as much memory as
 * they do.
 */
export function reported(reply: Reply, titles: ReadonlyMap<string, Case>, clean: Clean): ReportedExchange {
  const { method, url, headers, body } = reply.request;
  const owner = titles.get(reply.owner);
  const sentBody = body === undefined ? undefined : clean(cut(body));
  return defined({
    id: reply.id,
    at: new Date(reply.sentAt).toISOString(),
    duration_ms: reply.receivedAt - reply.sentAt,
    after: reply.after,
    operation: reply.operation,
    case: reply.owner,
    requirements: owner?.ids,
    undocumented: reply.undocumented,
    request: defined({
      method,
      url: clean(url),
      headers: cleanHeaders(headers, clean),
      credential: clean(reply.credential),
      body: sentBody,
    }),
    response: { status: reply.status, headers: cleanHeaders(reply.headers, clean), body: clean(cut(reply.text)) },
  });
}

/** A number that a double cannot hold becomes a text of its digits. */
function exactly(clean: Clean, number: number): number | string {
  const digits = String(number);
  const written = clean(digits);
  return written === digits ? number : written;
}

/** Text by text, member names included, so that a secret never breaks the JSON around it. */
export function cleaned<T>(clean: Clean, value: T): T {
  const written = JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'string') return clean(part);
    if (typeof part === 'number') return exactly(clean, part);
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [clean(name), inner]));
  });
  return JSON.parse(written);
}
