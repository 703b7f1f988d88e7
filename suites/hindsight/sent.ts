// What a request of the run consisted of.
import {
  computedOnce,
  isObject,
  type JsonObject,
  operations,
  type Reply,
  wasAccepted,
  withoutAccount,
} from '../../lib/index.ts';

type Asked = Pick<Reply, 'request'>;
type Request = Reply['request'];

const urlOf = computedOnce(({ url }: Request) => {
  const { pathname, search, searchParams } = new URL(url);
  return { pathname, search, searchParams };
});
const bodyOf = computedOnce(({ body }: Request): JsonObject | undefined => {
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
/** The members that it asks for; undefined: all. */
export const fieldsOf = (asked: Asked): readonly string[] | undefined => queryOf(asked).get('fields')?.split(',');
/** The token that it carries as the document says. */
export const tokenOf = ({ request }: Asked): string | undefined =>
  /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
/** Whether a configured credential is a session, which may be in any account of its user. */
export const isSession = (credential: string | undefined): boolean => /JWT/.test(credential ?? '');
/** By a session that may have no account at one time, and one at another. */
export const mayBeHomeless = ({ credential, request }: Reply): boolean =>
  isSession(credential) && request.headers['x-active-account'] === undefined;
/** Under nothing but its credential. */
export const isBare = (reply: Reply): boolean =>
  reply.undocumented === undefined &&
  reply.request.headers['x-active-account'] === undefined &&
  urlOf(reply.request).search === '';
/** Statuses that refuse a request for itself, and not for its sender or for how many there were. */
export const refusals = [400, 404, 405, 406, 409, 410, 411, 412, 413, 415, 422];
/** An answer of the target's own that says no more than that it failed. */
export const isOutage = ({ status, doubt }: Reply): boolean =>
  (status === 500 || status === 501) && doubt === undefined;
/** Whether it says of its body that it is JSON. */
export const saysJson = ({ request }: Asked): boolean =>
  /^application\/json\b/.test(request.headers['content-type'] ?? '');
/** Undefined where it is not a JSON object. */
export const sentBody = ({ request }: Asked): JsonObject | undefined => bodyOf(request);
/** Who calls, and in which account it wants to. */
export const callerOf = ({ credential, request: { headers } }: Reply): string =>
  JSON.stringify([credential, headers['x-active-account']]);
/** Where it is open whether a header that opens no account is looked at. */
const mayOverlookHeader = ({ operation, request }: Reply): boolean =>
  request.headers['x-active-account'] !== undefined &&
  (operation === undefined || !operations[operation].protected || withoutAccount.includes(operation));
/** Whether anything was carried out for the sender under the same header: then it is not refused for either. */
export const servedIn = computedOnce((replies: readonly Reply[]): ((reply: Reply) => boolean) => {
  const callers = new Set(replies.filter((one) => wasAccepted(one) && !mayOverlookHeader(one)).map(callerOf));
  return (reply) => callers.has(callerOf(reply));
});
