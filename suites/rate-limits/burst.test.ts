// Tests of bursts against simulated limiters on virtual time: violations are found, and slowness is none.
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../lib/index.ts';
import { virtualClock } from '../../lib/runtime/virtual-clock.ts';
import { type Allowance, bursts, ensureRefused, expectAllowed, expectEnforced } from './burst.ts';

const minuteMs = 60_000;
const allowance: Allowance = { limit: 20, rate: 'read', minuteMs };

interface Server {
  /** Requests accepted per window. */
  readonly limit: number;
  /** The limit of each next window, where windows differ. */
  readonly limitOf?: () => number;
  /** Windows begin at full minutes plus this offset; if absent, with the first request. */
  readonly alignedAt?: number;
  readonly latencyMs?: number;
  /** Statuses of the first requests, whatever the window allows. */
  readonly hiccups?: readonly number[];
  /** The number of refusals replaced by an error page. */
  readonly pages?: number;
}

async function tried({ limit, limitOf = () => limit, alignedAt, latencyMs = 0, hiccups = [], pages = 0 }: Server) {
  const clock = virtualClock(0);
  let window = { start: Number.NEGATIVE_INFINITY, used: 0, limit };
  let count = 0;
  let refusals = 0;
  let lastReplyAt = 0;
  const statusAt = (now: number): number => {
    const start = alignedAt === undefined ? now : Math.floor((now - alignedAt) / minuteMs) * minuteMs + alignedAt;
    if (now >= window.start + minuteMs) window = { start, used: 0, limit: limitOf() };
    window.used += 1;
    return window.used <= window.limit ? 200 : 429;
  };
  const send = async (): Promise<Reply> => {
    await clock.sleep(latencyMs);
    const said = hiccups[count] ?? statusAt(clock.now());
    if (said === 429) refusals += 1;
    const isPage = said === 429 && refusals <= pages;
    const status = isPage ? 503 : said;
    count += 1;
    lastReplyAt = clock.now();
    return {
      status,
      id: count,
      headers: {},
      text: '',
      sentAt: lastReplyAt,
      receivedAt: lastReplyAt,
      ...(isPage ? { doubt: '503 without the error envelope' } : {}),
    } as unknown as Reply;
  };
  const quiet = () => clock.sleep(Math.max(0, lastReplyAt + minuteMs + 1 - clock.now()));
  return bursts(send, allowance, { clock, quiet });
}

test('a limit that is kept takes one burst', async () => {
  const seen = await tried({ limit: 20 });
  expect(seen.tries).toHaveLength(1);
  expect(() => expectAllowed(seen)).not.toThrow();
  expect(() => expectEnforced(seen)).not.toThrow();
});

test.each([0, 100, 500, 1000, 2000, 4000, 20_000, 59_000])(
  'a limit that is kept is found so when minutes begin %i ms apart from ours',
  async (shift) => {
    const seen = await tried({ limit: 20, alignedAt: minuteMs + 1 + shift, latencyMs: 900 });
    expect(() => expectAllowed(seen)).not.toThrow();
    expect(() => expectEnforced(seen)).not.toThrow();
  },
);

test('a limit that is kept is not accused for one refusal too early', async () => {
  const seen = await tried({ limit: 20, hiccups: [429] });
  expect(() => expectAllowed(seen)).not.toThrow();
});

test('a limit that is kept is not accused for failures, which say nothing', async () => {
  const seen = await tried({ limit: 20, hiccups: [500, 500] });
  expect(() => expectAllowed(seen)).not.toThrow();
  expect(() => expectEnforced(seen)).not.toThrow();
});

test('a limit lower than reported is found', async () => {
  const seen = await tried({ limit: 19 });
  expect(() => expectAllowed(seen)).toThrow('20 read requests of a quiet minute should be accepted');
});

test('a limit one higher than reported is found', async () => {
  const seen = await tried({ limit: 21 });
  expect(seen.tries).toHaveLength(3);
  expect(() => expectEnforced(seen)).toThrow('beyond 20 should be refused');
});

describe('a page in place of every refusal', () => {
  test('in each of three minutes is the word of the target', async () => {
    const seen = await tried({ limit: 20, pages: 1000 });
    expect(seen.tries).toHaveLength(3);
    expect(() => expectAllowed(seen)).not.toThrow();
    expect(() => expectEnforced(seen)).toThrow('read requests beyond 20 should be refused with 429');
    expect(() => ensureRefused(seen)).toThrow('nothing gets 429');
  });

  test.each([10, 14])('in one minute says nothing, where %i pages came', async (pages) => {
    const seen = await tried({ limit: 20, pages });
    expect(() => expectAllowed(seen)).not.toThrow();
    expect(() => expectEnforced(seen)).not.toThrow();
    expect(() => ensureRefused(seen)).not.toThrow();
  });
});

test('the limit of a target too slow for bursts is not tested', async () => {
  const seen = await tried({ limit: 1000, latencyMs: 40_000 });
  expect(() => expectAllowed(seen)).toThrow('take too long');
  expect(() => expectEnforced(seen)).toThrow('take too long');
});

describe('refused one request early', () => {
  const burstsOf = async (limits: readonly number[]) => {
    const next = limits.values();
    const seen = await tried({ limit: 20, limitOf: () => next.next().value ?? 20 });
    return { bursts: seen.tries.length, judge: () => expectAllowed(seen) };
  };

  test('in each of five bursts is the word of the limiter', async () => {
    const { bursts, judge } = await burstsOf([19, 19, 19, 19, 19]);
    expect(bursts).toBe(5);
    expect(judge).toThrow('should be accepted');
  });

  test.each([
    [[19, 19, 20], 3],
    [[19, 19, 19, 20], 4],
    [[19, 19, 19, 18], 4],
  ])('with counts %j may be a way that sends some twice', async (limits, bursts) => {
    const seen = await burstsOf(limits);
    expect(seen.bursts).toBe(bursts);
    expect(seen.judge).toThrow('twice');
  });

  test('by more than a fifth is the word of the limiter, whatever the counts', async () => {
    const { bursts, judge } = await burstsOf([14, 15, 13]);
    expect(bursts).toBe(3);
    expect(judge).toThrow('should be accepted');
  });
});
