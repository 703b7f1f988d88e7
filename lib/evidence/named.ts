// A request as evidence shows it: every credential by its name, so that it is the same whoever's token was sent.
import type { Sent } from '../client/reply.ts';
import { defined } from '../runtime/defined.ts';

type Clean = (text: string) => string;

/** Whether nothing is to be cleaned in any of them: of most that is known from one look at all of them. */
function areClean(texts: readonly string[], clean: Clean): boolean {
  const all = texts.join('\n');
  return clean(all) === all;
}

const cleanEach = (headers: Sent['headers'], clean: Clean): Sent['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [clean(name), clean(value)]));

export const cleanHeaders = (headers: Sent['headers'], clean: Clean): Sent['headers'] =>
  areClean(Object.entries(headers).flat(), clean) ? headers : cleanEach(headers, clean);

/** Part by part where something is to be cleaned: what stands in a body is not escaped a second time. */
export function named({ method, url, headers, body }: Sent, redact: Clean): Sent {
  const { authorization, ...others } = headers;
  const more = defined({ authorization: authorization === undefined ? undefined : redact(authorization) });
  if (areClean([url, ...Object.entries(others).flat(), body ?? ''], redact))
    return { method, url, headers: { ...headers, ...more }, ...defined({ body }) };
  return {
    method,
    url: redact(url),
    headers: cleanEach(headers, redact),
    ...defined({ body: body === undefined ? undefined : redact(body) }),
  };
}
