// Endpoints / Companies: create, read, edit, and what their list shows.
import {
  type Api,
  type Call,
  conforms,
  createNote,
  dataOf,
  editNote,
  expectSuccess,
  identifierOf,
  lagMsMax,
  listNotes,
  type OperationId,
  suite,
} from '../lib/index.ts';
import { absence, records, rights } from './companies/cases.ts';
import { companyRules } from './companies/rules.ts';
import { fullRecord } from './shared/sent-records.ts';
import { unlessUndecidedOrUnkept } from './shared/unless.ts';

const ids = [
  ...(['companies-read-record', 'companies-list-record', 'companies-edit-effect'] as const),
  ...(['notes-list-record', 'notes-edit-effect'] as const),
];

/** Two users of one account: each reads before and after the other writes, then both write at once. */
const colleagues = conforms(
  ids,
  { needs: ['company', 'restricted'], perhaps: ids, writes: [0, 14, 14], reads: [0, 22, 22] },
  async ({ api, company, restricted, make, clock, effort }) => {
    if (effort === 'quick') return;
    const colleague = api.as(restricted);
    const path = { company_id: company.id };
    const text = (words: string) => ({ text: make.noteText(words) });
    const create = async () => {
      const made = await api.send(createNote, { path, body: text('note of two users') });
      expectSuccess(made);
      return { path: { ...path, note_id: identifierOf('note', dataOf(made)) ?? '' } };
    };
    const edit = (by: Api, note: Call) => by.send(editNote, { ...note, body: text('edit by one of two users') });
    const readAll = async () => {
      for (const by of [api, colleague])
        for (const [operation, call] of readsOf(company.id)) await unlessUndecidedOrUnkept(by.send(operation, call));
    };

    const [kept, other] = [await create(), await create()];
    await readAll();
    const body = fullRecord(make.name('company of two users'), 'second');
    await api.send('PATCH /companies/{company_id}', { path, body });
    await unlessUndecidedOrUnkept(colleague.send('GET /companies/{company_id}', { path, exactly: true }));
    await edit(api, kept);
    await clock.sleep(lagMsMax + 1);
    await readAll();
    await Promise.all([edit(api, kept), edit(colleague, kept), edit(colleague, other)]);
    await clock.sleep(lagMsMax + 1);
    await api.send(listNotes, { path });
  },
);

/** A record, and lists in several forms: a server may cache each separately, for each user. */
const readsOf = (company_id: number): readonly (readonly [OperationId, Call])[] => [
  ['GET /companies/{company_id}', { path: { company_id }, exactly: true }],
  [listNotes, { path: { company_id }, exactly: true }],
  ...[{}, { fields: 'id,name,city' }, { sort: '-created_at' }].map(
    (query) => ['GET /companies', { query: { limit: 200, ...query }, exactly: true }] as const,
  ),
];

export default suite('companies', [records, rights, absence, colleagues], companyRules);
