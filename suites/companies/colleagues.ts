// Case of two users of one account: each reads before and after the other writes, and both write at the same moment.
import {
  type Api,
  type Call,
  conforms,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  expectSuccess,
  identifierOf,
  lagMsMax,
  listNotes,
  type OperationId,
  type Tools,
} from '../../lib/index.ts';
import { orPassedOver } from '../shared/attempt.ts';
import { fullRecord } from '../shared/company-record.ts';

const ids = [
  ...(['companies-read-record', 'companies-list-record', 'companies-edit-effect'] as const),
  ...(['notes-list-record', 'notes-edit-effect', 'notes-delete-effect'] as const),
];

export const colleagues = conforms(
  ids,
  {
    needs: ['company'],
    wants: ['restricted', 'exhaustible', 'exhaustibleCompany', 'sibling'],
    perhaps: ids,
    writes: [5, 14, 14],
    reads: [20, 40, 40],
  },
  async ({ api, company, restricted, exhaustible, exhaustibleCompany, sibling, ...tools }) => {
    const pairs: Pair[] = [];
    if (restricted) pairs.push({ own: api, other: api.as(restricted), company_id: company.id });
    if (exhaustible && exhaustibleCompany && sibling)
      pairs.push({ own: api.as(exhaustible), other: api.as(sibling), company_id: exhaustibleCompany.id });
    const some = tools.effort === 'quick' ? tools.random.shuffled(pairs).slice(0, 1) : pairs;
    await Promise.all(some.map((pair) => write(pair, tools)));
  },
);

interface Pair {
  readonly own: Api;
  /** A key of the same account, usually of another user. */
  readonly other: Api;
  readonly company_id: number;
}

async function write(
  { own, other, company_id }: Pair,
  { make, clock, effort }: Pick<Tools, 'make' | 'clock' | 'effort'>,
): Promise<void> {
  const path = { company_id };
  const text = (words: string) => ({ text: make.noteText(words) });
  const create = async () => {
    const made = await own.send(createNote, { path, body: text('note of two users') });
    expectSuccess(made);
    return { path: { ...path, note_id: identifierOf('note', dataOf(made)) ?? '' } };
  };
  const edit = (by: Api, note: Call) => by.send(editNote, { ...note, body: text('edit by one of two users') });
  const readAll = async () => {
    for (const by of [own, other])
      for (const [operation, call] of readsOf(company_id)) await orPassedOver(by.send(operation, call));
  };
  const readLater = async () => {
    await clock.sleep(lagMsMax + 1);
    await readAll();
  };

  const [kept, deleted] = [await create(), await create()];
  await readAll();
  const body = fullRecord(make.name('company of two users'), 'second');
  await own.send('PATCH /companies/{company_id}', { path, body });
  await edit(own, kept);
  await own.send(deleteNote, deleted);
  await readLater();
  if (effort === 'quick') return;
  const contested = await create();
  await Promise.all([edit(own, kept), edit(other, kept)]);
  await Promise.all([edit(other, contested), own.send(deleteNote, contested)]);
  await readLater();
}

/** A record, and lists in several forms: a server may keep each by itself, for each user. */
const readsOf = (company_id: number): readonly (readonly [OperationId, Call])[] => [
  ['GET /companies/{company_id}', { path: { company_id }, exactly: true }],
  [listNotes, { path: { company_id }, exactly: true }],
  ...[{}, { fields: 'id,name,city' }, { sort: '-created_at' }].map(
    (query) => ['GET /companies', { query: { limit: 200, ...query }, exactly: true }] as const,
  ),
];
