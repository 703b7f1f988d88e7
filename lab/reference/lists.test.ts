// Lists of the reference: cursors, offsets, sorts and fields.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, ids, type Trial, trial } from './trial.test-data.ts';

let t: Trial;
beforeEach(async () => {
  t = await trial();
});

const addNote = async (text: string) => Number((await t.ask('POST /companies/2/notes', { body: { text } })).data.id);

/** All pages of a list; `between` runs after each. */
async function traverse(path: string, limit: number, between = async (_page: Answer) => {}): Promise<Answer[]> {
  const pages: Answer[] = [];
  let cursor: unknown;
  do {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
    const page = await t.ask(`GET ${path}?limit=${limit}${query}`);
    expect(page.status).toBe(200);
    expect(page.pagination.cursor).toBe(cursor ?? null);
    pages.push(page);
    await between(page);
    cursor = page.pagination.next_cursor;
  } while (pages.at(-1)?.pagination.has_more === true && pages.length < 100);
  return pages;
}

describe('cursor lists', () => {
  test.each([1, 2, 3, 4, 8, 200])('cursor lists return every company once with %i a page', async (limit) => {
    const pages = await traverse('/companies', limit);
    expect(pages.flatMap(ids).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(pages).toHaveLength(Math.ceil(8 / limit));
    for (const { pagination } of pages) expect(pagination).toMatchObject({ total: 8, limit });
    expect(pages.at(-1)?.pagination).toMatchObject({ has_more: false, next_cursor: null });
  });

  test('cursor lists are stable under inserts, edits and deletes, also at the border of a page', async () => {
    for (const listOrder of ['newest', 'oldest'] as const) {
      t = await trial({ listOrder });
      const made: number[] = [];
      for (let index = 0; index < 10; index += 1) made.push(await addNote(`n${index}`));
      const gone: number[] = [];
      const pages = await traverse('/companies/2/notes', 3, async (page) => {
        const last = ids(page).at(-1);
        if (last === undefined || gone.length >= 2) return;
        await t.ask(`DELETE /companies/2/notes/${last}`);
        gone.push(last);
        await t.ask(`PATCH /companies/2/notes/${made[4]}`, { body: { text: 'edited' } });
        await addNote('late');
      });
      const seen = pages.flatMap(ids);
      expect(new Set(seen).size).toBe(seen.length);
      for (const id of made) expect(seen).toContain(id);
    }
  });

  test('an empty list has one empty page, and the default limit is 50', async () => {
    const { data, pagination } = await t.ask('GET /companies/2/notes');
    expect(data).toEqual([]);
    expect(pagination).toEqual({ total: 0, limit: 50, cursor: null, has_more: false, next_cursor: null });
  });

  test('the team is listed in pages', async () => {
    expect((await traverse('/account/team', 2)).flatMap(ids).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test('lists refuse cursors that they did not issue', async () => {
    const foreign = String((await t.ask('GET /companies?limit=1')).pagination.next_cursor);
    for (const cursor of ['', 'x', '%25%25', 'bnVsbA', `${foreign}A`, 'e30']) {
      expect((await t.ask(`GET /companies?cursor=${cursor}`)).status).toBe(400);
    }
    expect((await t.ask(`GET /contacts?cursor=${encodeURIComponent(foreign)}`)).status).toBe(400);
  });

  test.each(['0', '-1', '201', '1.5', 'abc', '', '1e2'])('lists refuse the limit %j', async (limit) => {
    for (const path of ['/companies', '/contacts', '/api-keys', '/companies/1/notes', '/account/team']) {
      expect((await t.ask(`GET ${path}?limit=${limit}`)).status).toBe(400);
    }
  });
});

describe('sorted lists', () => {
  test.each(['created_at', '-created_at', 'name', '-name'])('lists sorted by %s are paged by offset', async (sort) => {
    const whole = await t.ask(`GET /companies?sort=${sort}`);
    expect(whole.pagination).toEqual({ total: 8, limit: 50, offset: 0, has_more: false });
    const halves = [
      await t.ask(`GET /companies?sort=${sort}&limit=5`),
      await t.ask(`GET /companies?sort=${sort}&limit=5&offset=5`),
    ];
    expect(halves.map(({ pagination }) => pagination.has_more)).toEqual([true, false]);
    expect(halves.flatMap(ids)).toEqual(ids(whole));
    const key = sort.replace('-', '');
    const values = whole.data.map((one) => String(one[key]));
    expect(values).toEqual(sort.startsWith('-') ? [...values].sort().reverse() : [...values].sort());
  });

  test.each(['/companies', '/contacts', '/companies/1/notes'])(
    '%s refuses sort with a cursor, and unknown sorts',
    async (path) => {
      expect((await t.ask(`GET ${path}?sort=created_at`)).status).toBe(200);
      expect((await t.ask(`GET ${path}?sort=-created_at&cursor=abc`)).status).toBe(400);
      expect((await t.ask(`GET ${path}?sort=colour`)).status).toBe(400);
      expect((await t.ask(`GET ${path}?sort=constructor`)).status).toBe(400);
    },
  );

  test('sorted lists refuse an invalid offset and end after the last record', async () => {
    expect((await t.ask('GET /companies?sort=name&offset=-1')).status).toBe(400);
    const beyond = await t.ask('GET /companies?sort=name&offset=100');
    expect([beyond.data, beyond.pagination.has_more]).toEqual([[], false]);
  });
});

test('keys are listed by offset', async () => {
  for (let index = 0; index < 4; index += 1) await t.ask('POST /api-keys', { body: { label: `k${index}` } });
  const pages = [await t.ask('GET /api-keys?limit=3'), await t.ask('GET /api-keys?limit=3&offset=3')];
  expect(pages.map(({ pagination }) => pagination)).toEqual([
    { total: 5, limit: 3, offset: 0, has_more: true },
    { total: 5, limit: 3, offset: 3, has_more: false },
  ]);
  expect(new Set(pages.flatMap(ids)).size).toBe(5);
});

test('fields restricts the members of records on every page', async () => {
  const first = await t.ask('GET /companies?fields=name,%20city,nonsense&limit=4');
  const cursor = encodeURIComponent(String(first.pagination.next_cursor));
  const second = await t.ask(`GET /companies?fields=name,city&limit=4&cursor=${cursor}`);
  for (const record of [...first.data, ...second.data]) expect(Object.keys(record)).toEqual(['id', 'name', 'city']);
  expect(Object.keys((await t.ask('GET /contacts?fields=email')).data[0] ?? {})).toEqual(['id', 'email']);
  expect(Object.keys((await t.ask('GET /companies?fields=')).data[0] ?? {}).length).toBeGreaterThan(5);
});

test('accounts are returned as plain lists', async () => {
  for (const path of ['/me/accounts', '/me/team-accounts']) {
    const { data, envelope } = await t.ask(`GET ${path}`);
    expect(Array.isArray(data)).toBe(true);
    expect(envelope).not.toHaveProperty('pagination');
  }
});
