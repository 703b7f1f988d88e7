// The parts of a request, and what kind of reply it got.
import { type OperationId, operations } from '../catalogue/operations.ts';
import { isObject, type JsonObject, type Reply, wasAccepted } from '../client/reply.ts';
import { computedOnce } from '../runtime/grouped.ts';

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

const tokenIn = computedOnce(({ headers }: Request) => /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]);

export const pathOf = ({ request }: Asked): string => urlOf(request).pathname;
export const queryOf = ({ request }: Asked): URLSearchParams => urlOf(request).searchParams;
/** The body that was sent; undefined where it is not a JSON object. */
export const bodyOf = ({ request }: Asked): JsonObject | undefined => objectIn(request);
/** The `fields` parameter; undefined: all fields. */
export const fieldsOf = (asked: Asked): readonly string[] | undefined => queryOf(asked).get('fields')?.split(',');
/** The offset and limit of a list request, with the document's defaults. */
export const rangeAskedOf = (asked: Asked): { readonly offset: number; readonly limit: number } => ({
  offset: Number(queryOf(asked).get('offset') ?? 0),
  limit: Number(queryOf(asked).get('limit') ?? 50),
});
/** From 1 to 200. */
export const isLimit = (value: string): boolean => /^(?:[1-9]\d?|1\d\d|200)$/.test(value);
/** The bearer token, where the header has the documented form. */
export const tokenOf = ({ request }: Asked): string | undefined => tokenIn(request);
export const idempotencyKeyOf = ({ request }: Asked): string | undefined => request.headers['idempotency-key'];
export const accountHeaderOf = ({ request }: Asked): string | undefined => request.headers['x-active-account'];
export const isUnderHeader = (asked: Asked): boolean => accountHeaderOf(asked) !== undefined;

/** The path of the company in the request path. */
export const companyPathOf = (asked: Asked): string => /^.*\/companies\/[^/]+/.exec(pathOf(asked))?.[0] ?? '';
/** The last path segment: the identifier of the record. */
export const idInPath = (asked: Asked): string => decodeURIComponent(pathOf(asked).split('/').at(-1) ?? '');

/** Whether the credential is a JWT session, which may use any account of its user. */
export const isSession = (credential: string | undefined): boolean => /^COVENANT_JWT/.test(credential ?? '');
/** Accepted, and the document says what every part of the request does: so the reply can be judged. */
export const isShown = (reply: Reply): boolean => wasAccepted(reply) && !reply.undocumented;
/** Without parameters, X-Active-Account and anything undocumented. */
export const isBare = (reply: Reply): boolean =>
  reply.undocumented === undefined && accountHeaderOf(reply) === undefined && urlOf(reply.request).search === '';
/** Whether the Content-Type is JSON. */
export const saysJson = ({ request }: Asked): boolean =>
  /^application\/json\b/.test(request.headers['content-type'] ?? '');

/** Whether the operation needs credentials. */
export const isProtected = ({ operation }: Pick<Reply, 'operation'>): boolean =>
  operation !== undefined && operations[operation].protected;

/** Statuses that refuse the request itself, not its sender or the rate. */
export const refusals = [400, 404, 405, 406, 409, 410, 411, 412, 413, 415, 422];
/** A failure sent by the target itself that gives no reason. */
export const isOutage = ({ status, doubt }: Reply): boolean =>
  (status === 500 || status === 501) && doubt === undefined;

/** Its sender or the rate is the reason, or a failure that need not be the target's: it says nothing of the request. */
export const saysNothing = (reply: Reply): boolean =>
  [401, 429].includes(reply.status) || (reply.status >= 500 && !isOutage(reply));

/** The sender and its X-Active-Account. */
export const callerOf = ({ credential, request: { headers } }: Reply): string =>
  JSON.stringify([credential, headers['x-active-account']]);

export const listNotes = 'GET /companies/{company_id}/notes' as const satisfies OperationId;
export const createNote = 'POST /companies/{company_id}/notes' as const satisfies OperationId;
export const editNote = 'PATCH /companies/{company_id}/notes/{note_id}' as const satisfies OperationId;
export const deleteNote = 'DELETE /companies/{company_id}/notes/{note_id}' as const satisfies OperationId;

/** The list path of a note; a list path stays as it is. */
export const listOf = (path: string): string => path.replace(/\/notes\/[^/]*$/, '/notes');
/** The company path of a note list; any other path stays as it is. */
export const companyOfNotes = (path: string): string => path.replace(/\/notes$/, '');
