// Tests that a recorded failure that runs again is called fixed on a server without the fault, and never on one with it, however late it shows.
import { expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import { mutants } from '../../lab/mutants/index.ts';
import type { Wrap } from '../../lab/mutants/mutant.ts';
import { casesOf, holdMsOf, outcomeOf } from './rerun.ts';

interface Note {
  readonly id: number;
}

/** Deleted notes are in the lists again, so long after their deletion. */
const comingBack =
  (afterMs: number): Wrap =>
  (honest, clock) => {
    const known = new Map<string, readonly Note[]>();
    const gone: { readonly path: string; readonly note: Note; readonly at: number }[] = [];
    return async (request) => {
      const { pathname } = new URL(request.url);
      const response = await honest(request);
      if (response.status !== 200 || !pathname.includes('/notes')) return response;
      if (request.method === 'DELETE') {
        const path = pathname.slice(0, pathname.lastIndexOf('/'));
        const note = known.get(path)?.find(({ id }) => pathname.endsWith(`/${id}`));
        if (note) gone.push({ path, note, at: clock.now() });
      }
      if (request.method !== 'GET') return response;
      const page: { readonly data: readonly Note[] } = JSON.parse(await response.text());
      known.set(pathname, page.data);
      const back = gone.filter(({ path, at }) => path === pathname && clock.now() - at > afterMs);
      return new Response(JSON.stringify({ ...page, data: [...page.data, ...back.map(({ note }) => note)] }), response);
    };
  };

/** What `again` says of each failed requirement: of the same server, and of the reference. */
async function said(wrap: Wrap) {
  const { report } = await examine({ wrap });
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed');
  return Promise.all(
    failed.map(async (row) => {
      const again = { only: casesOf(row, report), holdMs: holdMsOf(row, report) };
      const word = async (more: { readonly wrap?: Wrap }) =>
        outcomeOf(row, report, await examine({ ...again, ...more })).word;
      return { id: row.id, broken: await word({ wrap }), honest: await word({}) };
    }),
  );
}

const wrapOf = (id: string): Wrap => {
  const mutant = mutants.find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`no mutant is called ${id}`);
  return mutant.wrap;
};

test('deleted notes that come back after two seconds are found again', async () => {
  const rows = await said(comingBack(2_000));
  expect(rows.map(({ id, broken }) => `${id} ${broken}`)).toEqual(
    expect.arrayContaining(['notes-delete-lasting STILL']),
  );
  // What was seen beside notes of other cases may not be judged again, but none of it is called fixed.
  expect(rows.filter(({ broken }) => broken === 'FIXED')).toEqual([]);
});

test.each([
  // Only after many requests of a whole run.
  ['notes-list-shows-deleted-later', 'CANNOT', 'CANNOT'],
  ['notes-create-takes-array-for-text', 'STILL', 'FIXED'],
])('%s is called %s, and without the fault %s', async (id, ...words) => {
  for (const { broken, honest } of await said(wrapOf(id))) expect([broken, honest]).toEqual(words);
});
