// Idempotency and rate limits, over many seeds.
import { describe, expect, test } from 'vitest';
import { idOf, type Json, SEEDS, Trial, uuid } from './trial.test-data.ts';

const DAY = 86_400_000;

async function countNotes(trial: Trial, company: number): Promise<unknown> {
  trial.settle();
  return ((await trial.get(`/companies/${company}/notes`)).body.pagination as Json).total;
}

describe.each(SEEDS)('seed %i', (seed) => {
  test('makes one note for one key, for 24 hours', async () => {
    const trial = await Trial.start(seed);
    const company = await trial.company();
    const notes = `/companies/${company}/notes`;
    const headers = { 'Idempotency-Key': uuid(1) };
    const first = await trial.post(notes, { text: 'Once' }, { headers });
    expect(first.status).toBe(201);
    const second = await trial.post(notes, { text: 'Once' }, { headers });
    expect([200, 201, 409]).toContain(second.status);
    if (second.status < 300) expect(second.data).toEqual(first.data);
    trial.clock.now += DAY - 60_000;
    await trial.post(notes, { text: 'Once' }, { headers });
    const other = await trial.post(notes, { text: 'Another' }, { headers });
    expect([201, 200, 400, 409, 422]).toContain(other.status);
    expect(await countNotes(trial, company)).toBe(1);
    trial.clock.now += 120_000;
    const fresh = await trial.post(notes, { text: 'Once' }, { headers });
    expect(fresh.status).toBe(201);
    expect(idOf(fresh.data, 'note')).not.toBe(idOf(first.data, 'note'));
    expect(await countNotes(trial, company)).toBe(2);
  });

  test('makes one note of many at the same time', async () => {
    const trial = await Trial.start(seed);
    const company = await trial.company();
    const headers = { 'Idempotency-Key': uuid(2) };
    const send = () => trial.post(`/companies/${company}/notes`, { text: 'Same' }, { headers });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.some((answer) => answer.status === 201)).toBe(true);
    for (const { status } of answers) expect([200, 201, 409]).toContain(status);
    expect(await countNotes(trial, company)).toBe(1);
  });

  test('edits once for one key', async () => {
    const trial = await Trial.start(seed);
    const company = await trial.company();
    const note = `/companies/${company}/notes/${await trial.note(company, 'Zero')}`;
    const headers = { 'Idempotency-Key': uuid(3) };
    expect((await trial.patch(note, { text: 'One' }, { headers })).status).toBe(200);
    expect((await trial.patch(note, { text: 'Two' })).status).toBe(200);
    await trial.patch(note, { text: 'One' }, { headers });
    trial.settle();
    const listed = (await trial.get(`/companies/${company}/notes`)).data as Json[];
    expect(listed.map((row) => row.text)).toEqual(['Two']);
  });

  test('limits reads and writes of an account, and reports how long to wait', async () => {
    const trial = await Trial.start(seed, {}, { read: 8, write: 5, validate: 3 });
    const token = trial.env('RATE_API_KEY');
    const sibling = trial.env('RATE_API_KEY_SIBLING');
    for (let turn = 0; turn < 8; turn += 1) expect((await trial.get('/me', { token })).status).toBe(200);
    const refused = await trial.get('/companies', { token: sibling });
    expect(refused.status).toBe(429);
    expect((await trial.get('/companies')).status).toBe(200);
    for (let turn = 0; turn < 5; turn += 1) await trial.company(`N${turn}`, { token });
    const body = { name: 'N', company_type: 'lender' };
    const limited = await trial.post('/companies', body, { token });
    expect(limited.status).toBe(429);
    const seconds = waitOf(limited.body, 5);
    trial.clock.now += seconds * 1000;
    expect((await trial.post('/companies', body, { token })).status).toBe(201);
    trial.clock.now += waitOf(refused.body, 8) * 1000;
    expect((await trial.get('/companies', { token: sibling })).status).toBe(200);
  });

  test('limits validations', async () => {
    const trial = await Trial.start(seed, {}, { read: 8, write: 5, validate: 3 });
    const body = { api_key: trial.env('RATE_API_KEY') };
    const statuses: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      statuses.push((await trial.post('/auth/validate-api-key', body, { token: '' })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

/** The seconds named in a message that may also name the limit. */
function waitOf(body: Json, limit: number): number {
  const { message } = body.error as Json;
  const numbers = (String(message).match(/\d+/g) ?? []).map(Number);
  expect(numbers.length).toBeGreaterThan(0);
  return numbers.length > 1 && numbers[0] === limit ? (numbers[1] ?? 0) : (numbers[0] ?? 0);
}
