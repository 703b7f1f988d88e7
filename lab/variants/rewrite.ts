// How variants change replies: the whole JSON tree, only the headers, or the text as it is sent.
import type { Wrap } from '../mutants/mutant.ts';
import { always, isObject, type Json, onReply } from '../mutants/wrappers/mutator.ts';

/** Rebuilds a JSON tree from its leaves; `change` gets every object after its members were changed. */
export function rebuilt(value: unknown, change: (object: Json) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => rebuilt(item, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rebuilt(inner, change)])));
}

/** Changes every object in every reply. */
export const everyObject = (change: (object: Json) => unknown): Wrap =>
  onReply(always, (json) => rebuilt(json, change));

/** Changes the text of every body as it is sent. */
export const everyText =
  (change: (text: string) => string): Wrap =>
  (honest) =>
  async (request) => {
    const { status, headers, text } = await parts(await honest(request));
    headers.delete('content-length');
    return new Response(change(text), { status, headers });
  };

/** Changes the headers of every reply, in place. */
export const everyHeader =
  (change: (headers: Headers, status: number) => void): Wrap =>
  (honest) =>
  async (request) => {
    const { status, headers, text } = await parts(await honest(request));
    change(headers, status);
    return new Response(text, { status, headers });
  };

const parts = async (response: Response) => ({
  status: response.status,
  headers: new Headers(response.headers),
  text: await response.text(),
});
