// The lists of one account read with an eye on another: no company, no contact, and no page behind a foreign cursor.
import {
  type Api,
  at,
  type Company,
  type Contact,
  conforms,
  eventually,
  expectThat,
  itemsOf,
  type JsonObject,
  type Reply,
  readPage,
  type Tools,
  traverse,
} from '../../lib/index.ts';
import { expectNone, type Found, findMarked, type RecordList } from '../shared/search.ts';
import { apartFrom } from './apart.ts';

/** The names that one account's lists show and no other's. */
interface Owned {
  readonly api: Api;
  readonly names: Readonly<Record<RecordList, string>>;
}

const lists = ['GET /companies', 'GET /contacts'] as const satisfies readonly RecordList[];
const ownedBy = (api: Api, company: Company, contact: Contact): Owned => ({
  api,
  names: { 'GET /companies': String(company.sent.name), 'GET /contacts': String(contact.sent.last_name) },
});

/** Sorted lists are read by offset, which is another way through the same records; not every target sorts. */
async function sortedPages(api: Api, list: RecordList): Promise<readonly JsonObject[]> {
  const query = { sort: '-created_at' };
  const probe = await api.send(list, { query: { ...query, limit: 1 } });
  if (probe.status !== 200) return [];
  const { items } = await traverse(api, { operation: list, query, limit: 150, mode: 'offset', pagesMax: 2 });
  return items;
}

async function readSome(api: Api, operation: RecordList): Promise<Found> {
  const { items, replies } = await traverse(api, { operation, limit: 150, mode: 'cursor', pagesMax: 10 });
  return { records: [...items, ...(await sortedPages(api, operation))], replies: [...replies] };
}

/** The control: the reader's own record, made at about the same time, is there. */
async function recordsOf({ api, names }: Owned, list: RecordList, clock: Tools['clock']): Promise<Found> {
  const found = await findMarked({ api, clock }, list, names[list], names[list]);
  return { ...found, records: [...found.records, ...(await sortedPages(api, list))] };
}

export const foreignLists = [
  conforms(
    'authentication-foreign-list',
    { needs: ['company', 'contact', 'secondary', 'foreignCompany', 'foreignContact'], writes: 0 },
    async ({ api, company, contact, secondary, foreignCompany, foreignContact, clock, check }) => {
      const foreign = api.as(secondary);
      const one = ownedBy(api, company, contact);
      const other = ownedBy(foreign, foreignCompany, foreignContact);
      for (const [reader, outsider] of [
        [one, other],
        [other, one],
      ] as const) {
        for (const list of lists) {
          const found = await recordsOf(reader, list, clock);
          const what = `a record of another account in ${list}`;
          await check('authentication-foreign-list', () => expectNone(found, outsider.names[list], what), list);
        }
      }
    },
  ),

  conforms(
    'authentication-foreign-list',
    {
      needs: ['session', 'memberships', 'company', 'contact', 'secondary', 'foreignCompany', 'foreignContact'],
      writes: 0,
    },
    async ({ api, session, memberships, company, contact, secondary, foreignCompany, foreignContact, check }) => {
      const foreign = api.as(secondary);
      const owner = await apartFrom(memberships, [foreign, api]);
      const outsider =
        owner === api ? ownedBy(api, company, contact) : ownedBy(foreign, foreignCompany, foreignContact);
      for (const list of lists) {
        const found = await readSome(api.as(session), list);
        const what = `a record of another account in ${list}`;
        await check('authentication-foreign-list', () => expectNone(found, outsider.names[list], what), list);
      }
    },
  ),
];

/** The page behind a cursor of the owner's, which must have one. */
async function secondPage(owner: Api, list: RecordList): Promise<{ readonly cursor: string; readonly page: Reply }> {
  const first = await readPage(owner, { operation: list, limit: 1 });
  const cursor = at(first.pagination, 'next_cursor');
  expectThat(typeof cursor === 'string', 'the list of the other account should have a second page', {
    expected: 'a next_cursor',
    actual: cursor ?? 'absent',
    replies: first.reply,
  });
  const { reply } = await readPage(owner, { operation: list, limit: 1 }, { cursor });
  return { cursor, page: reply };
}

export const foreignCursor = conforms(
  'authentication-foreign-cursor',
  { needs: ['secondary', 'foreignCompany', 'foreignContact'], writes: 0 },
  async ({ api, secondary, foreignCompany, make, clock, check }) => {
    const owner = api.as(secondary);
    const makeOne = {
      'GET /companies': () => make.company(owner),
      'GET /contacts': () => make.contact(owner, foreignCompany.id),
    };
    for (const list of lists) {
      const { pagination } = await readPage(owner, { operation: list, limit: 1 });
      // What stays for ever is only made where the record that cases share is the only one.
      if (at(pagination, 'has_more') !== true) await makeOne[list]();
      const { cursor, page } = await eventually(clock, () => secondPage(owner, list));
      const owned = itemsOf(page).map((one) => JSON.stringify(one));
      const reply = await api.send(list, { query: { limit: 1, cursor } });
      await check(
        'authentication-foreign-cursor',
        () => {
          const shown = itemsOf(reply).filter((one) => owned.includes(JSON.stringify(one)));
          expectThat(shown.length === 0, 'a cursor of another account should show none of its records', {
            expected: 'a refusal, or records of the caller only',
            actual: shown,
            replies: [page, reply],
          });
        },
        list,
      );
    }
  },
);
