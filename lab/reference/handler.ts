// The server as a function, Request -> Response: authenticate, authorise, recognise repeats, carry out.

import type { Choices } from './choices.ts';
import { activeAccount, type Call, type ProtectedOperation, type PublicCall, takesBody } from './operation.ts';
import { Refusal, refuse, unauthorized } from './refusal.ts';
import { failure, mishap, type Reply, success, toResponse } from './reply.ts';
import { type Route, route } from './router.ts';
import { limitsInForce, type Service, spend } from './service.ts';
import type { Account, Fields, User } from './store.ts';
import { keyPrefix, type Session } from './tokens.ts';
import { isObject } from './validation.ts';

/** A server without its socket. */
export type Handler = (request: Request) => Promise<Response>;

const longestIdempotencyKey = 255;

/** The account that a request counts against. */
function payerOf({ settings }: Service, { user, account, key }: Session): Account | undefined {
  return settings.countsStored && key === undefined ? storedAccount(user) : account;
}

/** Counts a read or a write against the session's account, or against the user where no account can be determined. */
function charge(service: Service, session: Session, method: string, now: number): void {
  const account = payerOf(service, session);
  const limits = limitsInForce(service, account?.tier ?? 'business');
  const of = method === 'GET' ? 'read' : 'write';
  spend(service, account === undefined ? `user-${session.user.id}` : `account-${account.id}`, of, limits[of], now);
}

/** Carries out a write once: a repeat with the same key is answered from memory. */
function once(call: Call, name: string, bodyText: string, carryOut: () => Reply & { data: unknown }): Reply {
  const { service, now } = call;
  const finished = service.memory.find(name, now);
  if (finished === undefined) {
    const { data, ...reply } = carryOut();
    service.memory.keep(name, { ...reply, at: now, bodyText, data });
    return reply;
  }
  const { replay, reusedIdempotencyKey } = service.choices;
  if (finished.bodyText !== bodyText && reusedIdempotencyKey === 'refuse') {
    throw refuse(422, 'This Idempotency-Key was used with another body');
  }
  if (replay === 'conflict') throw refuse(409, 'This Idempotency-Key was used; the operation is done');
  return replay === 'fresh-envelope' ? success(service, finished.status, { data: finished.data }, now) : finished;
}

/** The name under which a repeat is recognised; undefined without an Idempotency-Key. */
function repeatName(operation: ProtectedOperation, call: Call, path: string, headers: Headers): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === null || key === '' || operation.idempotent?.(call.service) !== true) return undefined;
  if (key.length > longestIdempotencyKey) {
    throw refuse(400, `Idempotency-Key must have at most ${longestIdempotencyKey} characters`);
  }
  return `${call.session.user.id} ${activeAccount(call).id} ${operation.method} ${path} ${key}`;
}

/** Everything after authentication; synchronous, so that simultaneous repeats cannot overtake each other. */
function perform(operation: ProtectedOperation, call: Call, path: string, headers: Headers, text: string): Reply {
  const { service, now, session } = call;
  if (operation.allows?.(session.user, service) === false) {
    throw refuse(403, 'Your scopes or rights do not allow this operation');
  }
  const contentType = headers.get('content-type');
  const { unknownContentType } = service.choices;
  const body = takesBody(operation) ? parseBody(text, contentType, unknownContentType) : {};
  const carryOut = () => {
    const result = operation.run({ ...call, body });
    return { ...success(service, operation.status ?? 200, result, now), data: result.data };
  };
  const name = repeatName(operation, call, path, headers);
  return name === undefined ? carryOut() : once(call, name, text, carryOut);
}

/** The index in the URL where the path begins. */
function split(url: string): { path: string; query: URLSearchParams } {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const mark = url.indexOf('?', start);
  const end = mark === -1 ? url.length : mark;
  return { path: url.slice(start, end), query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)) };
}

async function answer(service: Service, request: Request, now: number): Promise<Reply> {
  const { headers, method } = request;
  const { path, query } = split(request.url);
  const { operation, ids }: Route = route(method, path, service.choices.wrongMethod);
  const call: PublicCall = { service, now, query, ids, body: {} };
  if (operation.access === 'public') {
    const text = takesBody(operation) ? await bodyText(request) : '';
    const { unknownContentType } = service.choices;
    const body = takesBody(operation) ? parseBody(text, headers.get('content-type'), unknownContentType) : {};
    return success(service, operation.status ?? 200, operation.run({ ...call, body }), now);
  }
  const found = authenticate(service, headers, now);
  const session = found instanceof Promise ? await found : found;
  charge(service, session, method, now);
  if (service.choices.missingOriginApp === 'refuse' && !headers.has('x-origin-app')) {
    throw refuse(400, 'X-Origin-App is required');
  }
  const text = takesBody(operation) ? await bodyText(request) : '';
  // The key may have been revoked while the body arrived.
  if (session.key !== undefined && !service.store.keys.has(session.key.id)) throw unauthorized();
  return perform(operation, { ...call, session }, path, headers, text);
}

/** The handler of a service. Every reply is an envelope, also that to an error of its own. */
export function handlerOf(service: Service): Handler {
  return async (request) => {
    const now = service.settings.clock.now();
    try {
      return toResponse(await answer(service, request, now), now);
    } catch (error) {
      return toResponse(failure(service, error instanceof Refusal ? error : mishap()), now);
    }
  };
}

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
async function bodyText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > largestBody) throw tooLarge();
  // Over HTTP a body without a length is chunked; in process it is already in memory.
  const chunked = request.headers.has('transfer-encoding') && request.body !== null;
  const text = chunked && request.body !== null ? await readChunked(request.body) : await request.text();
  if (text.length > largestBody) throw tooLarge();
  return text;
}

/** The object that a text of the given content type holds. */
function parseBody(text: string, contentType: string | null, unknown: Choices['unknownContentType']): Fields {
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

/** The session of an API key: its user, and its account whatever X-Active-Account says. */
function keySession({ store, choices }: Service, secret: string, now: number): Session {
  const key = store.keysBySecret.get(secret);
  if (key === undefined) throw unauthorized();
  if (choices.lastUsedAt === 'tracked') key.lastUsedAt = now;
  return { user: key.user, account: key.account, key };
}

const activeAccountsOf = ({ memberships }: User): Account[] =>
  memberships.filter((membership) => membership.active).map((membership) => membership.account);
const storedAccount = (user: User): Account | undefined =>
  activeAccountsOf(user).find((account) => account === user.preferred);

/** The account of a JWT session: the header's, or the stored preference. */
function chosenAccount({ choices }: Service, user: User, header: string | null): Account | undefined {
  if (header === null || header === '') return storedAccount(user);
  const { activeAccountValue } = choices;
  const chosen = activeAccountsOf(user).find(
    ({ id, slug }) =>
      (activeAccountValue !== 'id' && slug === header) || (activeAccountValue !== 'slug' && String(id) === header),
  );
  if (chosen === undefined) throw refuse(choices.foreignActiveAccount, 'X-Active-Account names no account of yours');
  return chosen;
}

/** The session; refuses missing, invalid, expired and revoked credentials with 401. Asynchronous only for a JWT not seen before. */
function authenticate(service: Service, headers: Headers, now: number): Session | Promise<Session> {
  const [scheme = '', token = '', ...rest] = (headers.get('authorization') ?? '').split(' ');
  const known = service.choices.bearer === 'exact' ? scheme === 'Bearer' : scheme.toLowerCase() === 'bearer';
  if (!known || token === '' || rest.length > 0) throw unauthorized();
  if (token.startsWith(keyPrefix)) return keySession(service, token, now);
  const sessionOf = (user: User | undefined): Session => {
    if (user === undefined) throw unauthorized();
    return { user, account: chosenAccount(service, user, headers.get('x-active-account')), key: undefined };
  };
  const remembered = service.tokens.remembered(token, now);
  return remembered === undefined ? service.tokens.verify(token, now).then(sessionOf) : sessionOf(remembered);
}
