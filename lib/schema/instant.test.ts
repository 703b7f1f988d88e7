// Tests for instants: every lawful way to write one, and what only looks like one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from './instant.ts';

fc.configureGlobal({ seed: 1 });

const noon = Date.UTC(2026, 10, 20, 12, 30, 15);

test.each([
  ['2026-11-20T12:30:15Z', 0, true],
  ['2026-11-20t12:30:15z', 0, true],
  ['2026-11-20T12:30:15', 0, false],
  ['20261120T123015Z', 0, true],
  ['2026-11-20T12:30:15.250Z', 250, true],
  ['2026-11-20T12:30:15,250', 250, false],
  ['2026-11-20T12:30:15.123456789+00:00', 123, true],
  ['2026-11-20T14:30:15+02:00', 0, true],
  ['2026-11-20T14:30:15+02', 0, true],
  ['2026-11-20T07:00:15-0530', 0, true],
  ['2026-324T12:30:15Z', 0, true],
  ['2026324T123015Z', 0, true],
  ['2026-W47-5T12:30:15Z', 0, true],
  ['2026W475T123015Z', 0, true],
  ['2026-W53-7T12:30:15Z', Date.UTC(2027, 0, 3, 12, 30, 15) - noon, true],
  ['2026-11-20T12:30Z', -15_000, true],
  ['2026-11-20T12:30.5Z', 15_000, true],
  ['2026-11-20T12Z', -1_815_000, true],
  ['2026-11-20T24:00:00Z', 41_385_000, true],
  ['2026-12-31T23:59:60Z', Date.UTC(2027, 0, 1) - noon, true],
  ['2024-02-29T12:30:15Z', Date.UTC(2024, 1, 29, 12, 30, 15) - noon, true],
])('%s is read', (text, after, zoned) => {
  expect(instant(text)).toEqual({ ms: noon + after, zoned });
});

test.each([
  '',
  'now',
  '1763641815',
  '2026-11-20',
  '12:30:15Z',
  '2026-11-20 12:30:15Z',
  'Fri, 20 Nov 2026 12:30:15 GMT',
  '20/11/2026T12:30:15Z',
  '2026-1120T12:30:15Z',
  '2026-13-20T12:30:15Z',
  '2026-00-20T12:30:15Z',
  '2026-02-29T12:30:15Z',
  '2026-11-31T12:30:15Z',
  '2026-000T12:30:15Z',
  '2026-366T12:30:15Z',
  '2026-W00-1T12:30:15Z',
  '2026-W47-8T12:30:15Z',
  '2026-W47T12:30:15Z',
  '2025-W53-1T12:30:15Z',
  '2026-11-20T25:30:15Z',
  '2026-11-20T24:00:01Z',
  '2026-11-20T12:60:15Z',
  '2026-11-20T12:30:61Z',
  '2026-11-20T12:30:15+25:00',
  '2026-11-20T12:30:15+00:60',
  '2026-11-20T12:30:15 Z',
  '2026-11-20T12:30:15Z\n',
])('%j is not an ISO 8601 date-time', (text) => {
  expect(instant(text)).toBeUndefined();
});

test('every date that JavaScript prints is read back', () => {
  const range = { min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(range), (date) => {
      expect(instant(date.toISOString())).toEqual({ ms: date.getTime(), zoned: true });
    }),
  );
});

test('any other text is refused without an error', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(instant(`${text}?`)).toBeUndefined();
    }),
  );
});
