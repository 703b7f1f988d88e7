// Keys that a target shows, wherever it does: each is a secret from that moment on, even one that the run did not make.

import { likeKey, type Secrets, secretsMax } from '../secrets/secrets.ts';
import { dataOf, identifierOf, type Reply, walk } from './reply.ts';

const keyMember = /^api_?key$/i;

function tokensIn(reply: Reply): readonly string[] {
  const shown = reply.text.match(likeKey) ?? [];
  if (!/"api_?key"/i.test(reply.text)) return shown;
  const named = walk(reply.json).flatMap(({ path, value }) =>
    typeof value === 'string' && keyMember.test(String(path.at(-1))) ? [value] : [],
  );
  return [...shown, ...named];
}

/**
 * Before anything else looks at the reply. What a request sent and is no secret by then is none because it is repeated.
 * `tooMany` gets why the run ends, where the target shows more than anybody can keep.
 */
export function concealKeys(secrets: Secrets, reply: Reply, tooMany: (why: string) => void): void {
  const { headers, body = '' } = reply.request;
  const wasSent = (token: string) => body.includes(token) || Object.values(headers).some((one) => one.includes(token));
  for (const token of tokensIn(reply)) {
    if (wasSent(token)) continue;
    const id = reply.operation === 'POST /api-keys' ? identifierOf('key', dataOf(reply)) : undefined;
    secrets.add(id === undefined ? `KEY_IN_REPLY_${reply.id}` : `MADE_KEY_${id}`, token);
  }
  if (secrets.areTooMany)
    tooMany(`the replies of the target show more than ${secretsMax} different keys, too many to keep secret`);
}
