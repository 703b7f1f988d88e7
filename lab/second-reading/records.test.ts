// Companies, notes and contacts, over many seeds.
import { describe, expect, test } from 'vitest';
import { idOf, idsOf, type Json, SEEDS, Trial } from './trial.test-data.ts';

const COMPANY = {
  name: 'Ünïted "Lend" / Co',
  company_type: 'sponsor',
  website: 'https://example.com/a',
  city: 'São Paulo',
  zip: '00501',
};

describe.each(SEEDS)('seed %i', (seed) => {
  test('keeps companies as they were given', async () => {
    const trial = await Trial.start(seed);
    const made = await trial.post('/companies', COMPANY);
    expect(made.status).toBe(201);
    expect(made.data).toMatchObject(COMPANY);
    const id = idOf(made.data, 'company');
    const read = await trial.get(`/companies/${id}`);
    expect(read.data).toEqual(made.data);
    const edited = await trial.patch(`/companies/${id}`, { ...COMPANY, city: 'Lima' });
    expect([edited.status, (edited.data as Json).city]).toEqual([200, 'Lima']);
    expect((await trial.get(`/companies/${id}`)).data).toMatchObject({ ...COMPANY, city: 'Lima' });
    for (const body of [{ name: 'x' }, { company_type: 'lender' }, {}]) {
      expect((await trial.post('/companies', body)).status).toBe(422);
    }
    expect((await trial.get('/companies/999999999999')).status).toBe(404);
    expect((await trial.patch('/companies/999999999999', COMPANY)).status).toBe(404);
  });

  test('keeps notes, and refuses empty and blank ones', async () => {
    const trial = await Trial.start(seed);
    const company = await trial.company();
    const notes = `/companies/${company}/notes`;
    const text = `  Δ ${'n'.repeat(1000)} "q" \n end`;
    const made = await trial.post(notes, { text });
    expect([made.status, String((made.data as Json).text).trim()]).toEqual([201, text.trim()]);
    const note = `${notes}/${idOf(made.data, 'note')}`;
    for (const blank of [' ', '\n\t ']) {
      expect((await trial.post(notes, { text: blank })).status).toBe(422);
      expect((await trial.patch(note, { text: blank })).status).toBe(422);
    }
    expect((await trial.patch(note, { text: '' })).status).toBe(400);
    expect([400, 422]).toContain((await trial.post(notes, { text: '' })).status);
    const edited = await trial.patch(note, { text: 'Second' });
    expect([edited.status, (edited.data as Json).text]).toEqual([200, 'Second']);
    expect(idOf(edited.data, 'note')).toBe(idOf(made.data, 'note'));
    const other = await trial.company('Other');
    expect((await trial.delete(`/companies/${other}/notes/${idOf(made.data, 'note')}`)).status).toBe(404);
    expect((await trial.delete(note)).data).toMatchObject({ deleted: true });
    expect((await trial.delete(note)).status).toBe(404);
    expect((await trial.patch(note, { text: 'x' })).status).toBe(404);
    expect((await trial.get(notes)).body.pagination).toMatchObject({ total: 0, has_more: false, cursor: null });
    expect((await trial.post('/companies/999999999999/notes', { text: 'x' })).status).toBe(404);
  });

  test('normalizes phones of contacts', async () => {
    const trial = await Trial.start(seed);
    const company = await trial.company();
    const phones = [
      { raw: '(202) 555-0143', type: 'office', extension: '12' },
      { raw: '020 7946 0958', country: 'GB' },
      { raw: '+33 1 42 68 53 00' },
    ];
    const given = { contact_type: 'lender_contact', company_id: company, first_name: 'Zoë', email: 'z@example.com' };
    const made = await trial.post('/contacts', { ...given, phones, is_primary: true });
    expect([made.status, made.data]).toMatchObject([201, { ...given, is_primary: true }]);
    const text = JSON.stringify(made.data);
    for (const number of ['+12025550143', '+442079460958', '+33142685300']) expect(text).toContain(number);
    const shown = (made.data as Json).phones as Json[];
    expect(shown.map((phone) => phone.type)).toEqual(['office', 'mobile', 'mobile']);
    for (const raw of ['not a phone', '', '12']) {
      const refused = await trial.post('/contacts', { ...given, phones: [{ raw }] });
      expect([raw, refused.status]).toEqual([raw, 422]);
    }
    expect((await trial.post('/contacts', { company_id: company })).status).toBe(422);
    trial.settle();
    const listed = await trial.walk('/contacts', 200);
    expect(idsOf(listed, 'contact')).toContain(idOf(made.data, 'contact'));
  });

  test('chooses fields', async () => {
    const trial = await Trial.start(seed);
    await trial.company();
    trial.settle();
    const rows = (await trial.get('/companies?limit=200&fields=name,city')).data as Json[];
    for (const row of rows) expect(Object.keys(row)).not.toContain('company_type');
    for (const row of rows) expect(typeof row.name).toBe('string');
  });

  test('refuses malformed requests without failing', async () => {
    const trial = await Trial.start(seed);
    const bodies = ['{', '[]', '"x"', 'null', '1', '', '{"name":5,"company_type":[]}'];
    for (const body of bodies) {
      const answers = await Promise.all([
        trial.post('/companies', body),
        trial.post('/contacts', body),
        trial.post('/api-keys', body),
        trial.patch('/me/active-account', body),
      ]);
      for (const { status } of answers) expect([400, 422, 403]).toContain(status);
    }
    for (const path of ['/companies/abc', '/companies/-1', '/companies/1.5', '/companies/1/notes/x/y', '/nothing']) {
      expect([400, 404, 422]).toContain((await trial.get(path)).status);
    }
    expect([404, 405]).toContain((await trial.ask('PUT', '/companies')).status);
  });
});
