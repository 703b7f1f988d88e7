// How wrappers change behaviour: the request before the honest server sees it, or its reply.
import { apiPath } from '../../../lib/catalogue/operations.ts';
import type { Handler } from '../../reference/index.ts';
import type { Wrap } from '../mutant.ts';

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));

/** A request as wrappers see it, with the name of its operation and its parsed body. */
export interface Seen {
  readonly request: Request;
  readonly url: URL;
  /** `POST /companies/{company_id}/notes`: the method, and the path with its identifiers as placeholders. */
  readonly operation: string;
  /** The parsed JSON body; undefined where there is none. */
  readonly body: unknown;
}

const placeholders: readonly [RegExp, string][] = [
  [/^\/api-keys\/[^/]+$/, '/api-keys/{key_id}'],
  [/^\/companies\/[^/]+\/notes\/[^/]+$/, '/companies/{company_id}/notes/{note_id}'],
  [/^\/companies\/[^/]+\/notes$/, '/companies/{company_id}/notes'],
  [/^\/companies\/[^/]+$/, '/companies/{company_id}'],
];

/** Undefined where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function operationOf({ method, url }: Request): string {
  const start = url.indexOf(apiPath);
  const mark = url.indexOf('?');
  const path = start < 0 ? '' : url.slice(start + apiPath.length, mark < 0 ? url.length : mark);
  const known = placeholders.find(([pattern]) => pattern.test(path));
  return `${method} ${known ? known[1] : path}`;
}

/** Reads a request without consuming it. */
export async function see(request: Request): Promise<Seen> {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const body = hasBody ? parsed(await request.clone().text()) : undefined;
  return {
    request,
    get url() {
      return new URL(request.url);
    },
    operation: operationOf(request),
    body,
  };
}

/** A copy of the request with changes; a header of null is left out. */
export async function altered(
  { request, url }: Pick<Seen, 'request' | 'url'>,
  change: { url?: string; method?: string; headers?: Record<string, string | null>; body?: unknown },
): Promise<Request> {
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(change.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const method = change.method ?? request.method;
  const text = 'body' in change ? JSON.stringify(change.body) : await request.clone().text();
  return new Request(change.url ?? url.href, { method, headers, ...(method === 'GET' ? {} : { body: text }) });
}

/** The last segment of the path: in most operations an identifier. */
export const lastSegment = ({ url }: Pick<Seen, 'url'>): string => url.pathname.split('/').at(-1) ?? '';

/** A copy of the response with another body or status. */
export function rewritten(response: Response, json: unknown, status = response.status): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(JSON.stringify(json), { status, headers });
}

/** An error reply of the wrapper's own, in the envelope. */
export const refusal = (status: number, code: string, message: string): Response =>
  Response.json({ request_id: `req_mutant_${status}_${code}`, error: { code, message } }, { status });

export const unauthorized = (): Response => refusal(401, 'UNAUTHORIZED', 'Invalid or expired authentication token');

export type When = string | readonly string[] | ((seen: Seen) => boolean);

export const always = (): boolean => true;

/** The request, if the wrapper applies to it; the bodies of other operations are not read. */
async function met(when: When, request: Request): Promise<Seen | undefined> {
  if (typeof when !== 'function') return [when].flat().includes(operationOf(request)) ? see(request) : undefined;
  const seen = await see(request);
  return when(seen) ? seen : undefined;
}

type Change = (json: Json, seen: Seen, status: number) => unknown;

const changing =
  (when: When, fits: (status: number) => boolean, change: Change): Wrap =>
  (honest) =>
  async (request) => {
    const seen = await met(when, request);
    const response = await honest(request);
    if (!seen || !fits(response.status)) return response;
    const text = await response.text();
    const json = parsed(text);
    if (typeof json !== 'object' || json === null)
      return new Response(text || null, { status: response.status, headers: response.headers });
    return rewritten(response, change(json as Json, seen, response.status));
  };

/** Changes the JSON of replies; `change` returns the new body, or the old one. */
export const onReply = (when: When, change: Change): Wrap => changing(when, () => true, change);

/** Changes the JSON of successful replies only. */
export const onSuccess = (when: When, change: (json: Json, seen: Seen) => unknown): Wrap =>
  changing(when, (status) => status < 300, change);

/** Replaces the status of replies. */
export const onStatus =
  (when: When, from: number, to: number): Wrap =>
  (honest) =>
  async (request) => {
    const seen = await met(when, request);
    const response = await honest(request);
    if (!seen || response.status !== from) return response;
    return new Response(await response.text(), { status: to, headers: response.headers });
  };

/** Replies instead of the honest server, or sends it another request; undefined leaves the request unchanged. */
export const instead =
  (when: When, answer: (seen: Seen, honest: Handler) => Promise<Response | undefined> | Response | undefined): Wrap =>
  (honest) =>
  async (request) => {
    const seen = await met(when, request);
    return (seen && (await answer(seen, honest))) ?? honest(request);
  };

/** The same for each repetition of a request by one caller; undefined where it has no key. */
export function repetitionOf({ request }: Pick<Seen, 'request'>): string | undefined {
  const key = request.headers.get('idempotency-key');
  return key === null ? undefined : `${request.headers.get('authorization')} ${request.method} ${request.url} ${key}`;
}

/** Whether each request is the first under its key; without a key all are. */
export function firstUnderKeys(): (seen: Pick<Seen, 'request'>) => boolean {
  const met = new Set<string>();
  return (seen) => {
    const name = repetitionOf(seen);
    if (name === undefined) return true;
    const isFirst = !met.has(name);
    met.add(name);
    return isFirst;
  };
}

/** HTML, as it comes by default. */
export const page = (status: number, title: string): Response =>
  new Response(`<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
