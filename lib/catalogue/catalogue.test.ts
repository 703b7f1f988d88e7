// The catalogue is well formed, complete in its references, and frozen in what it says.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import { catalogue, catalogueDigest, type JudgedId, type ObservedId, requirementIds } from './index.ts';
import { areas, type Requirement } from './requirement.ts';
import { rulings } from './rulings.ts';

const rows: [string, Requirement][] = Object.entries(catalogue);
const offenders = (wrong: (id: string, row: Requirement) => boolean): string[] =>
  rows.filter(([id, row]) => wrong(id, row)).map(([id]) => id);

const headings = new Set([
  'What the service does',
  'What the service does / Common response envelope',
  'What the service does / Common request headers',
  'Resources and their fields / API key',
  'Resources and their fields / Company',
  'Resources and their fields / Contact',
  'Resources and their fields / Phone',
  'Resources and their fields / Note',
  'Resources and their fields / Delete result',
  'Resources and their fields / Fields of other records',
  'States and transitions',
  'Endpoints',
  'Endpoints / Account and team',
  'Endpoints / API keys',
  'Endpoints / Public operations (no authentication)',
  'Endpoints / Billing',
  'Endpoints / Companies',
  'Endpoints / Contacts',
  'Endpoints / Gaps in the endpoint list',
  'Authentication',
  'Errors',
  'Limits / Rate limits',
  'Limits / Pagination',
  'Limits / Other limits',
  'Versioning',
]);

/** Identifiers as they stand in the sources, where the joined object would hide one that is written twice. */
function writtenIds(): string[] {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !/test|ruling|index/.test(name));
  return files.flatMap((name) => {
    const source = readFileSync(new URL(name, folder), 'utf8');
    return [...source.matchAll(/^ {2,4}'([a-z0-9-]+)': (?:must|should|observe|untestable)\(/gm)].map(
      ([, id]) => `${id}`,
    );
  });
}

test('every identifier is written once', () => {
  expect(writtenIds().sort()).toEqual([...requirementIds].sort());
});

test('every identifier is its area and a fact, in two to six words without number or level', () => {
  const level = /(^|-)(must|should|may|observe|untestable)(-|$)/;
  expect(offenders((id, { area }) => !id.startsWith(`${area}-`))).toEqual([]);
  expect(offenders((id) => !/^[a-z]+(-[a-z]+){1,5}$/.test(id) || level.test(id))).toEqual([]);
});

test('every area has requirements, in the order of the areas', () => {
  expect([...new Set(rows.map(([, { area }]) => area))]).toEqual([...areas]);
});

test('every statement is one sentence of at most 200 characters, without a full stop', () => {
  expect(offenders((_, { statement }) => statement.length > 200 || /[.!?] [A-Z]|[.!]$|\s$/.test(statement))).toEqual(
    [],
  );
  expect(offenders((_, { statement }) => !/^[A-Z]|^[a-z]+_[a-z_]+ /.test(statement))).toEqual([]);
});

test('no two requirements say the same', () => {
  const said = rows.map(([, { area, statement }]) => `${area}: ${statement}`);
  expect(said.filter((line, index) => said.indexOf(line) !== index)).toEqual([]);
});

test('observations are questions, and only they', () => {
  expect(offenders((_, { level, statement }) => (level === 'observe') !== statement.endsWith('?'))).toEqual([]);
});

test('what is judged says what a breach costs, and what cannot be tested says why', () => {
  const judged = (row: Requirement) => row.level === 'must' || row.level === 'should';
  expect(offenders((_, row) => judged(row) !== (row.impact !== undefined))).toEqual([]);
  expect(offenders((_, row) => (row.level === 'untestable') !== (row.reason !== undefined))).toEqual([]);
});

test('every section is a heading of the document', () => {
  expect(offenders((_, { section }) => !headings.has(section))).toEqual([]);
});

test('rows name only rulings that exist, and every ruling is named by a row', () => {
  const named = new Set(rows.flatMap(([, row]) => row.rulings ?? []));
  expect([...named].sort()).toEqual(Object.keys(rulings).sort());
});

test('every ruling weighs at least two readings and gives a reason', () => {
  const poor = Object.entries(rulings).filter(
    ([, { question, readings, ruling, why }]) => readings.length < 2 || !question.endsWith('?') || !ruling || !why,
  );
  expect(poor).toEqual([]);
});

test('identifiers carry their level in their type', () => {
  expectTypeOf<'billing-summary-scope'>().toExtend<JudgedId>();
  expectTypeOf<'billing-summary-fields'>().toExtend<ObservedId>();
  expectTypeOf<'billing-summary-fields'>().not.toExtend<JudgedId>();
  expectTypeOf<'idempotency-day-kept'>().not.toExtend<JudgedId | ObservedId>();
  expect(catalogue['billing-summary-scope'].level).toBe('must');
});

test('the digest covers identifier, level and statement, in whatever order the rows stand', () => {
  const one = { id: { level: 'must', statement: 'One' }, other: { level: 'should', statement: 'Other' } };
  const { id, other } = one;
  expect(catalogueDigest()).toMatch(/^[0-9a-f]{64}$/);
  expect(catalogueDigest({ other, id })).toBe(catalogueDigest(one));
  const changed = [
    { id, another: other },
    { id: { ...id, level: 'should' }, other },
    { id: { ...id, statement: '1' }, other },
  ];
  expect(new Set([one, ...changed].map(catalogueDigest)).size).toBe(4);
});

test('identifiers, levels and statements change only on purpose', async () => {
  const lines = rows.map(([id, { level, statement }]) => `${id} | ${level} | ${statement}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('catalogue.snapshot.txt');
});
