// Tests for what a target reports of its limits: every shape that is read, and everything that must not be.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLimits } from './limits.ts';

fc.configureGlobal({ seed: 1 });

type Numbers = { read: number; write: number; validate: number };

/** The same three limits, written in as many ways as servers write them. */
const shapes: Record<string, (limits: Numbers) => unknown> = {
  'plain names': ({ read, write, validate }) => ({ read, write, validate }),
  'plural names': ({ read, write, validate }) => ({ reads: read, writes: write, validations: validate }),
  'names with a unit': ({ read, write, validate }) => ({
    read_per_minute: read,
    write_requests_per_minute: write,
    validate_api_key_per_min: validate,
  }),
  'names with limit': ({ read, write, validate }) => ({
    read_limit: read,
    write_limit: write,
    auth_validate: validate,
  }),
  'camel case': ({ read, write, validate }) => ({ readPerMinute: read, maxWrites: write, validateApiKeyRpm: validate }),
  methods: ({ read, write, validate }) => ({
    GET: read,
    POST: write,
    PATCH: write,
    DELETE: write,
    'POST /auth/validate-api-key': validate,
  }),
  'methods in one key': ({ read, write, validate }) => ({
    'Read (GET)': read,
    'Write (POST, PATCH, DELETE)': write,
    '/api/external/v2/auth/validate-api-key': validate,
  }),
  'objects with a window': ({ read, write, validate }) => ({
    read: { limit: read, window_seconds: 60 },
    write: { max: write, window_ms: 60_000 },
    validation: { requests: validate, window: '1m' },
  }),
  'objects with a bare window': ({ read, write, validate }) => ({
    read: { limit: read, window: 60 },
    write: { limit: write, interval: '60' },
    validate: { limit: validate, period: 'PT1M' },
  }),
  'objects with a unit': ({ read, write, validate }) => ({
    read: { requests_per_minute: read },
    write: { rpm: write, remaining: 3, reset: 1_763_641_815 },
    validate: { per_minute: validate, per_day: 14_400 },
  }),
  'the unit first': ({ read, write, validate }) => ({ per_minute: { read, write, validate_api_key: validate } }),
  'windows beside': ({ read, write, validate }) => ({
    read_limit: read,
    read_window: 60,
    write_limit: write,
    write_window: '60s',
    validate_limit: validate,
    tier: 'pro',
    unit: 'requests per minute',
  }),
  'one object more': ({ read, write, validate }) => ({
    limits: { default_tier: 2, endpoints: { read, write, validate } },
  }),
  'an array with types': ({ read, write, validate }) => [
    { type: 'read', limit: read, per: 'minute' },
    { type: 'write', limit: write, per: 'minute' },
    { type: 'validate', limit: validate, per: 'minute' },
  ],
  'an array with texts': ({ read, write, validate }) => [
    { endpoint_type: 'Read (GET)', limit: `${read} requests per minute` },
    { endpoint_type: 'Write (POST, PATCH, DELETE)', limit: `${write} requests per minute` },
    { endpoint_type: 'POST /auth/validate-api-key', limit: `${validate} requests per minute` },
  ],
  'an array with methods': ({ read, write, validate }) => ({
    rules: [
      { methods: ['GET'], requests: read },
      { methods: ['POST', 'PATCH', 'DELETE'], requests: write },
      { method: 'POST', path: '/auth/validate-api-key', requests: validate },
    ],
  }),
  'an array with classes': ({ read, write, validate }) => [
    { class: 'GET', max_requests: read, used: 17 },
    { class: 'POST', max_requests: write, used: 2 },
    { class: 'POST /auth/validate-api-key', max_requests: validate, used: 0 },
  ],
  'texts under names': ({ read, write, validate }) => ({
    read: `${read}/min`,
    write: `${write} req/minute`,
    validate: `${validate} rpm`,
  }),
  'texts with a window': ({ read, write, validate }) => ({
    read: `${read} per 60 seconds`,
    write: `${write}/60s`,
    validate: `${validate} requests per 60-second window`,
  }),
  'numbers as text': ({ read, write, validate }) => ({ read: `${read}`, write: `${write}`, validate: `${validate}` }),
  'a list of texts': ({ read, write, validate }) => [
    `Read (GET): ${read} requests per minute`,
    `Write (POST, PATCH, DELETE): ${write} requests per minute`,
    `POST /auth/validate-api-key: ${validate} requests per minute`,
  ],
  'one text': ({ read, write, validate }) => `Reads: ${read}/min, writes: ${write}/min; validate: ${validate}/min`,
  'one text with one unit': ({ read, write, validate }) =>
    `${read} reads, ${write} writes, ${validate} validations per minute`,
  'a sentence': ({ read, write, validate }) =>
    `${read} reads, ${write} writes and ${validate} key validations per minute`,
  'thousands with commas': ({ read, write, validate }) => ({
    read: `${read.toLocaleString('en-US')} requests per minute`,
    write: `${write.toLocaleString('en-US')} requests per minute`,
    validate: `${validate.toLocaleString('en-US')} requests per minute`,
  }),
};

const limit = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1_000_000 }));
const limits = fc.record({ read: limit, write: limit, validate: limit });

describe('limits are read from', () => {
  test.each(Object.entries(shapes))('limits are read from %s', (_, shape) => {
    fc.assert(
      fc.property(limits, (numbers) => {
        expect(readLimits(shape(numbers))).toEqual(numbers);
      }),
    );
  });
});

test.each([
  [{ read: '10 per second' }, { read: 600 }],
  [{ read: '10/s' }, { read: 600 }],
  [{ read: { limit: 10, window_seconds: 1 } }, { read: 600 }],
  [{ read_rps: 10 }, { read: 600 }],
  [{ read: { limit: 100, window: '30s' } }, { read: 200 }],
  [{ read: { per_second: 10, per_minute: 200 } }, { read: 200 }],
  [{ read: { limit: 5, window_ms: 500 } }, { read: 600 }],
  [{ read: '60 per minute', write: '3600/hour' }, { read: 60 }],
])('%j: a window that fits into a minute is converted', (reported, expected) => {
  expect(readLimits(reported)).toEqual(expected);
});

test.each([
  [{ read: '10 in 2 seconds' }, 2000],
  [{ read: '10/2s' }, 2000],
  [{ read: '10 requests per 2000 ms' }, 2000],
  [{ read: { limit: 10, window_seconds: 2 } }, 2000],
  [{ read: { limit: 10, window_ms: 2000 } }, 2000],
  [{ read: { limit: 10, window: 2000 } }, 2000],
  [{ read: { limit: 10, window: 2, window_ms: 2000 } }, 2000],
  [{ read: { limit: 10, per: 'minute', window_ms: 2000 } }, 2000],
  [{ read: { limit: 10, window_ms: 100 } }, 100],
  [{ read_limit: 10, read_window: '1.5s' }, 1500],
  [{ read_per_second: 10 }, 1000],
  [{ read: '10 in 120 seconds' }, 120_000],
  [{ read: '10 per minute' }, 2000],
  [{ read: { limit: 10, window_seconds: 60 } }, 2000],
  [{ read: 10 }, 2000],
  [{ read: { per_second: 7, per_minute: 10 } }, 2000],
])('%j is 10 a minute of %d ms: a window as long as the minute is the minute', (reported, minuteMs) => {
  expect(readLimits(reported, minuteMs)).toEqual({ read: 10 });
});

test.each([
  [{ read: '10 per second' }, 2000],
  [{ read: { limit: 10, window_ms: 500 } }, 2000],
  [{ read: { limit: 10, window_seconds: 3 } }, 2000],
  [{ read: '10 in 2 seconds, 300 per minute' }, 2000],
])('%j reports no limit of a shortened minute: its seconds may be shortened too', (reported, minuteMs) => {
  expect(readLimits(reported, minuteMs)).toEqual({});
});

test.each([
  [undefined],
  [null],
  [200],
  ['200 requests per minute'],
  [{}],
  [[]],
  [[200, 30, 10]],
  [{ read: 0 }],
  [{ read: -1 }],
  [{ read: 2.5 }],
  [{ read: true }],
  [{ read: null }],
  [{ read: Number.MAX_VALUE }],
  [{ read: '0 per minute' }],
  [{ read: '-5 per minute' }],
  [{ read: 'unlimited' }],
  [{ read: '3600/hour' }],
  [{ read_per_hour: 3_600 }],
  [{ read: { limit: 3_600, window_seconds: 3_600 } }],
  [{ read: { limit: 100, window_seconds: 7 } }],
  [{ read: { limit: 100, window_seconds: 0 } }],
  [{ read: { limit: 100, window_seconds: -60 } }],
  [{ read: { limit: 100, window: 1 } }],
  [{ read: { limit: 100, interval: 60, unit: 'second' } }],
  [{ '10 reads per second or 200 per minute': 200 }],
  [{ read: 200, GET: 100 }],
  [{ free: { read: 100 }, pro: { read: 200 } }],
  [
    [
      { type: 'read', limit: 100 },
      { type: 'read', limit: 200 },
    ],
  ],
  [{ read: '200 per minute (burst 20)' }],
  [{ read: 'see section 4' }],
  [{ read: { remaining: 150, used: 50, reset: 60, burst: 20, version: 2 } }],
  [{ remaining: { read: 150 } }],
  [{ read_remaining: 150 }],
  [{ last_read_id: 7 }],
  [{ read: { min: 1 } }],
  [{ 'GET /companies': 50 }],
  [{ '/companies': { GET: 50 } }],
  [[{ method: 'GET', path: '/contacts', limit: 50 }]],
  [{ 'read and write': 100 }],
  ['10 reads per second and 200 per minute'],
  [`read: ${'very '.repeat(100)} 200 per minute`],
])('%j reports no limit that could be relied on', (reported) => {
  expect(readLimits(reported)).toEqual({});
});

test('what cannot be read in one class does not hide another', () => {
  expect(readLimits({ read: 200, reads: 100, write: 30, validate: 'n/a' })).toEqual({ write: 30 });
});

test('any JSON gives limits that are whole numbers from 1, and no error', () => {
  const word = fc.constantFrom(
    'read',
    'GET',
    'write',
    'validate',
    'limit',
    'window',
    'per',
    '60',
    '/s',
    'hour',
    'type',
  );
  const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue(),
      fc.integer(),
      text,
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(text, tie('json'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(json, fc.constantFrom(60_000, 2000, 100), (reported, minuteMs) => {
      for (const [rateClass, value] of Object.entries(readLimits(reported, minuteMs))) {
        expect(['read', 'write', 'validate']).toContain(rateClass);
        expect(Number.isSafeInteger(value) && value >= 1).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a nesting of any depth ends', () => {
  let nested: unknown = { read: 200 };
  for (let depth = 0; depth < 100_000; depth += 1) nested = depth % 2 === 0 ? [nested] : { read: nested };
  expect(readLimits(nested)).toEqual({});
});
