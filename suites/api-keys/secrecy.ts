// Secrets: no reply but that to its creation holds the text of a key, under whatever name.
import { at, dataOf, everyReply, expectThat, type Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { keyPrefix } from '../shared/keys.ts';
import { SubstringIndex } from '../shared/substring-index.ts';

const bearer = `Bearer ${keyPrefix}`;

/** The live keys that an exchange shows: the one it made, and the one it was sent with. */
function keysIn(reply: Reply): string[] {
  const made = reply.operation === 'POST /api-keys' && wasAccepted(reply) ? at(dataOf(reply), 'api_key') : undefined;
  const header = reply.request.headers.authorization ?? '';
  const used = header.startsWith(bearer) && reply.status !== 401 ? header.slice('Bearer '.length) : undefined;
  return [made, used].filter((key): key is string => typeof key === 'string' && key.startsWith(keyPrefix));
}

/** Shorter parts occur in other texts by chance. */
const traceMin = 12;

/** What of a key would give it away: the part that is not the same for all, and the whole in base64. */
function traces(key: string): string[] {
  const own = key.slice(keyPrefix.length);
  return [own.length < traceMin ? key : own, Buffer.from(key).toString('base64').replace(/=+$/, '')];
}

/** What gives a key away, by the replies that have been seen. */
const known = new WeakMap<Map<string, Reply>, SubstringIndex>();

function needlesOf(past: Map<string, Reply>): SubstringIndex {
  const needles = known.get(past) ?? new SubstringIndex();
  known.set(past, needles);
  return needles;
}

function expectNoSecret(reply: Reply, past: Map<string, Reply>): void {
  const needles = needlesOf(past);
  for (const key of keysIn(reply)) {
    if (past.has(key)) continue;
    past.set(key, reply);
    for (const trace of traces(key)) {
      past.set(trace, reply);
      needles.add(trace);
    }
  }
  if (reply.operation === 'POST /api-keys') return;
  const shown = needles.in(reply.text);
  const source = shown === undefined ? undefined : past.get(shown);
  expectThat(shown === undefined, 'no reply but that to its creation should hold the text of a key', {
    expected: 'no secret',
    actual: 'the secret of a key',
    replies: source ? [source, reply] : reply,
  });
}

const isList = (reply: Reply): boolean => reply.operation === 'GET /api-keys' && wasAccepted(reply);

export const secrecy = [
  everyReply(
    'api-keys-list-no-secret',
    {
      over: ['GET /api-keys'],
      anyInput: true,
      // Creations are read for the keys that they show.
      applies: (reply) => isList(reply) || reply.operation === 'POST /api-keys',
    },
    expectNoSecret,
  ),
  everyReply(
    'api-keys-secret-elsewhere',
    {
      anyInput: true,
      over: ['GET /me', 'POST /auth/validate-api-key', 'DELETE /api-keys/{key_id}'],
      applies: (reply) => !isList(reply),
    },
    expectNoSecret,
  ),
];
