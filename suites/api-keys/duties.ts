// Duties of every reply: only the creation of a key shows its secret, and pages of keys have the right form.
import {
  at,
  computedOnce,
  dataOf,
  everyReply,
  expectEqual,
  expectSchema,
  expectThat,
  isObject,
  itemsOf,
  type Reply,
  wasAccepted,
} from '../../lib/index.ts';
import { expectInteger } from '../shared/fields.ts';
import { keyPrefix } from '../shared/keys.ts';

const bearer = `Bearer ${keyPrefix}`;

/** The live keys in an exchange: the one it created, and the one it was sent with. */
function keysIn(reply: Reply): string[] {
  const made = reply.operation === 'POST /api-keys' && wasAccepted(reply) ? at(dataOf(reply), 'api_key') : undefined;
  const header = reply.request.headers.authorization ?? '';
  const used = header.startsWith(bearer) && reply.status !== 401 ? header.slice('Bearer '.length) : undefined;
  return [made, used].filter((key): key is string => typeof key === 'string' && key.startsWith(keyPrefix));
}

/** Minimum length: shorter parts occur in other texts by chance. */
const traceMin = 12;

/** Texts that reveal a key: its part after the common prefix, and the whole in base64. */
function traces(key: string): string[] {
  const own = key.slice(keyPrefix.length);
  return [own.length < traceMin ? key : own, Buffer.from(key).toString('base64').replace(/=+$/, '')];
}

/** An index of the texts that reveal keys, for the replies seen so far. */
const secretTextsOf = computedOnce((_: Map<string, Reply>) => new SubstringIndex());

function expectNoSecret(reply: Reply, past: Map<string, Reply>): void {
  const secretTexts = secretTextsOf(past);
  for (const key of keysIn(reply)) {
    if (past.has(key)) continue;
    past.set(key, reply);
    for (const trace of traces(key)) {
      past.set(trace, reply);
      secretTexts.add(trace);
    }
  }
  if (reply.operation === 'POST /api-keys') return;
  const shown = secretTexts.in(reply.text);
  const source = shown === undefined ? undefined : past.get(shown);
  expectThat(shown === undefined, 'no reply but that to its creation should hold the text of a key', {
    expected: 'no secret',
    actual: 'the secret of a key',
    replies: source ? [source, reply] : reply,
  });
}

const isList = (reply: Reply): boolean => reply.operation === 'GET /api-keys' && wasAccepted(reply);

export const duties = [
  everyReply('api-keys-list-record', { over: [], applies: isList }, (reply) => {
    // A secret in the list violates another requirement.
    for (const [index, { api_key: _, ...item }] of itemsOf(reply).entries())
      expectSchema(reply, 'api-key', item, `/data/${index}`);
  }),
  everyReply(
    'api-keys-list-pagination',
    { over: [], applies: (reply) => isList(reply) && isObject(at(reply.json, 'pagination')) },
    (reply) => {
      const pagination = at(reply.json, 'pagination');
      for (const name of ['total', 'limit', 'offset']) expectInteger(at(pagination, name), `pagination.${name}`, reply);
      const offset = Number(at(pagination, 'offset'));
      const found = { expected: '0 or more', actual: offset, replies: reply };
      expectThat(offset >= 0, 'pagination.offset should not be negative', found);
      expectEqual(typeof at(pagination, 'has_more'), 'boolean', 'the type of pagination.has_more', reply);
    },
  ),
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

/** Characters per lookup. */
const gram = 8;

/** Finds which of many long texts is contained in another, without searching for each. */
export class SubstringIndex {
  private readonly all: string[] = [];
  /** Distance between lookups, small enough to hit every text. */
  private stride = Number.POSITIVE_INFINITY;
  private grams = new Set<string>();

  /** Texts shorter than eight characters are never found. */
  add(needle: string): void {
    this.all.push(needle);
    const stride = Math.min(this.stride, Math.max(1, needle.length - gram + 1));
    const fresh = stride < this.stride ? this.all : [needle];
    if (stride < this.stride) this.grams = new Set();
    this.stride = stride;
    for (const one of fresh) for (let at = 0; at < stride; at += 1) this.grams.add(one.slice(at, at + gram));
  }

  in(text: string): string | undefined {
    for (let at = 0; at + gram <= text.length; at += this.stride)
      if (this.grams.has(text.slice(at, at + gram))) return this.all.find((needle) => text.includes(needle));
    return undefined;
  }
}
