// The same JSON written in another way: other order of members, white space, escapes.
import type { Random } from '../../runtime/random.ts';
import { isObject, type JsonObject } from '../reply.ts';

const oneIn = (random: Random, count: number): boolean => random.int(1, count) === 1;

/** The members of every object within, all in the same way. */
function ordered(body: JsonObject, random: Random): unknown {
  const way = random.int(1, 3);
  const inOrder = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inOrder);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, one]) => [name, inOrder(one)] as const);
    if (way === 1) entries.reverse();
    if (way === 3) entries.sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(entries);
  };
  return inOrder(body);
}

/** What looks like a secret stays recognisable as one. */
const isSecret = (token: string): boolean => /svc_sk|eyJ/i.test(token) || /[\w-]{20}/.test(token);

/** The first letter of each name and text as an escape. */
const escaped = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"/g, (token) =>
    isSecret(token)
      ? token
      : token.replace(/^"([A-Za-z])/, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`),
  );

/** Bodies of some hundred bytes more, or of more than the four thousand that many a buffer holds, without any further content. */
const padding = (random: Random): string =>
  ' '.repeat(oneIn(random, 2) ? random.int(300, 1500) : random.int(4100, 4600));

/** The body of a request as text: what it says follows from the body alone, how it is written from the seed. */
export function written(body: unknown, random: Random): string {
  const plain = JSON.stringify(body);
  if (!isObject(body)) return plain;
  const indent = random.pick([undefined, undefined, 1, 2, '\t']);
  let text = JSON.stringify(ordered(body, random), null, indent);
  if (oneIn(random, 2)) text = escaped(text);
  if (oneIn(random, 6)) text = text.replace(/\}$/, `${padding(random)}}`);
  return oneIn(random, 2) ? `${text}\n` : text;
}
