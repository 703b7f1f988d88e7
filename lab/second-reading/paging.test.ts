// Pages: whole traversals while records come and go, over many seeds.
import { describe, expect, test } from 'vitest';
import { idsOf, type Json, SEEDS, Trial } from './trial.test-data.ts';

describe.each(SEEDS)('seed %i', (seed) => {
  test('gives every lasting note exactly once, under inserts and deletes', async () => {
    const trial = await Trial.start(seed);
    const company = await trial.company();
    const notes = `/companies/${company}/notes`;
    const ids: number[] = [];
    for (let turn = 0; turn < 12; turn += 1) ids.push(await trial.note(company, `Note ${turn}`));
    trial.settle();
    const [first = 0, , , middle = 0, , , , , , late = 0] = ids;
    const doomed = [first, middle, late];
    const seen = await trial.walk(notes, 3, async () => {
      await trial.note(company, 'Newcomer');
      const id = doomed.pop();
      if (id !== undefined) await trial.delete(`${notes}/${id}`);
      trial.settle();
    });
    const got = idsOf(seen, 'note');
    expect(new Set(got).size).toBe(got.length);
    const lasting = ids.filter((id) => id !== first && id !== middle && id !== late);
    expect(got.filter((id) => lasting.includes(id)).sort()).toEqual([...lasting].sort());
  });

  test('gives every company exactly once, and exact totals', async () => {
    const trial = await Trial.start(seed);
    const made = [await trial.company('One'), await trial.company('Two')];
    trial.settle();
    const all = idsOf(await trial.walk('/companies', 50), 'company');
    expect(new Set(all).size).toBe(all.length);
    for (const id of made) expect(all).toContain(id);
    expect((await trial.get('/companies')).body.pagination).toMatchObject({ total: all.length });
    const lasting = new Set(all);
    const again = idsOf(
      await trial.walk('/companies', 60, async () => {
        await trial.company('More');
        trial.settle();
      }),
      'company',
    );
    expect(new Set(again).size).toBe(again.length);
    expect(again.filter((id) => lasting.has(id)).length).toBe(all.length);
  });

  test('refuses a cursor with a sort, and undocumented cursors and limits', async () => {
    const trial = await Trial.start(seed);
    for (const path of ['/companies', '/contacts']) {
      expect((await trial.get(`${path}?cursor=abc&sort=-name`)).status).toBe(400);
      expect([400, 422]).toContain((await trial.get(`${path}?cursor=abc`)).status);
    }
    for (const limit of ['0', '201', '-5', 'abc', '1.5', '']) {
      const answer = await trial.get(`/companies?limit=${limit}`);
      expect([200, 400, 422]).toContain(answer.status);
    }
    expect((await trial.get('/companies')).body.pagination).toMatchObject({ limit: 50, cursor: null });
  });

  test('pages by offset when a sort is given and supported', async () => {
    const trial = await Trial.start(seed, { sortSupport: 'supported', sortCollation: 'code-units' });
    for (const name of ['b', 'a', 'c']) await trial.company(name);
    trial.settle();
    const names: unknown[] = [];
    for (let offset = 0; ; offset += 200) {
      const page = await trial.get(`/companies?sort=-name&limit=200&offset=${offset}`);
      expect(page.status).toBe(200);
      const pagination = page.body.pagination as Json;
      expect([pagination.offset, 'next_cursor' in pagination]).toEqual([offset, false]);
      names.push(...(page.data as Json[]).map((row) => row.name));
      if (pagination.has_more === false) break;
    }
    expect(names).toEqual([...names].sort().reverse());
  });
});
