// For the tests: a server with a clock of its own, and a client that checks the envelope of every reply.
import { expect } from 'vitest';
import { type Choices, createSecondReading, type SecondReading } from './index.ts';
import type { Limits } from './world.ts';

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Json;
  data: unknown;
  headers: Headers;
}

export interface Ask {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

const START = Date.UTC(2026, 2, 1, 12);
const GENEROUS: Limits = { read: 100_000, write: 100_000, validate: 100_000 };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export const SEEDS = Array.from({ length: 40 }, (_, index) => index * 37 + 5);

export class Trial {
  readonly clock: { now: number };
  readonly server: SecondReading;

  private constructor(server: SecondReading, clock: { now: number }) {
    this.server = server;
    this.clock = clock;
  }

  static async start(seed: number, choices: Partial<Choices> = {}, limits: Limits = GENEROUS): Promise<Trial> {
    const clock = { now: START };
    return new Trial(await createSecondReading({ seed, choices, limits, now: () => clock.now }), clock);
  }

  env(name: string): string {
    return this.server.env[`COVENANT_${name}`] ?? '';
  }

  /** Lets time pass until every record made is listed. */
  settle(): void {
    this.clock.now += 5000;
  }

  async ask(
    method: string,
    path: string,
    { token = this.env('API_KEY'), body, headers = {} }: Ask = {},
  ): Promise<Answer> {
    const all: Record<string, string> = { 'X-Origin-App': 'trial', ...headers };
    if (token !== '') all.Authorization = `Bearer ${token}`;
    const init: RequestInit = { method, headers: all };
    if (body !== undefined) {
      all['Content-Type'] ??= 'application/json';
      init.body = typeof body === 'string' ? body : JSON.stringify(body);
    }
    const response = await this.server.handle(new Request(`http://second.test/api/external/v2${path}`, init));
    const answer = (await response.json()) as Json;
    checkEnvelope(response.status, answer);
    return { status: response.status, body: answer, data: answer.data, headers: response.headers };
  }

  get(path: string, ask?: Ask): Promise<Answer> {
    return this.ask('GET', path, ask);
  }

  post(path: string, body: unknown, ask: Ask = {}): Promise<Answer> {
    return this.ask('POST', path, { ...ask, body });
  }

  patch(path: string, body: unknown, ask: Ask = {}): Promise<Answer> {
    return this.ask('PATCH', path, { ...ask, body });
  }

  delete(path: string, ask?: Ask): Promise<Answer> {
    return this.ask('DELETE', path, ask);
  }

  /** Makes a company and returns its identifier. */
  async company(name = 'Trial Capital', ask: Ask = {}): Promise<number> {
    const made = await this.post('/companies', { name, company_type: 'lender' }, ask);
    expect(made.status).toBe(201);
    return idOf(made.data, 'company');
  }

  async note(company: number, text: string, ask: Ask = {}): Promise<number> {
    const made = await this.post(`/companies/${company}/notes`, { text }, ask);
    expect(made.status).toBe(201);
    return idOf(made.data, 'note');
  }

  /** Goes through a list by cursor; something may happen after every page. */
  async walk(path: string, limit: number, between: () => Promise<void> = async () => undefined): Promise<Json[]> {
    const seen: Json[] = [];
    let cursor: unknown = null;
    for (let turn = 0; turn < 400; turn += 1) {
      const query = cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
      const page = await this.get(`${path}?limit=${limit}${query}`);
      expect(page.status).toBe(200);
      const pagination = page.body.pagination as Json;
      expect(pagination.cursor).toBe(cursor);
      expect(pagination.limit).toBe(limit);
      seen.push(...(page.data as Json[]));
      if (pagination.has_more === false) return seen;
      cursor = pagination.next_cursor;
      expect(cursor).toMatch(/^[\w+/-]+=*$/);
      await between();
    }
    throw new Error('The list has no end.');
  }
}

/** Throws plainly, as it is done for every reply. */
function checkEnvelope(status: number, body: Json): void {
  const problem = envelopeProblem(status, body);
  if (problem !== undefined) throw new Error(`${problem}: ${status} ${JSON.stringify(body)}`);
}

function envelopeProblem(status: number, body: Json): string | undefined {
  if (status >= 500) return 'The server failed';
  if (typeof body.request_id !== 'string' || body.request_id === '') return 'There is no request_id';
  if (status < 300) {
    if (typeof body.timestamp !== 'string' || !ISO.test(body.timestamp)) return 'The timestamp is wrong';
    return typeof body.data === 'object' && body.data !== null ? undefined : 'There are no data';
  }
  const { code, message } = (body.error ?? {}) as Json;
  if (typeof code !== 'string' || typeof message !== 'string') return 'The error is wrong';
  const right = (code === 'UNAUTHORIZED') === (status === 401) && (code === 'RATE_LIMITED') === (status === 429);
  return right ? undefined : 'The code is wrong';
}

/** The identifier of a record, under any of its lawful names. */
export function idOf(record: unknown, noun: string): number {
  const row = record as Json;
  const ref = row.ref as Json | undefined;
  const id = row.id ?? row[`${noun}_id`] ?? ref?.id;
  if (!Number.isSafeInteger(id)) throw new Error(`There is no identifier: ${JSON.stringify(record)}`);
  return Number(id);
}

export function idsOf(records: readonly unknown[], noun: string): number[] {
  return records.map((record) => idOf(record, noun));
}

/** All accounts of a list, whatever its shape: slug and identifier. */
export function accountsIn(data: unknown): { slug: string; id: unknown }[] {
  const list = (Array.isArray(data) ? data : Object.values(data as Json)[0]) as Json[];
  return list.map((row) => {
    const account = (row.account ?? row) as Json;
    return { slug: String(account.slug), id: account.id ?? account.account_id };
  });
}

export const uuid = (turn: number): string => `00000000-0000-4000-8000-${String(turn).padStart(12, '0')}`;
