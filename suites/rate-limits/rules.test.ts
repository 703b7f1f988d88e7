// Tests of the rules with simulated limiters on virtual time: they find violations, and none in lawful or slow limiters.
import { describe, expect, test } from 'vitest';
import { replyOf } from '../../lib/client/reply.test-data.ts';
import type { OperationId, Reply } from '../../lib/index.ts';
import { virtualClock } from '../../lib/runtime/virtual-clock.ts';
import { ofThrottled } from '../rules.test-data.ts';
import { exceed, type Send } from './burst.ts';
import type { Allowance } from './counted.ts';
import { bucket, minuteMs, sliding, type Window, windows } from './limiter.test-data.ts';
import { recover } from './refusals.ts';
import { sendUnaffected, spend, whileSpent } from './spent.ts';

const key = 'COVENANT_RATE_API_KEY';
const other = 'COVENANT_API_KEY';
const sibling = `${key}_SIBLING`;
const accountsOf = (siblings: string) =>
  new Map([key, other, sibling].map((name) => [name, [name === other ? other : name === key ? key : siblings]]));

interface Answer {
  readonly status: number;
  readonly seconds?: number;
  readonly doubt?: string;
}

interface Asked {
  readonly operation?: OperationId;
  readonly credential?: string;
  /** Default: that of the target. */
  readonly takesMs?: number;
}

/** A target that records its exchanges, and what the rules find in them. */
function target(answer: (now: number, asked: Asked) => Answer, latencyOf = () => 0) {
  const clock = virtualClock(0);
  const replies: Reply[] = [];
  const send = async (asked: Asked = {}): Promise<Reply> => {
    const { operation = 'GET /me', credential = key, takesMs = latencyOf() } = asked;
    const [sentAt, after] = [clock.now(), replies.length];
    // It is counted when it arrives, or at once where only its reply is slow.
    if (asked.takesMs === undefined) await clock.sleep(takesMs);
    const { status, seconds, doubt } = answer(clock.now(), asked);
    if (asked.takesMs !== undefined) await clock.sleep(takesMs);
    const [method = 'GET', path] = operation.split(' ');
    const error = { code: 'RATE_LIMITED', message: `Please wait ${seconds ?? 60} seconds.` };
    const reply = replyOf({
      ...{ id: replies.length + 1, after, sentAt, receivedAt: clock.now(), operation, credential, status },
      request: { method, url: `http://target.test${path}`, headers: {} },
      ...(status === 429 ? { json: { request_id: 'r', error } } : {}),
      ...(doubt === undefined ? {} : { doubt }),
    });
    replies.push(reply);
    return reply;
  };
  const quiet = () => clock.sleep(Math.max(0, (replies.at(-1)?.receivedAt ?? 0) + minuteMs + 1 - clock.now()));
  const broken = (limits = { read: 20, write: 20, validate: 20 }, siblings = key): readonly string[] =>
    ofThrottled({
      replies: replies.filter(({ doubt }) => doubt === undefined),
      suspect: replies.filter(({ doubt }) => doubt !== undefined),
      lost: [],
      allowances: { minuteMs, key, limits, accounts: accountsOf(siblings) },
    }).map(({ id }) => id);
  return { clock, send, quiet, broken };
}

/** What stayed open, and the check of a case. */
function checks() {
  const open: string[] = [];
  const check = async (_: string, expectation: () => void) => {
    try {
      expectation();
    } catch (error) {
      open.push(String(error));
    }
  };
  return [open, check] as const;
}

interface Server extends Partial<Window> {
  readonly limiter?: (now: number) => boolean;
  readonly latencyMs?: number;
  /** Statuses of the first requests, whatever the window allows. */
  readonly hiccups?: readonly number[];
  /** The number of refusals replaced by an error page. */
  readonly pages?: number;
  /** As GET /me reports it. */
  readonly told?: number;
}

async function burst({ limiter, latencyMs = 0, hiccups = [], pages = 0, told = 20, limit = 20, ...window }: Server) {
  const isFree = limiter ?? windows({ limit, ...window });
  let [count, refusals] = [0, 0];
  const { clock, send, quiet, broken } = target(
    (now) => {
      const status = hiccups[count++] ?? (isFree(now) ? 200 : 429);
      if (status === 429) refusals += 1;
      const isPage = status === 429 && refusals <= pages;
      return isPage ? { status: 503, doubt: '503 without the error envelope' } : { status };
    },
    () => latencyMs,
  );
  // Requests before the run are not known.
  await send();
  let bursts = 0;
  const start = async (): Promise<Send> => {
    bursts += 1;
    return send;
  };
  const [open, check] = checks();
  const limits = { reported: () => told, quiet, minuteMs };
  const means = { check, clock, limits, exhaustible: {} } as never;
  const stopped = await exceed('read', start, means).then(() => undefined, String);
  return { bursts, open, stopped, broken: broken({ read: told, write: 20, validate: 20 }) };
}

describe('bursts', () => {
  test.each([
    ['a window that begins with the first request', {}],
    ...[0, 100, 500, 1000, 2000, 4000, 20_000, 59_000].map(
      (shift) => [`minutes that begin ${shift} ms apart from ours`, { alignedAt: shift, latencyMs: 900 }] as const,
    ),
    ['a sliding minute', { limiter: sliding(20), latencyMs: 900 }],
    ['a bucket', { limiter: bucket(20), latencyMs: 900 }],
    ['one refusal too early', { hiccups: [200, 429] }],
    ['failures, which say nothing', { hiccups: [200, 500, 500] }],
  ] satisfies (readonly [string, Server])[])('a kept limit passes: %s', async (_, server) => {
    expect(await burst(server)).toMatchObject({ open: [], broken: [] });
  });

  test('the last request of a burst may be counted before others', async () => {
    let count = -1;
    const statusAt = (place: number): number => (place < 19 || place === 30 ? 200 : 429);
    const { clock, send, quiet, broken } = target(
      () => ({ status: statusAt(count++ % 31) }),
      () => 10,
    );
    // Requests before the run are not known.
    await send();
    for (let bursts = 0; bursts < 5; bursts += 1) {
      await quiet();
      await Promise.all([...Array.from({ length: 30 }, () => send()), clock.sleep(1).then(() => send())]);
    }
    expect(broken()).toEqual([]);
  });

  test('a limit below or above the reported one is a violation', async () => {
    expect((await burst({ limit: 19 })).broken).toEqual(['rate-limits-read-allowed']);
    expect((await burst({ limit: 21 })).broken).toEqual(['rate-limits-read-enforced']);
    expect((await burst({ limit: 21, latencyMs: 900 })).broken).toEqual(['rate-limits-read-enforced']);
    expect((await burst({ limit: 21, latencyMs: 3000 })).broken).toEqual([]);
    expect((await burst({ limiter: () => true })).broken).toEqual(['rate-limits-read-enforced']);
  });

  test('the same page in place of every refusal in three minutes comes from the target', async () => {
    const stopped = expect.stringMatching('nothing gets 429');
    expect(await burst({ pages: 1000 })).toMatchObject({ bursts: 3, broken: ['rate-limits-read-enforced'], stopped });
  });

  test.each([10, 14])('%i pages in one minute prove nothing', async (pages) => {
    expect(await burst({ pages })).toMatchObject({ broken: [], stopped: undefined });
  });

  test('the limit of a target too slow for bursts is not tested', async () => {
    const tooLong = expect.stringMatching('take too long');
    expect(await burst({ limit: 900, told: 1000, latencyMs: 40_000 })).toMatchObject({
      open: [tooLong, tooLong],
      broken: [],
    });
  });

  test.each([
    [[19, 19, 19, 19, 19], 5, ['rate-limits-read-allowed']],
    [[14, 15, 13], 3, ['rate-limits-read-allowed']],
    // A way that sends some twice.
    [[19, 19, 20], 3, []],
    [[19, 19, 19, 20], 4, []],
    [[19, 19, 19, 18], 4, []],
  ])('refused early after %j: %i bursts', async (limits, count, expected) => {
    const open = expected.length === 0 ? [expect.stringMatching('twice')] : [];
    expect(await burst({ limits: [20, ...limits] })).toMatchObject({ bursts: count, broken: expected, open });
  });
});

describe('the wait in a 429', () => {
  const refillMs = 6000;
  const capacity = 10;

  interface Way {
    /** The seconds in the message, from the true ones. */
    readonly says?: (seconds: number) => number;
    /** Duration of each look's reply, by number from 0. */
    readonly lookMs?: (look: number) => number;
  }

  /** What is broken, and why it stayed open. */
  async function judged({ says = (seconds) => seconds, lookMs = () => 0 }: Way): Promise<readonly string[]> {
    let [tokens, at, looked] = [capacity, 0, 0];
    const { clock, send, broken } = target((now) => {
      tokens = Math.min(capacity, tokens + (now - at) / refillMs);
      at = now;
      if (tokens >= 1) {
        tokens -= 1;
        return { status: 200 };
      }
      return { status: 429, seconds: says(Math.ceil(((1 - tokens) * refillMs) / 1000)) };
    });
    const operation = 'GET /companies';
    const look = () => send({ operation, takesMs: lookMs(looked++) });
    const exceeded = { send: () => send({ takesMs: 0 }), allowance: { limit: 20, rate: 'read', minuteMs } } as const;
    const [open, check] = checks();
    await recover({ ...exceeded, looks: [look, look] }, { check, clock } as never);
    return [...broken({ read: capacity, write: 20, validate: 20 }), ...open];
  }

  test('passes if it is right, and fails if it is too short', async () => {
    expect(await judged({})).toEqual([]);
    expect(await judged({ says: () => 1 })).toEqual(['rate-limits-refused-recovery']);
  });

  test('may grow by requests accepted meanwhile: then it is tried again', async () => {
    expect(await judged({ lookMs: (look) => (look < 2 ? 9000 : 0) })).toEqual([]);
    expect(await judged({ lookMs: () => 9000 })).toEqual([expect.stringMatching('lengthen its wait')]);
    expect(await judged({ says: () => 1, lookMs: (look) => (look < 2 ? 9000 : 0) })).toEqual([
      'rate-limits-refused-recovery',
    ]);
  });
});

describe('while the reads are spent', () => {
  const allowance: Allowance = { limit: 20, rate: 'read', minuteMs };
  const list = 'GET /companies';
  const create = 'POST /companies';

  /** `isOpen`: what is accepted however much is spent. `isShut`: what is refused then. */
  async function spentBy(
    limiter: (now: number) => boolean,
    isOpen: (asked: Asked) => boolean,
    isShut = isOpen,
    siblings = key,
  ) {
    let spentAt = Number.NEGATIVE_INFINITY;
    const { clock, send, broken } = target((now, asked) => {
      const isOther = asked.credential === other || asked.operation === create;
      if (isOther) return { status: isShut(asked) && now - spentAt < 1000 ? 429 : 200 };
      if (isOpen(asked) || limiter(now)) return { status: 200 };
      spentAt = now;
      return { status: 429 };
    });
    const looks = [{ operation: list }, { operation: list, credential: sibling }] as const;
    const unaffected = [{ operation: create }, { operation: list, credential: other }] as const;
    const limits = { minuteMs } as never;
    for (const one of [...looks, ...unaffected] as const) await send(one);
    await clock.sleep(2 * minuteMs);
    const sends = (all: readonly Asked[]) => all.map((one) => () => send(one));
    await spend(send, allowance);
    await send({ operation: list });
    await sendUnaffected(send, allowance, sends(unaffected), { check: async () => {}, clock, limits });
    await whileSpent(send, allowance, sends(looks));
    return broken(undefined, siblings);
  }
  const never = () => false;

  test.each([
    ['a window', windows({ limit: 20 })],
    ['a sliding minute', sliding(20)],
    ['a bucket', bucket(20)],
  ])('a lawful limiter is no violation: %s', async (_, limiter) => {
    expect(await spentBy(limiter, never)).toEqual([]);
  });

  test('a minute that begins during concurrent requests is no violation', async () => {
    const isFree = windows({ limit: 20, alignedAt: 0 });
    let latencyMs = 0;
    const { clock, send, broken } = target(
      (now) => ({ status: isFree(now) ? 200 : 429 }),
      () => latencyMs,
    );
    await clock.sleep(minuteMs - 500);
    await spend(send, allowance);
    const before = Array.from({ length: 9 }, () => send());
    latencyMs = 1000;
    await Promise.all([...before, ...Array.from({ length: 3 }, () => send({ operation: list }))]);
    expect(broken()).toEqual([]);
  });

  test('serving a request that counts, or refusing one that does not, is a violation', async () => {
    const isList = ({ operation, credential = key }: Asked) => operation === list && credential === key;
    expect(new Set(await spentBy(sliding(20), isList, never))).toEqual(new Set(['rate-limits-every-operation']));
    const isSibling = ({ credential }: Asked) => credential === sibling;
    expect(new Set(await spentBy(sliding(20), isSibling, never))).toEqual(new Set(['rate-limits-keys-together']));
    expect(await spentBy(sliding(20), isSibling, never, 'another account')).toEqual([]);
    const isWrite = ({ operation }: Asked) => operation === create;
    expect(new Set(await spentBy(sliding(20), never, isWrite))).toEqual(new Set(['rate-limits-read-write-apart']));
    const isForeign = ({ credential }: Asked) => credential === other;
    expect(new Set(await spentBy(sliding(20), never, isForeign))).toEqual(new Set(['rate-limits-accounts-apart']));
  });
});
