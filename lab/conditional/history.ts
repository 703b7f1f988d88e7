// The history of a run on an honest server, kept so that it can be sent to another.
import { apiPath } from '../../lib/catalogue/operations.ts';
import type { Reply } from '../../lib/client/reply.ts';
import type { VirtualClock } from '../../lib/runtime/virtual-clock.ts';
import { examine } from '../examine.ts';
import { createReference, type ReferenceOptions } from '../reference/index.ts';
import { Comparison, Pairs } from './compare.ts';
import { kept } from './condition.ts';
import { type Exchange, requestOf, translated, withPlaceholders } from './exchange.ts';

export type Options = Omit<ReferenceOptions, 'clock'>;

/** Another than the runs have that are measured. */
const seed = 2;
/** As over a network; without it everything happens in the first moments of a minute. */
const latencyMs = 25;

/** Where virtual time begins, in milliseconds since the epoch; the history begins a little later. */
export const historyStart = Date.UTC(2026, 2, 2, 9, 0, 0);

export interface ScriptClock extends VirtualClock {
  set(ms: number): void;
}

/** A clock that stands where the next request puts it, and moves on where the server sleeps. */
export function scriptClock(): ScriptClock {
  let now = historyStart;
  const sleep = async (ms: number): Promise<void> => {
    now += ms;
  };
  const clock = { now: () => now, sleep };
  return {
    ...clock,
    inside: clock,
    during: (work) => work(),
    set: (ms) => {
      now = Math.max(now, ms);
    },
  };
}

/** Of an Idempotency-Key that was sent before: the whole request again, or something else under the same key. */
const lineOf = ({ request: { method, url, headers, body } }: Reply): string =>
  [method, url, headers.authorization, headers['x-active-account'], body].join(' ');

/** What the document does not decide although the suite does not say so: it looks at others of the run as well. */
function isAskedOddly({ request: { url, headers } }: Reply): boolean {
  const { searchParams: query } = new URL(url);
  const [limit, offset] = [Number(query.get('limit') ?? 1), Number(query.get('offset') ?? 0)];
  const isInBounds = Number.isInteger(limit) && limit >= 1 && limit <= 200 && Number.isInteger(offset) && offset >= 0;
  const { authorization = 'Bearer ', 'x-origin-app': origin, 'content-type': label = 'application/json' } = headers;
  const isPlain = origin !== undefined && authorization.startsWith('Bearer ') && label.startsWith('application/json');
  return !isInBounds || !isPlain;
}

function exchangesOf(replies: readonly Reply[]): readonly Exchange[] {
  const firsts = new Map<string, string>();
  return replies.map((reply) => {
    const { request, operation = '', status, text, json, sentAt, credential, undocumented } = reply;
    const key = request.headers['idempotency-key'];
    const first = key === undefined ? undefined : firsts.get(key);
    if (key !== undefined && first === undefined && (status < 300 || status === 409)) firsts.set(key, lineOf(reply));
    const repeat = first !== undefined && first === lineOf(reply);
    const isOpen = undocumented === true || operation === '' || (first !== undefined && !repeat) || isAskedOddly(reply);
    const path = request.url.slice(request.url.indexOf(apiPath) + apiPath.length);
    return {
      sent: {
        ...withPlaceholders({ ...request, path }),
        method: request.method,
        open: isOpen,
        repeat,
        at: sentAt,
        who: credential,
      },
      operation,
      reply: { status, text, headers: new Headers(reply.headers) },
      json,
    };
  });
}

async function record(): Promise<readonly Exchange[]> {
  let replies: readonly Reply[] = [];
  await examine({
    latencyMs,
    settings: { seed, effort: 'standard' },
    onHistory: (history) => {
      replies = history.replies;
    },
  });
  return exchangesOf(replies);
}

/** The same requests one after the other to a server of its own. */
async function replayed(options: Options): Promise<readonly Exchange[]> {
  recorded ??= record();
  const clock = scriptClock();
  const { handler } = await createReference({ ...options, clock });
  const pairs = new Pairs();
  const exchanges: Exchange[] = [];
  for (const one of await recorded) {
    clock.set(one.sent.at);
    const sent = translated(one.sent, pairs.value);
    const reply = await kept(await handler(requestOf(one.sent, pairs.value)));
    new Comparison(pairs, one).of(reply);
    exchanges.push({ ...one, sent, reply, json: JSON.parse(reply.text) });
  }
  return exchanges;
}

let recorded: Promise<readonly Exchange[]> | undefined;
const known = new Map<string, Promise<readonly Exchange[]>>();

/** The history on an honest server of these options. */
export function historyOn(options: Options): Promise<readonly Exchange[]> {
  const name = JSON.stringify(options);
  const history = known.get(name) ?? replayed(options);
  known.set(name, history);
  return history;
}
