// What a run leaves behind: an interrupted one takes back what it made, no secret is in a report, and what is open says what to do.
import { describe, expect, test } from 'vitest';
import { conforms } from '../case.ts';
import { Ended, NotTested } from '../client/errors.ts';
import type { Entry } from '../client/ledger.ts';
import type { Handler } from '../client/transports/handler.ts';
import { expectStatus } from '../expect/expect.ts';
import { NotWritten } from '../runtime/disk.ts';
import { of, only, passing, trial } from './run.test-data.ts';
import { allowedTime, stored } from './schedule.ts';

describe('an interrupted run', () => {
  test('cleans up, and reports what it knows', async () => {
    const stop = new AbortController();
    const interrupted = conforms('api-keys-create-id', { writes: true }, async ({ api, make, check }) => {
      await make.key(api);
      stop.abort(new Error('Ctrl-C'));
      await make.key(api);
      await check('api-keys-create-id', () => {});
    });
    const settings = { ...only('companies-read-unknown', 'api-keys-create-id'), concurrency: 1 };
    const { report, transcript } = await trial({ cases: [passing, interrupted], settings, signal: stop.signal });
    expect(report).toMatchObject({ verdict: 'aborted', residue: [] });
    expect(of(report, 'companies-read-unknown')?.verdict).toBe('passed');
    expect(of(report, 'api-keys-create-id')).toMatchObject({
      verdict: 'inconclusive',
      reason: 'the run was interrupted',
    });
    expect(transcript.at(-1)?.operation).toBe('DELETE /api-keys/{key_id}');
  });

  test('does not wait for a reservation that its case can no longer release', async () => {
    const stop = new AbortController();
    const interrupted = conforms('api-keys-create-id', { writes: true }, async ({ api, make, limits, check }) => {
      await make.key(api);
      await limits.reserve(api.credential, 'write', 1);
      stop.abort(new Error('Ctrl-C'));
      await check('api-keys-create-id', () => {});
    });
    const settings = { ...only('api-keys-create-id'), concurrency: 1 };
    const { report } = await trial({ cases: [interrupted], settings, signal: stop.signal });
    expect(report).toMatchObject({ verdict: 'aborted', residue: [] });
  });

  test('no longer waits to create a key', async () => {
    const stop = new AbortController();
    let keys = 0;
    const full =
      (honest: Handler): Handler =>
      async (request) => {
        const makes = request.method === 'POST' && request.url.endsWith('/api-keys');
        if (makes) keys += 1;
        return makes && keys > 1 ? new Response('{}', { status: 409 }) : honest(request);
      };
    const interrupted = conforms('api-keys-create-id', { writes: true }, async ({ api, make, clock, check }) => {
      await make.key(api);
      const another = make.key(api);
      await clock.sleep(1_000).then(() => stop.abort(new Error('Ctrl-C')));
      await another;
      await check('api-keys-create-id', () => {});
    });
    const settings = { ...only('api-keys-create-id'), concurrency: 1 };
    const { report } = await trial({ cases: [interrupted], settings, wrap: full, signal: stop.signal });
    expect(report).toMatchObject({ verdict: 'aborted', residue: [] });
    expect(report.run.duration_ms).toBeLessThan(2_000);
  });

  test('a case that did not start is inconclusive', async () => {
    const stop = new AbortController();
    stop.abort(new Error('Ctrl-C'));
    const { report } = await trial({ cases: [passing], settings: only('companies-read-unknown'), signal: stop.signal });
    expect(of(report, 'companies-read-unknown')).toMatchObject({ verdict: 'inconclusive' });
    expect(report.verdict).toBe('aborted');
  });
});

test('a run that waits endlessly says so and cleans up', async () => {
  const never = new Promise<void>(() => {});
  let hear = () => {};
  const standStill = () => hear();
  const stuck = conforms('api-keys-create-id', { writes: true }, async ({ api, make, clock, check }) => {
    await make.key(api);
    void clock.sleep(1_000).then(standStill).then(standStill);
    await never;
    await check('api-keys-create-id', () => {});
  });
  const { report } = await trial({
    cases: [passing, stuck],
    settings: only('companies-read-unknown', 'api-keys-create-id'),
    onStandstill: (call) => {
      hear = call;
      return () => {};
    },
  });
  const reason = 'an error of Covenant itself: it waits for something that never comes';
  expect(report).toMatchObject({ verdict: 'aborted', reason, residue: [] });
  expect(of(report, 'companies-read-unknown')?.verdict).toBe('passed');
  expect(of(report, 'api-keys-create-id')).toMatchObject({ verdict: 'inconclusive', reason });
});

test.each([
  [{ maxMinutes: 1 }, 'the run has reached its limit of 1 minute (--max-minutes)'],
  [{ maxMinutes: 3 }, 'the run has reached its limit of 3 minutes (--max-minutes)'],
])('a run that may take %o says so when it does', async (limit, reason) => {
  const slow = conforms('api-keys-create-id', { writes: true }, async ({ api, clock, check }) => {
    for (let minute = 0; minute < 10; minute += 1) {
      await clock.sleep(60_001);
      await api.send('GET /companies');
    }
    await check('api-keys-create-id', () => {});
  });
  const settings = { ...only('companies-read-unknown', 'api-keys-create-id'), ...limit };
  const { report } = await trial({ cases: [passing, slow], settings });
  expect(report.verdict).toBe('incomplete');
  expect(report.run.duration_ms).toBeLessThan((limit.maxMinutes + 2) * 60_000);
  expect(of(report, 'companies-read-unknown')?.verdict).toBe('passed');
  expect(of(report, 'api-keys-create-id')).toMatchObject({ verdict: 'inconclusive', reason });
});

test('no secret is in the report or the transcript, also not of keys made on the way', async () => {
  const tokens: string[] = [];
  const showing = conforms('api-keys-create-id', { writes: true }, async ({ api, make, invalid, check }) => {
    const key = await make.key(api);
    tokens.push(key.credential.token ?? '');
    const bad = invalid('TAMPERED', `${api.credential.token}x`);
    const echoed = await api.as(bad).send('GET /me');
    await check('api-keys-create-id', () => expectStatus(echoed, 200));
  });
  const { report, transcript, env } = await trial({ cases: [showing], settings: only('api-keys-create-id') });
  const all = JSON.stringify([report, transcript]);
  expect(tokens).toHaveLength(1);
  for (const secret of [
    ...tokens,
    ...Object.entries(env).flatMap(([name, value]) => (/KEY|JWT/.test(name) ? [value] : [])),
  ]) {
    expect(all).not.toContain(secret);
  }
  expect(all).toContain('<MADE_KEY_');
});

test('a creation is recorded before it is sent', async () => {
  const entries: string[] = [];
  const wrap =
    (honest: Handler): Handler =>
    (request) => {
      if (request.method === 'POST' && request.url.endsWith('/api-keys')) entries.push('sent');
      return honest(request);
    };
  const making = conforms('api-keys-create-id', { writes: true }, async ({ api, make, check }) => {
    await make.key(api);
    await check('api-keys-create-id', () => {});
  });
  await trial({
    cases: [making],
    settings: only('api-keys-create-id'),
    wrap,
    record: ({ entry }) => entries.push(entry),
  });
  expect(entries).toEqual(['run', 'intend', 'sent', 'made', 'gone']);
});

const full = (): never => {
  throw new NotWritten('reports/ledgers/1.ndjson', Object.assign(new Error('no'), { code: 'ENOSPC' }));
};
const announced: Entry = { entry: 'switch', n: 1, credential: 'COVENANT_JWT', slug: 'acme' };

test('a creation that cannot be recorded is not sent, and ends the run', () => {
  const ends: string[] = [];
  expect(() => stored(announced, full, ({ message }) => ends.push(message))).toThrow(Ended);
  expect(ends).toEqual([
    'reports/ledgers/1.ndjson could not be written: the disk is full; without it a run makes nothing that it could not find again',
  ]);
});

test('what is already done ends the run and nothing else, so that the clean-up goes on', () => {
  const ends: string[] = [];
  stored({ entry: 'restored', n: 1 }, full, ({ message }) => ends.push(message));
  expect(ends).toHaveLength(1);
});

test('any other error is one of our own', () => {
  const broken = () => {
    throw new TypeError('oh dear');
  };
  expect(() => stored(announced, broken, () => {})).toThrow(TypeError);
});

const plan = { requests: [{ account: 'one', class: 'read', requests: 20 }], residue: [], duration_ms: 30_000 } as const;

test.each([
  [2, undefined, undefined, 120_000, 'its limit of 2 minutes (--max-minutes)'],
  [2, undefined, 10, 1_200_000, 'its limit of 2 minutes (--max-minutes)'],
  [undefined, plan, undefined, 150_000, 'its limit of 3 minutes, three times what was planned'],
  [undefined, plan, 10, 1_500_000, 'its limit of 3 minutes, three times what was planned'],
  [undefined, undefined, 10, Number.POSITIVE_INFINITY, ''],
] as const)('--max-minutes %j, planned %j, a clock %j times as fast: %i ms', (minutes, planned, rate, ms, over) => {
  const allowed = allowedTime(minutes, planned, rate);
  expect(allowed.ms).toBe(ms);
  expect(allowed.over).toContain(over);
});

test.each([
  ['standard', 'COVENANT_API_KEY_RESTRICTED is not set; more is tried with --effort thorough'],
  ['thorough', 'COVENANT_API_KEY_RESTRICTED is not set; the target offered nothing that would show it'],
  ['quick', 'the list is short'],
] as const)('what no exchange of a %s run could have failed says why: %s', async (effort, why) => {
  const ids = ['companies-read-unknown', 'companies-create-id'] as const;
  const options = { wants: ['restricted'], perhaps: ['companies-create-id'], reads: [1, 1, 2] } as const;
  const showsNothing = conforms(ids, options, async ({ effort, check }) => {
    if (effort === 'quick')
      await check('companies-create-id', () => Promise.reject(new NotTested('the list is short')));
  });
  const { report } = await trial({
    cases: [showsNothing],
    rules: { ids: ['companies-read-unknown'], apply: () => {} },
    settings: { ...only(...ids), effort },
    drop: 'COVENANT_API_KEY_RESTRICTED',
  });
  const reason = `no exchange could have failed it; ${why}; covenant explain says what could`;
  expect(of(report, 'companies-read-unknown')).toMatchObject({ verdict: 'not-tested', reason, judged: 0 });
});
