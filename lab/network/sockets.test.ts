// Runs over real sockets behind a proxy that disturbs some of what passes: nobody is accused, each ends, and nothing stays behind.
import { describe, test } from 'vitest';
import type { Entry } from '../../lib/client/ledger.ts';
import { liveTransport } from '../../lib/client/transports/live.ts';
import { run } from '../../lib/run/run.ts';
import { wallClock } from '../../lib/runtime/clock.ts';
import { seededRandom } from '../../lib/runtime/random.ts';
import { suites } from '../../suites/index.ts';
import { defaultSettings, targetOf } from '../examine.ts';
import { listen } from '../over-http.ts';
import { createReference } from '../reference/index.ts';
import { asker, cleanedUp, remains } from './examine-schedule.ts';
import { disturbingProxy, type Trouble } from './proxy.test-data.ts';

/** High enough never to be met: limits have tests of their own, and would take minutes here. */
const limits = { read: 40_000, write: 20_000, validate: 4_000 };
const minuteMs = 2000;
const timeoutMs = 1500;

const schedules: readonly Trouble[] = [
  { disturbance: 'resetBefore', perCent: 5 },
  { disturbance: 'resetAfter', perCent: 2 },
  { disturbance: 'page', perCent: 5 },
  { disturbance: 'pageAfter', perCent: 2 },
  { disturbance: 'cut', perCent: 2 },
  { disturbance: 'cutWithoutLength', perCent: 2 },
  { disturbance: 'stale', perCent: 20 },
  { disturbance: 'drip', perCent: 5 },
  { disturbance: 'hang', perCent: 1 },
  { disturbance: 'resetBefore', outage: [300, 3300] },
  { disturbance: 'page', outage: [300, 3300] },
  { disturbance: 'hang', outage: [300, 3300] },
];
const named = schedules.map((trouble, seed) => ({ ...trouble, seed, what: JSON.stringify(trouble) }));

describe.concurrent('over sockets', () => {
  test.for(named)('$what accuses nobody, and leaves nothing behind', { timeout: 120_000 }, async (row, { expect }) => {
    const { seed, ...trouble } = row;
    const tiers = { starter: limits, standard: limits, business: limits };
    const { handler, env } = await createReference({ tiers, minuteMs, clock: wallClock });
    const look = () => remains(Object.keys(env), asker(handler, env, wallClock));
    const before = await look();
    const server = await listen(handler, 'plain');
    const proxy = await disturbingProxy(server.url, trouble, seededRandom(seed));
    const transport = liveTransport();
    const entries: Entry[] = [];
    try {
      const target = { ...targetOf(env), baseUrl: proxy.url, timeoutMs };
      const { brief } = await run({
        suites,
        target,
        settings: { ...defaultSettings, effort: 'quick', exhaustion: false, seed },
        transport: transport.send,
        clock: wallClock,
        record: (entry) => entries.push(entry),
      });
      expect(brief.requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
      expect(brief.verdict).not.toBe('aborted');
      expect(proxy.disturbed()).toBeGreaterThan(0);
      const straight = { ...target, baseUrl: server.url };
      await cleanedUp(entries, straight, transport.send, wallClock);
      expect(await look()).toEqual(before);
    } finally {
      await transport.close();
      await proxy.close();
      server.close();
    }
  });
});
