// Idempotency-Key: one operation for one key, also when repeats arrive together, for 24 hours.
import { beforeEach, expect, test } from 'vitest';
import { IdempotencyMemory } from './service.ts';
import { type Trial, trial } from './trial.test-data.ts';

let t: Trial;
beforeEach(async () => {
  t = await trial();
});
const path = '/companies/2/notes';
const post = (key: string, text = 'same', as = 'API_KEY') =>
  t.ask(`POST ${path}`, { as, body: { text }, headers: { 'idempotency-key': key } });
const total = async () => (await t.ask(`GET ${path}`)).pagination.total;
const hours = 3_600_000;

test('a repeated creation gets the same reply byte for byte and creates one note', async () => {
  const first = await post('k1');
  t.pass(10_000);
  for (let index = 0; index < 12; index += 1) await post(`other-${index}`);
  const again = await post('k1');
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(await total()).toBe(13);
});

test('one of eight simultaneous repeats is carried out, with a key and with a JWT not seen before', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('together')));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await total()).toBe(1);
  const id = (await t.ask('GET /companies', { as: 'JWT' })).data[0]?.id;
  const fresh = await trial();
  const asking = { as: 'JWT', body: { text: 'x' }, headers: { 'idempotency-key': 'k' } };
  await Promise.all(Array.from({ length: 8 }, () => fresh.ask(`POST /companies/${id}/notes`, asking)));
  const notes = (await fresh.ask(`GET /companies/${id}/notes`, { as: 'JWT' })).data;
  expect(notes.filter(({ text }) => String(text) === 'x')).toHaveLength(1);
});

test('a repeated edit does not undo a later one', async () => {
  const { id } = (await post('make')).data;
  const edit = (key: string, text: string) =>
    t.ask(`PATCH ${path}/${id}`, { body: { text }, headers: { 'idempotency-key': key } });
  const first = await edit('e1', 'one');
  await edit('e2', 'two');
  expect((await edit('e1', 'one')).text).toBe(first.text);
  expect((await t.ask(`GET ${path}`)).data[0]?.text).toBe('two');
});

test('an Idempotency-Key is forgotten after 24 hours', async () => {
  await post('old');
  t.pass(24 * hours - 1);
  await post('old');
  expect(await total()).toBe(1);
  t.pass(1);
  await post('old');
  expect(await total()).toBe(2);
});

test('keys, users and paths are kept apart', async () => {
  await post('3f2a9c1e-0000-4000-8000-000000000001');
  await post('3f2a9c1e-0000-4000-8000-000000000002');
  await post('4f2a9c1e-0000-4000-8000-000000000001');
  await post('3f2a9c1e-0000-4000-8000-000000000001', 'same', 'API_KEY_RESTRICTED');
  await t.ask(`POST ${path}`, { body: { text: 'same' } });
  await t.ask(`POST ${path}`, { body: { text: 'same' } });
  expect(await total()).toBe(6);
  const elsewhere = await t.ask('POST /companies/4/notes', {
    body: { text: 'same' },
    headers: { 'idempotency-key': '3f2a9c1e-0000-4000-8000-000000000001' },
  });
  expect(elsewhere.data.company_id).toBe(4);
});

test('refusals are not remembered, and another body or an overlong key is refused', async () => {
  expect((await post('k', ' ')).status).toBe(422);
  expect((await post('k')).status).toBe(201);
  expect((await post('k', 'different')).status).toBe(422);
  expect((await post('k'.repeat(256))).status).toBe(400);
  expect(await total()).toBe(1);
});

test('an Idempotency-Key works for companies and contacts too', async () => {
  for (const [where, body] of [
    ['/companies', { name: 'Aspen', company_type: 'lender' }],
    ['/contacts', { contact_type: 'sponsor', company_id: 1 }],
  ] as const) {
    const make = () => t.ask(`POST ${where}`, { body, headers: { 'idempotency-key': 'k' } });
    expect((await make()).text).toBe((await make()).text);
  }
  expect((await t.ask('GET /companies')).pagination.total).toBe(9);
});

test('the oldest key is forgotten first when the memory is full', () => {
  const memory = new IdempotencyMemory();
  for (let index = 0; index <= 10_000; index += 1) {
    memory.keep(`k${index}`, { at: index, bodyText: '', status: 201, data: {}, text: '' });
  }
  expect(memory.find('k0', 10_000)).toBeUndefined();
  expect(memory.find('k1', 10_000)).toBeDefined();
});
