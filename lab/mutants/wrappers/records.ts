// Wrong ways to keep records: requests are changed before they are stored, replies before they are sent.
import type { Handler } from '../../reference/index.ts';
import type { Wrap } from '../mutant.ts';
import { altered, instead, isObject, type Json, onSuccess, refusal, type Seen, type When } from './mutator.ts';

export const bodyOf = ({ body }: Seen): Json => (isObject(body) ? body : {});

/** Requests of an operation whose body fits. */
export const whereBody = (operation: string, fits: (body: Json) => boolean) => (seen: Seen) =>
  seen.operation === operation && isObject(seen.body) && fits(seen.body);

/** Changes bodies before the honest server sees them. */
export const onBody = (when: When, change: (body: Json, seen: Seen) => Json): Wrap =>
  instead(when, async (seen, honest) =>
    isObject(seen.body) ? honest(await altered(seen, { body: change(seen.body, seen) })) : undefined,
  );

/** Changes one text of bodies before the honest server sees them. */
export const onText = (when: When, name: string, change: (text: string) => unknown): Wrap =>
  onBody(when, (body) => (typeof body[name] === 'string' ? { ...body, [name]: change(body[name]) } : body));

/** Replies to requests whose path has an identifier far above those of all companies. */
export const beyondAll =
  (operation: string, answer: (seen: Seen, success: Success) => Response): Wrap =>
  (honest, clock) => {
    let highest = 0;
    const success = successes(clock);
    const noted = noting('POST /companies', (record) => {
      highest = Math.max(highest, Number(record.id));
    })(honest, clock);
    const isBeyond = ({ url }: Seen) => Number(/companies\/(\d+)/.exec(url.pathname)?.[1]) > highest + 1_000_000;
    return instead(operation, (seen) => (isBeyond(seen) ? answer(seen, success) : undefined))(noted, clock);
  };

/** Carries the request out, and replies with a refusal. */
export const refusingDone = (when: When, status: number): Wrap =>
  instead(when, async (seen, honest) => {
    const response = await honest(seen.request.clone());
    return response.status < 300 ? refusal(status, 'REFUSED', 'The request is refused') : response;
  });

/** The total that a list reports. */
export const totalOf = ({ pagination }: Json): unknown => (isObject(pagination) ? pagination.total : undefined);

/** Records the data of successful replies, which stay as they are. */
export const noting = (when: When, note: (data: Json, seen: Seen) => unknown): Wrap =>
  onSuccess(when, (json, seen) => {
    note(json.data as Json, seen);
    return json;
  });

/** Changes every record in successful replies. */
export const onRecords = (when: When, change: (record: Json, seen: Seen) => unknown): Wrap =>
  onSuccess(when, ({ data, ...json }, seen) => {
    const changed = (one: unknown): unknown => (isObject(one) ? change(one, seen) : one);
    return { ...json, data: Array.isArray(data) ? data.map(changed) : changed(data) };
  });

/** Changes one member of every record in successful replies, where it is shown. */
export const onMember = (when: When, name: string, change: (value: unknown) => unknown): Wrap =>
  onRecords(when, (one) => (name in one ? { ...one, [name]: change(one[name]) } : one));

/** Leaves records out of lists. */
export const hiding = (when: When, hidden: (record: Json) => boolean): Wrap =>
  onSuccess(when, (json) => ({ ...json, data: (json.data as Json[]).filter((one) => !hidden(one)) }));

/** Accepts wrong bodies, by correcting them first. */
export const lenient = (operation: string, isWrong: (body: Json) => boolean, mended: (body: Json) => Json): Wrap =>
  onBody(whereBody(operation, isWrong), mended);

/** Refuses valid bodies. */
export const strict = (operation: string, isWrong: (body: Json) => boolean, status = 422): Wrap =>
  instead(whereBody(operation, isWrong), () => refusal(status, 'INVALID', 'The body is refused'));

/** Replies with the refusal, but stores the corrected body. */
export const storesRefused = (when: When, mended: (body: Json, seen: Seen) => Json): Wrap =>
  instead(when, async (seen, honest) => {
    const refused = await honest(seen.request.clone());
    if (refused.status >= 400)
      await honest(await altered(seen, { body: mended(bodyOf(seen), seen), headers: { 'idempotency-key': null } }));
    return refused;
  });

/** Carries an accepted write out twice. */
export const twice = (when: When): Wrap =>
  instead(when, async (seen, honest) => {
    const response = await honest(seen.request.clone());
    if (response.status < 300) await honest(await altered(seen, { headers: { 'idempotency-key': null } }));
    return response;
  });

/** Sends a request of the wrapper's own, with the credentials of the one seen. */
export const ask = async (honest: Handler, seen: Seen, method: string, path: string, body?: Json): Promise<Json> => {
  const url = new URL(path, seen.url).href;
  const headers = { 'content-type': 'application/json', 'idempotency-key': null };
  const response = await honest(await altered(seen, { url, method, headers, ...(body ? { body } : {}) }));
  return (await response.json()) as Json;
};

export type Success = (data: unknown, more?: Json) => Response;

/** Makes successful replies of the wrapper's own, each with a new request_id. */
export function successes(clock: { now(): number }): Success {
  let count = 0;
  return (data, more = {}) => {
    count += 1;
    const timestamp = new Date(clock.now()).toISOString();
    return Response.json({ request_id: `req_mutant_${count}_${clock.now()}`, timestamp, data, ...more });
  };
}

/** Carries out forbidden requests with the first credentials seen; `open` reports the success, otherwise the refusal. */
export const asFirstCaller =
  (operation: string, open: boolean): Wrap =>
  (honest, clock) => {
    let first: string | null = null;
    const forbidden = instead(operation, async (seen, inner) => {
      const refused = await inner(seen.request.clone());
      if (refused.status !== 403) return refused;
      const done = await inner(await altered(seen, { headers: { authorization: first } }));
      return open ? done : refused;
    })(honest, clock);
    return (request) => {
      first ??= request.headers.get('authorization');
      return forbidden(request);
    };
  };

/** Fills a body with what was given to the records before it, except what every record is given. */
export const borrowing =
  (operation: string, required: readonly string[]): Wrap =>
  (honest, clock) => {
    let defaults: Json = {};
    /** A repetition is what it was at first. */
    const bodies = new Map<string, Json>();
    return instead(operation, async (seen, inner) => {
      const { body, request } = seen;
      if (!isObject(body)) return undefined;
      const key = request.headers.get('idempotency-key');
      const name = `${request.headers.get('authorization')} ${key} ${JSON.stringify(body)}`;
      const filled = (key === null ? undefined : bodies.get(name)) ?? { ...defaults, ...body };
      bodies.set(name, filled);
      const response = await inner(await altered(seen, { body: filled }));
      if (response.ok) {
        const optional = Object.entries(body).filter(([member]) => !required.includes(member));
        defaults = { ...defaults, ...Object.fromEntries(optional) };
      }
      return response;
    })(honest, clock);
  };
