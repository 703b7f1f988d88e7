// Request bodies: of bounded length, labelled and well-formed JSON, and an object; each mistake has its own refusal.
import type { Choices } from './choices.ts';
import { refuse } from './refusal.ts';
import type { Fields } from './store.ts';
import { isObject } from './validation.ts';

/** The maximum length of a body in bytes. */
const largestBody = 1_048_576;

const tooLarge = () => refuse(413, `The body must not be larger than ${largestBody} bytes`);

/** Reads a body of undeclared length piece by piece, so that an endless one is cut off. */
async function readChunked(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > largestBody) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The text of a request's body. */
export async function bodyText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > largestBody) throw tooLarge();
  // Over HTTP a body without a length is chunked; in process it is already in memory.
  const chunked = request.headers.has('transfer-encoding') && request.body !== null;
  const text = chunked && request.body !== null ? await readChunked(request.body) : await request.text();
  if (text.length > largestBody) throw tooLarge();
  return text;
}

/** The object that a text of the given content type holds. */
export function parseBody(text: string, contentType: string | null, unknown: Choices['unknownContentType']): Fields {
  if (unknown === 'refuse' && !/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    throw refuse(415, 'Content-Type must be application/json');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(400, 'The body is not well-formed JSON');
  }
  if (!isObject(value)) throw refuse(400, 'The body must be a JSON object');
  return value;
}
