// A call as a case writes it, and the request that is sent for it.

import { apiPath, type OperationId, operations } from '../catalogue/operations.ts';
import type { Target } from '../configuration/settings.ts';
import { defined } from '../runtime/defined.ts';
import type { Credential } from './credential.ts';
import { Inconclusive } from './errors.ts';
import type { Sent } from './reply.ts';

export interface Call {
  readonly path?: Readonly<Record<string, string | number>>;
  /** An array repeats the parameter. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** Sent as JSON with its content type. */
  readonly body?: unknown;
  /** Commas in the query are sent as they are, and not as %2C. */
  readonly bareCommas?: true;
  /** Sent unchanged, in place of `body`. */
  readonly text?: string;
  /** Override the default headers; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The Idempotency-Key; null: none. */
  readonly key?: string | null;
  /** The X-Active-Account. */
  readonly account?: string;
  /** `accept`: the case exceeds a limit on purpose, so nothing waits and a 429 is a valid reply. */
  readonly throttle?: 'wait' | 'accept';
  /** The document leaves open what some part does: no duty that depends on it judges the reply. */
  readonly undocumented?: true;
  /** Sent without variations, because what it lacks matters. */
  readonly exactly?: boolean;
}

const fill = (path: string, values: Call['path'] = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}} in ${path}`);
    return encodeURIComponent(value);
  });

function queryOf({ query: values, bareCommas }: Call): string {
  if (values === undefined) return '';
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const one of [value].flat()) if (one !== undefined) query.append(name, String(one));
  const text = bareCommas ? String(query).replaceAll('%2C', ',') : String(query);
  return text === '' ? '' : `?${text}`;
}

/** Control characters, which a target may put into a key or a slug; no client sends them. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/** @throws Inconclusive where a value cannot be sent */
function headersOf(target: Target, credential: Credential, call: Call): Record<string, string> {
  const hasBody = call.body !== undefined || call.text !== undefined;
  const given: Record<string, string | null | undefined> = {
    ...target.headers,
    accept: 'application/json',
    authorization: credential.token === undefined ? undefined : `Bearer ${credential.token}`,
    'x-origin-app': target.originApp,
    'content-type': hasBody ? 'application/json' : undefined,
    'idempotency-key': call.key,
    'x-active-account': call.account ?? credential.account,
    ...call.headers,
  };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') continue;
    if (unsendable.test(value)) throw new Inconclusive(`what the target gave for ${name} cannot be sent in a header`);
    headers[name] = value;
  }
  return headers;
}

/**
 * The query parameters in the rows of lists, by mode; sort is mentioned for all lists with cursors, and offset belongs
 * to it.
 */
const queriesOf = {
  cursor: ['limit', 'cursor', 'sort', 'offset'],
  offset: ['limit', 'offset'],
  either: [],
  perhaps: [],
};
const takesFields = (operation: OperationId): boolean =>
  operation === 'GET /companies' || operation === 'GET /contacts';

/** Whether the call says so, or has a parameter that the row of its operation does not name. */
export function isUndocumented(operation: OperationId, { undocumented, query = {} }: Call): boolean {
  const { list } = operations[operation];
  const named = [...(list ? queriesOf[list] : []), ...(takesFields(operation) ? ['fields'] : [])];
  return undocumented === true || Object.keys(query).some((name) => query[name] !== undefined && !named.includes(name));
}

/** Common request headers: `X-Origin-App` always, `Content-Type` with a body, the others as the call says. */
export function toWire(target: Target, credential: Credential, method: string, path: string, call: Call): Sent {
  const body = call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  return {
    method,
    url: `${target.baseUrl}${apiPath}${fill(path, call.path)}${queryOf(call)}`,
    headers: headersOf(target, credential, call),
    ...defined({ body }),
  };
}
