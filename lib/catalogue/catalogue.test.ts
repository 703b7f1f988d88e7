// The catalogue is well formed, complete in its references, and frozen in what it says.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import { catalogue, catalogueDigest, type JudgedId, type ObservedId, requirementIds, rulings } from './index.ts';
import { operationIds, operations } from './operations.ts';
import { areas, type Requirement } from './requirement.ts';

const rows: [string, Requirement][] = Object.entries(catalogue);
const offenders = (wrong: (id: string, row: Requirement) => boolean): string[] =>
  rows.filter(([id, row]) => wrong(id, row)).map(([id]) => id);

interface Heading {
  /** Rows of its tables, by their first cells; of operations by method and path. */
  readonly rows?: readonly string[];
  /** How many numbered rules, points and paragraphs it has. */
  readonly rule?: number;
  readonly point?: number;
  readonly paragraph?: number;
}

const listed = (section: string) => operationIds.filter((id) => operations[id].section === section);

/** What the document has, in its order. */
const document: Readonly<Record<string, Heading>> = {
  'What the service does': { point: 6, paragraph: 2 },
  'What the service does / Common response envelope': {
    rows: ['request_id', 'timestamp', 'data', 'pagination'],
    paragraph: 2,
  },
  'What the service does / Common request headers': {
    rows: ['Authorization', 'X-Origin-App', 'Content-Type', 'Idempotency-Key', 'X-Active-Account'],
    paragraph: 1,
  },
  'Resources and their fields / API key': {
    rows: ['id', 'label', 'key_prefix', 'api_key', 'created_at', 'last_used_at'],
    paragraph: 1,
  },
  'Resources and their fields / Company': {
    rows: 'name company_type website address city state zip org_id linkedin_url'.split(' '),
    paragraph: 1,
  },
  'Resources and their fields / Contact': {
    rows: 'contact_type company_id first_name last_name email title department address address2 city state zip linkedin_url photo_url phones is_primary'.split(
      ' ',
    ),
  },
  'Resources and their fields / Phone': { rows: ['raw', 'type', 'country', 'extension'] },
  'Resources and their fields / Note': { rows: ['note_id', 'text'] },
  'Resources and their fields / Delete result': { paragraph: 1 },
  'Resources and their fields / Fields of other records': { point: 6 },
  'States and transitions': { rows: ['API key active'], point: 2 },
  Endpoints: { paragraph: 1 },
  'Endpoints / Account and team': { rows: listed('Endpoints / Account and team') },
  'Endpoints / API keys': { rows: listed('Endpoints / API keys'), paragraph: 1 },
  'Endpoints / Public operations (no authentication)': { rows: listed('Endpoints / Public operations'), paragraph: 1 },
  'Endpoints / Billing': { rows: listed('Endpoints / Billing') },
  'Endpoints / Companies': { rows: listed('Endpoints / Companies') },
  'Endpoints / Contacts': { rows: listed('Endpoints / Contacts') },
  'Endpoints / Gaps in the endpoint list': { point: 2 },
  Authentication: { rows: ['API key', 'JWT issued by an identity provider'], rule: 9 },
  Errors: { rows: ['400', '401', '403', '404', '422', '429'], paragraph: 2 },
  'Limits / Rate limits': {
    rows: ['Read (GET)', 'Write (POST, PATCH, DELETE)', 'POST /auth/validate-api-key'],
    paragraph: 2,
  },
  'Limits / Pagination': { rows: ['limit', 'offset', 'Cursor', 'Offset'], rule: 5, paragraph: 1 },
  'Limits / Other limits': { point: 3 },
  Versioning: { point: 3 },
};

function isInDocument(section: string): boolean {
  const [, heading = '', kind = '', at = ''] = /^(.+?), (rows?|rule|point|paragraph) (.+)$/.exec(section) ?? [];
  const { rows: cells = [], ...numbered } = document[heading] ?? {};
  if (kind === 'row') return cells.includes(at);
  if (kind === 'rows') {
    const [first, last, ...more] = at.split(' to ').map((cell) => cells.indexOf(cell));
    return first !== undefined && last !== undefined && more.length === 0 && first >= 0 && first < last;
  }
  return (Object.entries(numbered).find(([name]) => name === kind)?.[1] ?? 0) >= Number(at) && Number(at) >= 1;
}

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

test('every section is a place of the document: a heading, and a row, rule, point or paragraph that is there', () => {
  expect(offenders((_, { section }) => !isInDocument(section))).toEqual([]);
  const absent = [
    'Limits / Pagination',
    'Limits / Pagination, rule 6',
    'Errors, row 409',
    'Errors, rows 422 to 400',
    'Events, paragraph 1',
  ];
  expect(absent.filter(isInDocument)).toEqual([]);
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
