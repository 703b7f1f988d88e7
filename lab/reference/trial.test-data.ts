// Helpers for tests of the reference: a server on a clock that the test moves, and short ways to send requests.
import { type Choices, createReference, type Reference, type ReferenceOptions } from './index.ts';

/** JSON of unknown shape whose members can be read; a missing member is undefined. */
export type Data = { readonly [name: string]: Data } & readonly Data[];

/** A parsed reply; `data`, `error` and `pagination` are empty objects where the envelope has none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: Data;
  readonly error: { readonly code?: string; readonly message?: string };
  readonly pagination: Record<string, unknown>;
  readonly envelope: Record<string, unknown>;
}

interface Asking {
  /** The credential's variable without COVENANT_, or a token, or null for none. Default API_KEY. */
  readonly as?: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Trial extends Reference {
  /** Moves the clock forward, in milliseconds. */
  pass(ms: number): void;
  /** `ask('GET /companies?limit=2')`. */
  ask(line: string, asking?: Asking): Promise<Answer>;
}

const start = Date.UTC(2026, 2, 2, 9, 0, 0);
const generous = { read: 1e6, write: 1e6, validate: 1e6 };

function requestOf(env: Record<string, string>, line: string, asking: Asking): Request {
  const [method = '', path = ''] = line.split(' ');
  const { as = 'API_KEY', body } = asking;
  const headers: Record<string, string> = { 'x-origin-app': 'trial' };
  if (as !== null) headers.authorization = `Bearer ${env[`COVENANT_${as}`] ?? as}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const init: RequestInit = { method, headers: { ...headers, ...asking.headers } };
  if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(`http://sandbox.test/api/external/v2${path}`, init);
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const envelope = JSON.parse(text) as Record<string, unknown>;
  const { data = {}, error = {}, pagination = {} } = envelope;
  const { status, headers } = response;
  return {
    status,
    headers,
    text,
    envelope,
    data: data as Data,
    error: error as object,
    pagination: pagination as Answer['pagination'],
  };
}

/** A reference without rate limits, unless `options` set them. */
export async function trial(choices: Partial<Choices> = {}, options: ReferenceOptions = {}): Promise<Trial> {
  let now = start;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const tiers = { starter: generous, standard: generous, business: generous };
  const reference = await createReference({ clock, tiers, ...options, choices });
  return {
    ...reference,
    pass: (ms) => {
      now += ms;
    },
    ask: async (line, asking = {}) => answerOf(await reference.handler(requestOf(reference.env, line, asking))),
  };
}

/** The numbers of a list's identifiers. */
export const ids = (answer: Answer): number[] => answer.data.map(({ id }) => Number(id));
