// Tests for the schemas: of the files that Covenant reads every member, of records the words for what is wrong. That each stated member of a record is demanded, the mutants of the laboratory show.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../catalogue/operations.ts';
import { instant } from './instant.ts';
import { type Sample, samples } from './report-schema.test-data.ts';
import { documents, documentText, type SchemaName, schemaNames, schemaPath, violations } from './schema.ts';

type Json = Record<string, unknown>;

/** A copy of a value with the member at a pointer replaced, or dropped where `to` is undefined. */
function changed(value: unknown, pointer: string, to: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const path = pointer.split('/').slice(1);
  const last = path.pop() ?? '';
  const parent = path.reduce<Json>((at, name) => at[name] as Json, copy as Json);
  if (!(last in parent)) throw new Error(`the sample has nothing at ${pointer}`);
  if (to === undefined) delete parent[last];
  else parent[last] = to;
  return copy;
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Json)[name], value);
}

const pointersOf = (name: SchemaName, value: unknown, options = {}) =>
  violations(name, value, options).map(({ pointer }) => pointer);

/** A value of a type that no schema here takes for the given one. */
const retyped = (value: unknown): unknown => (typeof value === 'object' ? true : { retyped: true });

const rows = Object.entries(samples) as [keyof typeof samples, Sample][];

/** Of every member, at whatever depth. */
const pointersIn = (value: unknown, at = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) => [
        ...(Array.isArray(value) ? [] : [`${at}/${name}`]),
        ...pointersIn(one, `${at}/${name}`),
      ])
    : [];
const requiredIn = ({ full, optional = [], open = [] }: Sample): string[] =>
  pointersIn(full).filter((pointer) => !optional.includes(pointer) && !open.includes(pointer));
const each = (members: (sample: Sample) => readonly string[] | undefined): [SchemaName, string, unknown][] =>
  rows.flatMap(([name, sample]) =>
    (members(sample) ?? []).map((pointer): [SchemaName, string, unknown] => [name, pointer, sample.full]),
  );

test('every record of an operation has a schema, every schema a file and a name, and none is left over', () => {
  expect(schemaNames).toEqual(expect.arrayContaining(Object.values(operations).map(({ record }) => record)));
  const files = readdirSync(new URL('../../schemas/', import.meta.url));
  expect(files.sort()).toEqual(schemaNames.map((name) => `${name}.schema.json`).sort());
});

describe('accepted', () => {
  test.each(rows)('%s is accepted in full', (name, { full }) => {
    expect(violations(name, full)).toEqual([]);
  });

  test.each(rows)('%s is accepted with members that the document does not name', (name, { full }) => {
    expect(violations(name, { ...(full as Json), more: { of: ['anything'] }, $ref: 1, '': null })).toEqual([]);
  });

  test.each(each(({ optional }) => optional))(
    '%s is accepted without %s, or with null there',
    (name, pointer, full) => {
      expect(violations(name, changed(full, pointer, undefined))).toEqual([]);
      expect(violations(name, changed(full, pointer, null))).toEqual([]);
    },
  );

  test.each(rows.flatMap(([name, { also }]) => (also ?? []).map((value): [SchemaName, unknown] => [name, value])))(
    '%s is accepted as %j',
    (name, value) => {
      expect(violations(name, value)).toEqual([]);
    },
  );
});

describe('noticed', () => {
  test.each(each(requiredIn))('%s: it is noticed where %s is dropped, nulled or retyped', (name, pointer, full) => {
    expect(pointersOf(name, changed(full, pointer, undefined))).toEqual([pointer]);
    expect(pointersOf(name, changed(full, pointer, null))).toEqual([pointer]);
    expect(pointersOf(name, changed(full, pointer, retyped(valueAt(full, pointer))))).toEqual([pointer]);
  });

  test.each(each(({ optional }) => optional))('%s: it is noticed where %s is retyped', (name, pointer, full) => {
    expect(pointersOf(name, changed(full, pointer, retyped(valueAt(full, pointer))))).toEqual([pointer]);
  });

  const wrongRows = rows.flatMap(([name, { full, wrong }]) =>
    (wrong ?? []).map(([pointer, value]): [SchemaName, string, unknown, unknown] => [name, pointer, value, full]),
  );
  test.each(wrongRows)('%s: it is noticed where at %s stands %j', (name, pointer, value, full) => {
    expect(pointersOf(name, changed(full, pointer, value))).toEqual([pointer]);
  });

  const isOpen = (name: SchemaName): boolean => name === 'billing-summary' || name === 'credits';
  test.each(schemaNames)('%s: a root of another type is noticed', (name) => {
    // Of billing not even that it is an object is shown.
    const others = isOpen(name) ? [] : [[]];
    for (const value of [null, 'text', 3, true, ...others]) expect(pointersOf(name, value)).toEqual(['']);
  });
});

const envelope = { request_id: 'req_1', timestamp: '2026-03-01T09:30:00Z', pagination: null };
const whole = {
  error: { ...envelope, error: { code: 'UNAUTHORIZED', message: 'Invalid token' } },
  success: { ...envelope, data: {} },
  'cursor-list': { ...envelope, data: [], pagination: { total: 0, limit: 50, has_more: true, next_cursor: 'YWI=' } },
  company: { company_id: 3, name: 'Granite Bank', company_type: 'lender' },
  contact: { contact_type: 'sponsor', company_id: 3, phones: null },
  'api-key-created': {
    id: 7,
    label: 'nightly',
    key_prefix: 'svc_sk_ab12',
    created_at: envelope.timestamp,
    api_key: 'svc_sk_ab12cd34',
  },
  deletion: { deleted: true },
  note: { note_id: 9, text: 'a' },
  validation: { valid: false, scopes: null },
  report: samples.report.full,
};

test.each(Object.entries(whole) as [SchemaName, object][])('%s is accepted', (name, value) => {
  expect(violations(name, value)).toEqual([]);
});

describe('the words for it', () => {
  const first = (name: SchemaName, value: unknown) => violations(name, value)[0];

  test.each<[keyof typeof whole, string, unknown, string, string]>([
    ['error', '/request_id', '', 'a non-empty string', '""'],
    ['error', '/error/code', undefined, 'a string', 'absent'],
    ['success', '/timestamp', 17, 'an ISO 8601 date-time', '17'],
    ['success', '/pagination', {}, 'null or absent', 'an object'],
    ['cursor-list', '/pagination/limit', 201, 'an integer of at least 1 and of at most 200', '201'],
    ['cursor-list', '/pagination/next_cursor', '%', 'a base64 string', '"%"'],
    ['company', '/company_type', null, 'one of "lender", "sponsor"', 'null'],
    [
      'company',
      '/name',
      'n'.repeat(256),
      'a non-empty string of at most 255 characters',
      `"${'n'.repeat(60)}"... (256 characters)`,
    ],
    ['contact', '/phones', 'none', 'an array or null', '"none"'],
    ['deletion', '/deleted', 'yes', 'true or false', '"yes"'],
    ['report', '/format', 'covenant-report/2', '"covenant-report/1"', '"covenant-report/2"'],
    ['note', '/text', ' \n', 'a string that holds more than spaces, tabs and line breaks', '" \\n"'],
    ['validation', '/scopes', [], 'null or absent', 'an empty array'],
    ['report', '/run/minute_ms', 0, 'a number above 0', '0'],
    ['report', '/run/started_at', 'x', 'an RFC 3339 date-time', '"x"'],
  ])('a violation of %s at %s is put into words', (name, pointer, value, expected, actual) => {
    expect(first(name, changed(whole[name], pointer, value))).toEqual({ pointer, expected, actual });
  });

  test('a key is never shown, not even in part', () => {
    const key = 'sk_live_0123456789';
    const created = whole['api-key-created'];
    expect(first('api-key-created', { ...created, api_key: key })?.actual).toBe('a string of 18 characters');
    expect(first('api-key', { ...created, api_key: 'svc_sk_0123' })?.actual).toBe('a string of 11 characters');
    expect(first('deletion', { deleted: 'Bearer eyJhbGciOiJIUzI1NiJ9' })?.actual).toBe('a string of 27 characters');
  });

  test('a pointer leads into arrays', () => {
    const phones = [{ type: 'mobile' }, { type: 'satellite' }];
    expect(pointersOf('contact', { ...whole.contact, phones })).toEqual(['/phones/1/type']);
  });

  test('several violations come once each and in the same order every time', () => {
    const broken = { name: '', company_type: 'bank', org_id: '7', website: 3 };
    const found = pointersOf('company', broken);
    expect([...found].sort()).toEqual(['/company_type', '/name', '/org_id', '/website']);
    expect(pointersOf('company', { ...broken })).toEqual(found);
  });
});

test('the data of a validation must have valid, true or false', () => {
  expect(violations('validation', {})).toEqual([{ pointer: '/valid', expected: 'true or false', actual: 'absent' }]);
});

test('a record of a chosen set of fields may lack members, but those it has are judged', () => {
  expect(pointersOf('company', { company_id: 3 }, { partial: true })).toEqual([]);
  expect(pointersOf('company', { name: null }, { partial: true })).toEqual(['/name']);
});

const root = new URL('../../', import.meta.url);
const { name, exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

test.each(documents)('the schema of %s is where its name leads', (document) => {
  const folder = `${name}/schemas/v1/`;
  expect(schemaPath(document).startsWith(folder)).toBe(true);
  expect(exports['./schemas/v1/*']).toBe('./dist/schemas/*');
  expect(existsSync(new URL(`schemas/${schemaPath(document).slice(folder.length)}`, root))).toBe(true);
});

test('a document begins with the name of its schema, which allows it', () => {
  const text = documentText('waivers', { format: 'covenant-waivers/1', waivers: [] });
  expect(text.split('\n')[1]).toBe('  "$schema": "covenant-conformance/schemas/v1/waivers.schema.json",');
  expect(violations('waivers', JSON.parse(text))).toEqual([]);
});

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
