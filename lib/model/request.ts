// What a request consisted of, and what kind of answer it got.
import type { OperationId } from '../catalogue/operations.ts';
import { isObject, type JsonObject, type Reply, wasAccepted } from '../client/reply.ts';
import { computedOnce } from '../runtime/once.ts';

type Asked = Pick<Reply, 'request'>;
type Request = Reply['request'];

const urlOf = computedOnce(({ url }: Request) => new URL(url));
const objectIn = computedOnce(({ body }: Request): JsonObject | undefined => {
  if (body === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(body);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
});

export const pathOf = ({ request }: Asked): string => urlOf(request).pathname;
export const queryOf = ({ request }: Asked): URLSearchParams => urlOf(request).searchParams;
/** The body that was sent; undefined where it is not a JSON object. */
export const bodyOf = ({ request }: Asked): JsonObject | undefined => objectIn(request);
/** The members that a list is asked for; undefined: all. */
export const fieldsOf = (asked: Asked): readonly string[] | undefined => queryOf(asked).get('fields')?.split(',');
/** Where in a list it asks to begin, and for how many records; where it says nothing, what the document says. */
export const rangeAskedOf = (asked: Asked): { readonly offset: number; readonly limit: number } => ({
  offset: Number(queryOf(asked).get('offset') ?? 0),
  limit: Number(queryOf(asked).get('limit') ?? 50),
});
/** From 1 to 200. */
export const isLimit = (value: string): boolean => /^(?:[1-9]\d?|1\d\d|200)$/.test(value);
/** The token that it carries as the document says. */
export const tokenOf = ({ request }: Asked): string | undefined =>
  /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
export const idempotencyKeyOf = ({ request }: Asked): string | undefined => request.headers['idempotency-key'];
/** The value of X-Active-Account. */
export const accountHeaderOf = ({ request }: Asked): string | undefined => request.headers['x-active-account'];

/** The path of the company that it names, or of one whose notes it names. */
export const companyPathOf = (asked: Asked): string => /^.*\/companies\/[^/]+/.exec(pathOf(asked))?.[0] ?? '';
/** The last segment of a path: the identifier of the record that it names. */
export const idInPath = (asked: Asked): string => decodeURIComponent(pathOf(asked).split('/').at(-1) ?? '');

/** Whether a configured credential is a session, which may be on any account of its user. */
export const isSession = (credential: string | undefined): boolean => /JWT/.test(credential ?? '');
/** It was carried out, and the document leaves open nothing of what its request asked for: what it shows counts. */
export const isShown = (reply: Reply): boolean => wasAccepted(reply) && !reply.undocumented;
/** Under nothing but its credential. */
export const isBare = (reply: Reply): boolean =>
  reply.undocumented === undefined && accountHeaderOf(reply) === undefined && urlOf(reply.request).search === '';
/** Whether it says of its body that it is JSON. */
export const saysJson = ({ request }: Asked): boolean =>
  /^application\/json\b/.test(request.headers['content-type'] ?? '');

/** Statuses that refuse a request for itself, and not for its sender or for how many there were. */
export const refusals = [400, 404, 405, 406, 409, 410, 411, 412, 413, 415, 422];
/** An answer of the target's own that says no more than that it failed. */
export const isOutage = ({ status, doubt }: Reply): boolean =>
  (status === 500 || status === 501) && doubt === undefined;

/** Who calls, and on which account it wants to be. */
export const callerOf = ({ credential, request: { headers } }: Reply): string =>
  JSON.stringify([credential, headers['x-active-account']]);

export const listNotes = 'GET /companies/{company_id}/notes' as const satisfies OperationId;
export const createNote = 'POST /companies/{company_id}/notes' as const satisfies OperationId;
export const editNote = 'PATCH /companies/{company_id}/notes/{note_id}' as const satisfies OperationId;
export const deleteNote = 'DELETE /companies/{company_id}/notes/{note_id}' as const satisfies OperationId;
