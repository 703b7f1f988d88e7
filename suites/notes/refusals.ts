// Texts that must be refused, on creation and on edit; and that nothing of them stays.
import {
  conforms,
  expectRefused,
  expectSuccess,
  expectThat,
  identifierOf,
  type JsonObject,
  NotTested,
  type Reply,
  settled,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { taken } from '../shared/refusals.ts';
import { expectShown, type Listing, noteId, shelf } from './shelf.ts';

const missing = [{}, { text: null }, { text: 42 }, { text: ['text'] }];
const empty = { text: '' };
const blank = [{ text: ' \t\r\n ' }, { text: ' ' }, { text: '\t' }, { text: '\n' }];
const either = [400, 422];

const onCreate = [
  ...missing.map((body) => ({ id: 'notes-create-missing-text', body, statuses: either }) as const),
  { id: 'notes-create-empty', body: empty, statuses: either } as const,
  ...blank.map((body) => ({ id: 'notes-create-blank', body, statuses: [422] }) as const),
];
const onEdit = [
  ...missing.map((body) => ({ id: 'notes-edit-missing-text', body, statuses: either }) as const),
  { id: 'notes-edit-empty', body: empty, statuses: [400] } as const,
  ...blank.map((body) => ({ id: 'notes-edit-blank', body, statuses: [422] }) as const),
];

/** Each of the requests with its reply, sent one after the other. */
async function trial<Row extends { readonly body: JsonObject }>(
  rows: readonly Row[],
  send: (body: JsonObject) => Promise<Reply>,
): Promise<readonly (Row & { readonly reply: Reply })[]> {
  const tried: (Row & { readonly reply: Reply })[] = [];
  for (const row of rows) tried.push({ ...row, reply: await send(row.body) });
  return tried;
}

/** The list holds no notes but these. */
function expectOnly({ items, replies }: Listing, ids: readonly unknown[], what: string): void {
  const others = items.filter((item) => !ids.includes(identifierOf('note', item)));
  expectThat(others.length === 0, `${what} should leave no note behind`, {
    expected: `only the notes ${ids.join(', ')}`,
    actual: others,
    replies,
  });
}

export const refusals = conforms(
  [
    'notes-create-missing-text',
    'notes-create-empty',
    'notes-create-blank',
    'notes-create-refused-effect',
    'notes-edit-missing-text',
    'notes-edit-empty',
    'notes-edit-blank',
    'notes-edit-refused-effect',
  ],
  { needs: ['spare'], writes: true },
  async ({ fact, spare, ...tools }) => {
    const { clock, random, make } = tools;
    const api = tools.api.as(spare);
    // A company of its own: in its list nothing stands that this case has not made.
    const notes = shelf(api, random, (await make.company(api)).id);
    const note = await make.note(api, notes.company);
    const creations = await trial(taken(onCreate, tools), (body) => notes.create(body));
    const edits = await trial(taken(onEdit, tools), (body) => notes.edit(note.id, body));
    // The twins come last: a list that shows the last note shows the earlier ones too.
    const twin = await make.note(api, notes.company);
    const text = make.name('edited note');
    expectSuccess(await notes.edit(twin.id, { text }));

    for (const { id, statuses, reply } of creations) await fact(id, () => expectRefused(reply, ...statuses));
    for (const { id, statuses, reply } of edits) await fact(id, () => expectRefused(reply, ...statuses));
    const listing = await settled(clock, async () => {
      const read = await notes.list();
      expectShown(read, twin.id, text, 'the note made last');
      return read;
    });
    await fact('notes-create-refused-effect', () => {
      const accepted = creations.filter(({ reply }) => wasAccepted(reply)).map(({ reply }) => noteId(reply));
      expectOnly(listing, [note.id, twin.id, ...accepted], 'a refused creation');
    });
    await fact('notes-edit-refused-effect', () => {
      if (edits.some(({ reply }) => wasAccepted(reply)))
        throw new NotTested('an edit that should be refused was carried out');
      expectShown(listing, note.id, note.text, 'the note whose edits were refused');
    });
  },
);
