// The lean classes behave like the real ones in everything that handlers use.
import { afterEach, describe, expect, test } from 'vitest';
import { installLeanFetch } from './lean-fetch.ts';

const real = { Request, Response, Headers };
let restore = () => {};
afterEach(() => restore());

type Classes = typeof real;

/** What must be the same on both: a value, or the kind of error. */
async function shown(look: (classes: Classes) => unknown, classes: Classes): Promise<unknown> {
  try {
    return await look(classes);
  } catch (error) {
    return error instanceof Error ? error.constructor.name : error;
  }
}

const url = 'http://reference.test/a b?x=ü';
const looks: Readonly<Record<string, (classes: Classes) => unknown>> = {
  'the address of a request, normalised': ({ Request }) => new Request(url).url,
  'the address of a request by URL': ({ Request }) => new Request(new URL(url)).url,
  'its method': ({ Request }) => [new Request(url).method, new Request(url, { method: 'post' }).method],
  'its headers in lower case': ({ Request }) =>
    [...new Request(url, { headers: { 'X-B': ' 1 ', Accept: 'a' } }).headers].sort(),
  'its body': ({ Request }) => new Request(url, { method: 'POST', body: '{"ä":1}' }).text(),
  'the label of a body without one': ({ Request }) =>
    new Request(url, { method: 'POST', body: 'x' }).headers.get('content-type'),
  'a lone surrogate': ({ Request }) => new Request(url, { method: 'POST', body: 'a\ud800b' }).text(),
  'a clone is read apart': async ({ Request }) => {
    const request = new Request(url, { method: 'POST', body: 'x' });
    return [await request.clone().text(), await request.text()];
  },
  'a clone of a request without a body': ({ Request }) => new Request(url).clone().text(),
  'a clone of a response without a body': ({ Response }) => new Response(null, { status: 204 }).clone().body === null,
  'a request made from another': async ({ Request }) => {
    const first = new Request(url, { method: 'POST', body: 'x', headers: { a: '1' } });
    const other = new Request(first, { headers: { b: '2' } });
    return [other.method, other.url, other.headers.get('a'), other.headers.get('b'), await other.text()];
  },
  'a body read twice': async ({ Request }) => {
    const request = new Request(url, { method: 'POST', body: 'x' });
    return [await request.text(), await request.text()];
  },
  'a clone of what was read': async ({ Response }) => {
    const response = new Response('x');
    await response.text();
    return response.clone().text();
  },
  'a GET with a body': ({ Request }) => new Request(url, { body: 'x' }),
  'a request without a body': ({ Request }) => new Request(url).text(),
  'whether there is a body': ({ Request, Response }) => [
    new Request(url).body === null,
    new Response(null).body === null,
    new Response('').body === null,
  ],
  'a stream of a body': async ({ Response }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of new Response('äx').body ?? []) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  },
  'an address that is none': ({ Request }) => new Request('nowhere'),
  'a response': async ({ Response }) => {
    const response = new Response('{"a":1}', { status: 404, headers: { 'Content-Type': 'application/json' } });
    return [response.status, response.ok, [...response.headers], await response.json()];
  },
  'a response by default': async ({ Response }) => {
    const response = new Response();
    return [response.status, response.ok, [...response.headers], await response.text()];
  },
  'a response as JSON': async ({ Response }) => {
    const response = Response.json({ a: 'ä' }, { status: 201, headers: { b: 'c' } });
    return [response.status, [...response.headers], await response.text()];
  },
  'a response as JSON with a label of its own': ({ Response }) => [
    ...Response.json({}, { headers: { 'content-type': 'a/b' } }).headers,
  ],
  'a response of bytes': async ({ Response }) => {
    const response = new Response(new TextEncoder().encode('ä'));
    return [[...response.headers], await response.text()];
  },
  'a response of a buffer': async ({ Response }) => {
    const response = new Response(await new Response('ä').arrayBuffer(), { headers: { a: 'b' } });
    return [[...response.headers], await response.text()];
  },
  'a clone keeps what labels it has': ({ Response }) => {
    const response = new Response('x');
    response.headers.delete('content-type');
    return [...response.clone().headers];
  },
  'a status out of range': ({ Response }) => new Response('', { status: 99 }),
  'a 204 with a body': ({ Response }) => new Response('x', { status: 204 }),
  'a 204 without one': ({ Response }) => new Response(null, { status: 204 }).status,
  'headers set, added, taken away': ({ Headers }) => {
    const headers = new Headers([['A', '1']]);
    headers.set('b', '2');
    headers.append('B', '3');
    headers.delete('a');
    const seen: string[] = [];
    headers.forEach((value, name) => {
      seen.push(`${name}=${value}`);
    });
    return [seen, headers.has('A'), headers.get('a'), [...headers.entries()], [...headers.keys()]];
  },
  'headers copied': ({ Headers }) => {
    const one = new Headers({ a: '1' });
    const other = new Headers(one);
    other.set('a', '2');
    return [one.get('a'), other.get('a')];
  },
  'a header with a line break': ({ Headers }) => new Headers({ a: 'x\ny' }),
  'a header outside Latin-1': ({ Headers }) => new Headers({ a: 'Ω' }),
  'a header with a blank in its name': ({ Headers }) => new Headers({ 'a b': 'x' }),
};

describe('lean Request, Response and Headers', () => {
  test.each(Object.keys(looks))('%s', async (name) => {
    const look = looks[name] ?? (() => 'no such look');
    const expected = await shown(look, real);
    restore = installLeanFetch();
    expect(await shown(look, globalThis)).toEqual(expected);
  });

  test('give way to the real ones again', () => {
    restore = installLeanFetch();
    expect(globalThis.Request).not.toBe(real.Request);
    restore();
    expect(globalThis.Request).toBe(real.Request);
  });
});
