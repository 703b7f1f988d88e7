// Follows the traffic of one server, so that a trigger knows the caller and the earlier requests.

import { isObject, type Json, see } from '../mutants/wrappers/mutator.ts';
import { createReference, type ReferenceOptions } from '../reference/index.ts';
import { type Caller, type Event, events, type Moment, type Since, type Target } from './trigger.ts';

/** Who the credentials are that a reference hands out. */
const callers: Readonly<Record<string, Caller>> = {
  COVENANT_API_KEY: 'primary',
  COVENANT_API_KEY_RESTRICTED: 'restricted',
  COVENANT_API_KEY_SECONDARY: 'secondary',
  COVENANT_JWT: 'session',
  COVENANT_JWT_NO_ACCOUNT: 'homeless',
  COVENANT_RATE_API_KEY: 'rate',
  COVENANT_RATE_API_KEY_SIBLING: 'sibling',
};

/** The callers by their tokens: a second reference of the same options, begun at the same moment, hands out the same. */
export async function callersOf(reference: Omit<ReferenceOptions, 'clock'>, now: number): Promise<Map<string, Caller>> {
  const clock = { now: () => now, sleep: async () => {} };
  const { env } = await createReference({ ...reference, clock });
  return new Map(
    Object.entries(callers).flatMap(([name, caller]): [string, Caller][] => {
      const token = env[name];
      return token === undefined ? [] : [[token, caller]];
    }),
  );
}

/** When an event was last seen, by the number of the request: for everybody under the empty name, and for each token. */
type Log = Map<string, Map<Event, number>>;

interface Born {
  readonly ordinal: number;
  readonly at: number;
  edits: number;
  texts: string;
}

const tokenOf = (headers: Headers): string => (headers.get('authorization') ?? '').replace(/^Bearer /i, '');
const childOf = (maker: Caller): Caller => {
  if (maker === 'session') return 'made-by-session';
  return maker.startsWith('made') || maker === 'grandchild' ? 'grandchild' : 'made';
};
const raise = (counts: Map<string, number>, name: string): number => {
  const before = counts.get(name) ?? 0;
  counts.set(name, before + 1);
  return before;
};

export class Tracker {
  readonly #callers: Promise<Map<string, Caller>>;
  readonly #log: Log = new Map();
  readonly #counts = new Map<string, number>();
  readonly #usedKeys = new Set<string>();
  readonly #born = new Map<string, Born>();
  #began: number | undefined;
  #last = 0;

  constructor(callers: Promise<Map<string, Caller>>) {
    this.#callers = callers;
  }

  /** Counts a request that has arrived; the moment has no reply yet. */
  async meet(request: Request, now: number): Promise<Moment> {
    const seen = await see(request);
    const text = request.method === 'GET' ? '' : await request.clone().text();
    const known = await this.#callers;
    const { operation, url } = seen;
    const token = tokenOf(request.headers);
    const key = request.headers.get('idempotency-key');
    this.#began ??= now;
    const requests = raise(this.#counts, 'all');
    const past = {
      requests,
      ofCaller: raise(this.#counts, `by ${token}`),
      ofOperation: raise(this.#counts, `on ${operation}`),
      runMs: now - this.#began,
      idleMs: requests === 0 ? 0 : now - this.#last,
      since: this.#since('', requests),
      sinceOwn: this.#since(token, requests),
    };
    this.#last = now;
    return {
      operation,
      method: request.method,
      caller: known.get(token) ?? 'stranger',
      headers: request.headers,
      query: url.searchParams,
      text,
      body: seen.body,
      idempotencyKey: key === null ? 'none' : this.#usedKeys.has(key) ? 'used' : 'fresh',
      target: this.#target(url.pathname, now),
      id: /\/(\d+)(?:\/notes)?$/.test(url.pathname) ? Number(/(\d+)(?:\/notes)?$/.exec(url.pathname)?.[1]) : undefined,
      past,
    };
  }

  /** Records the reply to a request. */
  async learn(moment: Moment, path: string, response: Response, now: number): Promise<void> {
    const { operation, method, headers, body, text } = moment;
    const { status } = response;
    const token = tokenOf(headers);
    const key = headers.get('idempotency-key');
    const happened = (event: Event) => this.#note(event, token, moment.past.requests);
    if (status === 401) happened('bad-token');
    else if (method !== 'GET' && status >= 400 && status !== 429) happened('refusal');
    if (method === 'GET' || status >= 300) return;
    if (moment.idempotencyKey === 'used') happened('replay');
    if (key !== null) this.#usedKeys.add(key);
    if (operation === 'PATCH /me/active-account') return happened('switch');
    if (operation === 'DELETE /api-keys/{key_id}') return happened('revocation');
    if (method === 'DELETE') return happened('delete');
    if (method === 'PATCH') {
      happened('edit');
      const born = this.#born.get(path);
      if (born) Object.assign(born, { edits: born.edits + 1, texts: text });
    }
    if (status !== 201) return;
    happened('create');
    const json: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    if (isObject(json) && isObject(json.data))
      await this.#bear(path, json.data, isObject(body) ? text : '', moment, now);
  }

  async #bear(path: string, data: Json, texts: string, moment: Moment, now: number): Promise<void> {
    const ordinal = raise(this.#counts, `made ${moment.operation}`) + 1;
    this.#born.set(`${path}/${data.id}`, { ordinal, at: now, edits: 0, texts });
    if (typeof data.api_key === 'string') (await this.#callers).set(data.api_key, childOf(moment.caller));
  }

  #note(event: Event, token: string, request: number): void {
    for (const name of ['', token]) {
      const seen = this.#log.get(name) ?? new Map<Event, number>();
      this.#log.set(name, seen.set(event, request));
    }
  }

  #since(name: string, request: number): Since {
    const seen = this.#log.get(name);
    const ago = (event: Event): number => request - (seen?.get(event) ?? Number.NEGATIVE_INFINITY);
    return Object.fromEntries(events.map((event) => [event, ago(event)])) as Record<Event, number>;
  }

  #target(path: string, now: number): Target | undefined {
    const born = this.#born.get(path) ?? this.#born.get(path.replace(/\/notes$/, ''));
    if (born === undefined) return undefined;
    const { ordinal, at, edits, texts } = born;
    return { ordinal, ageMs: now - at, edits, texts };
  }
}
