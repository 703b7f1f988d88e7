// The lawful client of the long session: what it knows of the server, and how it sends.
import type { Random } from '../../../../lib/runtime/random.ts';
import type { Handler } from '../../../reference/index.ts';
import { isObject, type Json } from '../../wrappers/json.ts';
import { see } from '../../wrappers/mutator.ts';
import { kept } from '../condition.ts';
import { type Exchange, given, type Judged, type Leeway, requestOf, type Sent } from './exchange.ts';
import type { ScriptClock } from './script-clock.ts';

/** Somebody with a token, and the account that the token acts on. */
export interface Caller {
  readonly who: string;
  /** The whole Authorization header; empty: none is sent. */
  readonly authorization: string;
  /** The slug; empty: none, or it is not known. */
  readonly account: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Ask extends Leeway {
  readonly as: Caller;
  readonly body?: unknown;
  /** The body as it is sent, where it is not plain JSON of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly judged?: Judged;
}

export interface Answer {
  readonly status: number;
  /** Empty where there is none, or a list. */
  readonly data: Json;
  readonly list: readonly Json[];
  readonly pagination: Json;
}

export interface MadeKey {
  readonly id: number;
  readonly caller: Caller;
}

/** The note's path below the API's, with what the server gave out. */
export interface KnownNote {
  readonly account: string;
  readonly company: number;
  readonly id: number;
}

const origins = ['lender-portal', 'crm', 'Deal Desk 2', 'nightly import of the data warehouse'] as const;
/** Shorter than a request of a hurried client takes, and longer. */
const gapsMs = { least: 60, most: 640 };

export class Client {
  readonly random: Random;
  readonly env: Readonly<Record<string, string>>;
  readonly exchanges: Exchange[] = [];
  /** Identifiers of companies, by the slug of their account. */
  readonly companies = new Map<string, number[]>();
  readonly notes: KnownNote[] = [];
  readonly keys: MadeKey[] = [];
  /** Where the session is without a header. */
  stored = 'summit-west';
  readonly #piles = new Map<string, number[]>();
  readonly #server: Handler;
  readonly #clock: ScriptClock;

  constructor(server: Handler, env: Readonly<Record<string, string>>, clock: ScriptClock, random: Random) {
    this.#server = server;
    this.#clock = clock;
    this.env = env;
    this.random = random;
  }

  /** Lets so much time pass. */
  wait(ms: number): void {
    this.#clock.set(this.#clock.now() + ms);
  }

  /** One in `among`. */
  chance(among: number): boolean {
    return this.random.int(1, among) === 1;
  }

  /** One of the items; each is dealt once before any is dealt again. */
  deal<Item>(name: string, items: readonly [Item, ...Item[]]): Item {
    const pile = this.#piles.get(name) ?? [];
    if (pile.length === 0) pile.push(...this.random.shuffled([...items.keys()]));
    this.#piles.set(name, pile);
    return items[pile.pop() ?? 0] ?? items[0];
  }

  /** So many different ones, dealt. */
  some<Item>(name: string, items: readonly [Item, ...Item[]], count: number): readonly Item[] {
    return [...new Set(Array.from({ length: count }, () => this.deal(name, items)))];
  }

  one<Item>(items: readonly Item[]): Item | undefined {
    return items[this.random.int(0, items.length - 1)];
  }

  /** `ask('GET', '/companies?limit=2', { as })`; at once, `atOnce` says, or after a while. */
  async ask(method: string, path: string, ask: Ask, atOnce = false): Promise<Answer> {
    this.wait(atOnce ? 5 : this.random.int(gapsMs.least, gapsMs.most));
    const sent = this.#sent(method, path, ask);
    const request = requestOf(sent, (_, first) => first);
    const { operation } = await see(request);
    const reply = await kept(await this.#server(request));
    const json: unknown = JSON.parse(reply.text);
    this.exchanges.push({ sent, operation, reply, json });
    const { data, pagination } = isObject(json) ? json : {};
    return {
      status: reply.status,
      data: isObject(data) ? data : {},
      list: Array.isArray(data) ? data.filter(isObject) : [],
      pagination: isObject(pagination) ? pagination : {},
    };
  }

  #sent(method: string, path: string, { as, body, text, headers, judged = 'exact', ...leeway }: Ask): Sent {
    const written = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const charset = this.chance(5) ? '; charset=utf-8' : '';
    return {
      method,
      path,
      judged,
      who: as.who,
      at: this.#clock.now(),
      headers: {
        'x-origin-app': this.random.pick(origins),
        ...(as.authorization === '' ? {} : { authorization: as.authorization }),
        ...(written === undefined ? {} : { 'content-type': `application/json${charset}` }),
        ...as.headers,
        ...headers,
      },
      ...(written === undefined ? {} : { body: written }),
      ...leeway,
    };
  }

  /** The holder of one of the credentials that the server begins with. */
  holder(variable: string, who: string, account: string): Caller {
    return { who, account, authorization: `Bearer ${this.env[`COVENANT_${variable}`]}` };
  }
  primary = (): Caller => this.holder('API_KEY', 'the primary key', 'harbor-point');
  restricted = (): Caller => this.holder('API_KEY_RESTRICTED', 'the restricted key', 'harbor-point');
  secondary = (): Caller => this.holder('API_KEY_SECONDARY', 'the secondary key', 'lakeshore');
  rate = (): Caller => this.holder('RATE_API_KEY', 'the key for rate limits', 'quarry-lane');
  sibling = (): Caller => this.holder('RATE_API_KEY_SIBLING', 'the sibling of the key for rate limits', 'quarry-lane');
  homeless = (): Caller => this.holder('JWT_NO_ACCOUNT', 'the session without an account', '');
  session = (): Caller => this.holder('JWT', 'the session', this.stored);

  /** The session with X-Active-Account. */
  sessionIn(account: string): Caller {
    return {
      ...this.holder('JWT', `the session with X-Active-Account: ${account}`, account),
      headers: { 'x-active-account': account },
    };
  }

  /** Anybody who may do everything in an account of their own. */
  anyone = (): Caller => {
    const made = this.one(this.keys)?.caller;
    return this.deal<() => Caller>('callers', [
      this.primary,
      this.primary,
      this.primary,
      () => made ?? this.primary(),
      () => made ?? this.session(),
      this.session,
      () => this.sessionIn(this.random.pick(['summit-west', 'summit-east'])),
      this.secondary,
      () => ({
        ...this.primary(),
        headers: { 'x-active-account': 'harbor-point' },
        who: 'the primary key with X-Active-Account',
      }),
    ])();
  };

  known(account: string): number[] {
    const known = this.companies.get(account) ?? [];
    this.companies.set(account, known);
    return known;
  }

  /** A key that the caller makes; undefined where it is refused. */
  async makeKey(as: Caller, label: string): Promise<MadeKey | undefined> {
    // key-creation-off: who has few rights may not make keys.
    const also = as.who === this.restricted().who ? [403] : [];
    const { status, data } = await this.ask('POST', '/api-keys', { as, body: { label }, also });
    if (status !== 201) return undefined;
    const authorization = `Bearer ${given('secret', data.api_key)}`;
    const made = {
      id: Number(data.id),
      caller: { who: `a key made by ${as.who}`, account: as.account, authorization },
    };
    this.keys.push(made);
    return made;
  }
}
