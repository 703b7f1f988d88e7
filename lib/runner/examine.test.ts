// `examine`: over a handler on virtual time, what it refuses before anything is sent, and what ends it.
import { describe, expect, test, vi } from 'vitest';
import { createReference } from '../../lab/reference/index.ts';
import houseRules from '../cli/house-rules.test-data.mjs';
import type { RunEvent } from '../events.ts';
import { type ExamineOptions, examine, UsageError, virtualClock } from './index.ts';

async function server() {
  const clock = virtualClock();
  const { handler, env } = await createReference({ clock });
  let requests = 0;
  const fetch = (request: Request) => {
    requests += 1;
    return handler(request);
  };
  return { fetch, clock, environment: env, requests: () => requests };
}

const few = { areas: ['billing', 'notes'], effort: 'quick', seed: 1 } as const;

test('a handler is examined as a whole on virtual time, rate limits included, and nothing is printed', async () => {
  const printed = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  const { fetch, clock, environment } = await server();
  const { report } = await examine({ fetch, clock, environment, effort: 'quick', seed: 1 });
  expect([report.verdict, report.totals.must.not_tested]).toEqual(['conformant', 0]);
  expect(report.run.duration_ms).toBeGreaterThan(60_000);
  for (const written of printed) {
    expect(written).not.toHaveBeenCalled();
    written.mockRestore();
  }
});

test('options are those of the command line under their names here', async () => {
  const { fetch, clock, environment: env, requests } = await server();
  const { report } = await examine({
    fetch,
    clock,
    baseUrl: 'https://staging.example.com',
    environment: {
      COVENANT_API_KEY: env.COVENANT_API_KEY,
      COVENANT_API_KEY_RESTRICTED: env.COVENANT_API_KEY_RESTRICTED,
    },
    requirements: ['billing-summary-scope'],
    readOnly: true,
    exhaustion: false,
    concurrency: 1,
    effort: 'quick',
    seed: 9,
  });
  expect(report.run).toMatchObject({ seed: 9, options: { read_only: true, exhaustion: false, concurrency: 1 } });
  expect(report.target.base_url).toBe('https://staging.example.com');
  expect(report.requirements.map(({ id, verdict }) => [id, verdict])).toEqual([['billing-summary-scope', 'passed']]);
  expect(requests()).toBeGreaterThan(1);
});

test('nothing is read from the environment that is not given', async () => {
  vi.stubEnv('COVENANT_BASE_URL', 'https://other.example.com');
  vi.stubEnv('COVENANT_API_KEY', 'svc_sk_of_the_environment');
  await expect(examine({ ...few })).rejects.toThrow('examine has no target');
  vi.unstubAllEnvs();
});

test('rules of one’s own run beside the suite, and the header of a gateway reaches a handler without being kept', async () => {
  const { fetch, clock, environment } = await server();
  const { report, transcript } = await examine({
    fetch: async (request) => {
      const reply = await fetch(request);
      reply.headers.set('x-echo', request.headers.get('x-gateway-key') ?? 'none');
      return reply;
    },
    clock,
    environment: { ...environment, COVENANT_HEADER_X_GATEWAY_KEY: 'gateway-canary' },
    areas: ['public'],
    effort: 'quick',
    suites: [houseRules],
  });
  expect(report.own?.requirements.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'x-house-health passed',
    'x-house-request-id passed',
    'x-house-server observed',
  ]);
  const kept = JSON.stringify({ report, transcript });
  expect(kept).toContain('<COVENANT_HEADER_X_GATEWAY_KEY>');
  expect(kept).not.toContain('gateway-canary');
});

describe('wrong options are refused in one sentence, and nothing is sent', () => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ area: ['notes'] }, 'area is not an option of examine; did you mean areas?'],
    [{ areas: 'notes' }, 'areas is not a list of texts'],
    [{ areas: ['note'] }, 'No area is called "note" (areas); did you mean notes?'],
    [{ requirements: ['notes-create'] }, '(requirements)'],
    [{ environment: { COVENANT_API_KEY: 'Bearer svc_sk_canary' } }, 'COVENANT_API_KEY begins with "Bearer"'],
    [{ maxMinutes: 1.5 }, '"1.5" (maxMinutes) is not a whole number'],
    [{ bail: 0 }, '"0" (bail) is not a whole number'],
    [{ effort: 'slow' }, '"slow" (effort) is none of'],
    [{ baseUrl: 'staging.example.com' }, 'The base URL staging.example.com (baseUrl) has no http://'],
    [{ environment: { COVENANT_API_KYE: 'x' } }, 'COVENANT_API_KYE in the environment is not a variable'],
    [{ environment: {} }, 'COVENANT_API_KEY is not set'],
    [{ fetch: undefined, baseUrl: 'http://t.test' }, 'give fetch, too'],
    [{ fetch: 'app' }, 'fetch is not a function'],
    [{ clock: {} }, 'clock is not a virtualClock()'],
    [{ signal: {} }, 'signal is not an AbortSignal'],
    [{ environment: { COVENANT_API_KEY: 5 } }, 'environment.COVENANT_API_KEY is not a text'],
    [{ suites: [7] }, 'suites[0] has no rules of your own'],
    [{ suites: [{ own: { 'x-a': { level: 'must' } }, cases: [] }] }, 'suites[0]: no case judges x-a'],
    [{ suites: [{ own: { 'x-a': {} }, cases: [null] }] }, 'suites[0]: one of its cases is none'],
    [{ suites: [houseRules, houseRules] }, 'Two of suites have a rule x-house-health'],
    [{ suites: [houseRules], requirements: ['x-house-helth'] }, 'did you mean x-house-health?'],
  ];
  test.each(wrong)('%j', async (options, sentence) => {
    const { requests, ...given } = await server();
    const failed = await examine({ ...given, ...few, ...options } as ExamineOptions).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(UsageError);
    expect(String(failed)).toContain(sentence);
    expect(String(failed)).not.toContain('canary');
    expect(String(failed)).not.toMatch(/--[a-z]|\n/);
    expect(requests()).toBe(0);
  });
});

describe('what ends it', () => {
  test('a signal: what was made is taken back, and the report is partial', async () => {
    const { requests: _, fetch, ...given } = await server();
    const controller = new AbortController();
    const events: RunEvent[] = [];
    const { report } = await examine({
      ...given,
      ...few,
      fetch: async (request) => {
        const reply = await fetch(request);
        // Then there is something to take back.
        if (reply.status === 201 && request.url.endsWith('/notes')) controller.abort();
        return reply;
      },
      signal: controller.signal,
      onEvent: (event) => void events.push(event),
    });
    expect(report).toMatchObject({ verdict: 'aborted', reason: 'interrupted' });
    expect(events.filter(({ event }) => event === 'cleaned').length).toBeGreaterThan(0);
    expect(report.residue.filter(({ kind }) => kind === 'note')).toEqual([]);
  });

  test('a signal that was aborted before: nothing is sent', async () => {
    const { requests, ...given } = await server();
    const { report } = await examine({ ...given, ...few, signal: AbortSignal.abort() });
    expect([report.verdict, requests()]).toEqual(['aborted', 0]);
  });

  test('an error of onEvent comes out of it, and is never taken for one of the suite', async () => {
    const { requests: _, ...given } = await server();
    const onEvent = (event: RunEvent) => {
      if (event.event === 'decided') throw new RangeError('a mistake in the listener');
    };
    await expect(examine({ ...given, ...few, onEvent })).rejects.toThrow(RangeError);
  });

  test('a server that does not go by the clock of the run', async () => {
    const { handler, env } = await createReference();
    const examined = examine({ ...few, fetch: handler, environment: env, clock: virtualClock() });
    await expect(examined).rejects.toThrow('let the server read clock.now()');
  });
});
