// A request as a curl line that anybody can run: credentials are shell variables named like their settings.

import { apiPath } from '../catalogue/operations.ts';
import type { Reply } from '../client/reply.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Tokens stand as `$NAME`; the address begins with `$COVENANT_BASE_URL`. */
export function curlOf({ request, credential }: Reply): string {
  const route = request.url.slice(request.url.indexOf(apiPath));
  const headers = Object.entries(request.headers).map(([name, value]) =>
    name === 'authorization' ? `-H "Authorization: Bearer $${credential}"` : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const body = request.body === undefined ? [] : [`--data-raw ${quoted(request.body)}`];
  return ['curl -sS -i', `-X ${request.method}`, ...headers, ...body, `"$COVENANT_BASE_URL"${quoted(route)}`].join(' ');
}
