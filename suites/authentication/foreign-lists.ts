// Reads the lists of two accounts, and sends a cursor of one as the other; the rules look for foreign records.
import { type Api, conforms, type Tools, traverse } from '../../lib/index.ts';
import { ifPossible, orNothing } from '../shared/attempt.ts';
import { cursorOf } from '../shared/cursor.ts';
import { collections } from '../shared/groups.ts';
import { findMarked, type RecordList } from '../shared/search.ts';

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
      for (const [reader, list, name] of [
        [api, 'GET /companies', company.sent.name],
        [api, 'GET /contacts', contact.sent.last_name],
        [api.as(secondary), 'GET /companies', foreignCompany.sent.name],
        [api.as(secondary), 'GET /contacts', foreignContact.sent.last_name],
      ] as const)
        await readTo(reader, list, name, { clock });
    },
  ),

  conforms(
    'authentication-foreign-list',
    { needs: ['session', 'memberships', 'company', 'contact', 'foreignCompany', 'foreignContact'], writes: 0 },
    async ({ api: primary, session }) => {
      const api = primary.as(session);
      for (const operation of collections) {
        await orNothing(traverse(api, { operation, limit: 150, mode: 'cursor', pagesMax: 10 }));
        await readSorted(api, operation);
      }
    },
  ),

  conforms(
    'authentication-foreign-cursor',
    { needs: ['secondary', 'foreignCompany', 'foreignContact'], writes: 0 },
    async ({ api, secondary, foreignCompany, ...tools }) => {
      const owner = api.as(secondary);
      for (const operation of collections) {
        const cursor = await cursorOf({ operation, api: owner }, foreignCompany, tools);
        for (const reader of [owner, api]) await reader.send(operation, { query: { limit: 1, cursor } });
      }
    },
  ),
];
