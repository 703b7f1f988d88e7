// Reads the lists of two accounts, and sends a cursor of one as the other; the rules look for foreign records.
import { type Api, at, conforms, eventually, expectThat, readPage, type Tools, traverse } from '../../lib/index.ts';
import { ifPossible, orNothing } from '../shared/attempt.ts';
import { findMarked, type RecordList } from '../shared/search.ts';

const lists = ['GET /companies', 'GET /contacts'] as const satisfies readonly RecordList[];

/** Sorted lists are paged by offset; a target need not support the sort. */
async function readSorted(api: Api, list: RecordList): Promise<void> {
  const query = { sort: '-created_at' };
  await orNothing(traverse(api, { operation: list, query, limit: 150, mode: 'offset', pagesMax: 2 }));
}

/** Reads until the reader's own record, which was created at about the same time as the foreign one. */
async function readTo(api: Api, list: RecordList, name: unknown, { clock }: Pick<Tools, 'clock'>): Promise<void> {
  await ifPossible(findMarked({ api, clock }, list, String(name), 'a record of the reader'));
  await readSorted(api, list);
}

export const foreignLists = [
  conforms(
    'authentication-foreign-list',
    { needs: ['company', 'contact', 'secondary', 'foreignCompany', 'foreignContact'], writes: 0 },
    async ({ api, company, contact, secondary, foreignCompany, foreignContact, clock }) => {
      await readTo(api, 'GET /companies', company.sent.name, { clock });
      await readTo(api, 'GET /contacts', contact.sent.last_name, { clock });
      await readTo(api.as(secondary), 'GET /companies', foreignCompany.sent.name, { clock });
      await readTo(api.as(secondary), 'GET /contacts', foreignContact.sent.last_name, { clock });
    },
  ),

  conforms(
    'authentication-foreign-list',
    { needs: ['session', 'memberships', 'company', 'contact', 'foreignCompany', 'foreignContact'], writes: 0 },
    async ({ api: primary, session }) => {
      const api = primary.as(session);
      for (const operation of lists) {
        await orNothing(traverse(api, { operation, limit: 150, mode: 'cursor', pagesMax: 10 }));
        await readSorted(api, operation);
      }
    },
  ),
];

/** The cursor of the owner's first page; reads the second as well, to compare. */
async function cursorOf(owner: Api, list: RecordList): Promise<string> {
  const first = await readPage(owner, { operation: list, limit: 1 });
  const cursor = at(first.pagination, 'next_cursor');
  expectThat(typeof cursor === 'string', 'the list of the other account should have a second page', {
    expected: 'a next_cursor',
    actual: cursor ?? 'absent',
    replies: first.reply,
  });
  await readPage(owner, { operation: list, limit: 1 }, { cursor });
  return cursor;
}

export const foreignCursor = conforms(
  'authentication-foreign-cursor',
  { needs: ['secondary', 'foreignCompany', 'foreignContact'], writes: 0 },
  async ({ api, secondary, foreignCompany, make, clock }) => {
    const owner = api.as(secondary);
    const makeOne = {
      'GET /companies': () => make.company(owner),
      'GET /contacts': () => make.contact(owner, foreignCompany.id),
    };
    for (const list of lists) {
      const { pagination } = await readPage(owner, { operation: list, limit: 1 });
      // Nobody can delete it, so a second record is only created if there is none.
      if (at(pagination, 'has_more') !== true) await makeOne[list]();
      const cursor = await eventually(clock, () => cursorOf(owner, list));
      await api.send(list, { query: { limit: 1, cursor } });
    }
  },
);
