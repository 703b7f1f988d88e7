// Texts that must be refused, on creation and on edit; and that nothing of them stays.
import {
  conforms,
  dataOf,
  eventually,
  expectRefused,
  expectSuccess,
  expectThat,
  identifierOf,
  type JsonObject,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { taken } from '../shared/refusals.ts';
import { expectAll, expectShown, noteList, type ShownNotes } from './note-list.ts';

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

/** Every text of a note that is rightly there begins with the name of a run. */
const isOwn = (text: unknown): boolean => typeof text === 'string' && /^Covenant /.test(text);

/** The list holds no notes but those known, and others with the texts of a run. */
function expectNothingLeft({ items, replies }: ShownNotes, known: readonly unknown[]): void {
  const left = items.filter((item) => !isOwn(item.text) && !known.includes(identifierOf('note', item)));
  expectThat(left.length === 0, 'a refused creation should leave no note behind', {
    expected: 'only the notes that were accepted',
    actual: left,
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
  async ({ check, spare, ...tools }) => {
    const { clock, random, make } = tools;
    const api = tools.api.as(spare);
    // A company of its own: its list shows nothing that this case has not made.
    const notes = noteList(api, random, (await make.company(api)).id);
    const note = await make.note(api, notes.company);
    // The control of the edits; that of the creations comes last: a list that shows it shows the earlier ones too.
    const text = make.name('edited note');
    expectSuccess(await notes.edit(note.id, { text }));
    await eventually(clock, async () => expectAll(await notes.list(), [{ id: note.id, text }]));
    const creations = await trial(taken(onCreate, tools), (body) => notes.create(body));
    const edits = await trial(taken(onEdit, tools), (body) => notes.edit(note.id, body));
    const control = await make.note(api, notes.company);

    for (const { id, statuses, reply } of creations) await check(id, () => expectRefused(reply, ...statuses));
    for (const { id, statuses, reply } of edits) await check(id, () => expectRefused(reply, ...statuses));
    const listing = await eventually(clock, async () => {
      const read = await notes.list();
      expectShown(read, control.id, control.text, 'the note made last');
      return read;
    });
    await check('notes-create-refused-effect', () => {
      const accepted = creations.filter(({ reply }) => wasAccepted(reply));
      expectNothingLeft(listing, [
        note.id,
        control.id,
        ...accepted.map(({ reply }) => identifierOf('note', dataOf(reply))),
      ]);
    });
    await check('notes-edit-refused-effect', () => {
      if (edits.some(({ reply }) => wasAccepted(reply)))
        throw new NotTested('an edit that should be refused was carried out');
      expectShown(listing, note.id, text, 'the note whose edits were refused');
    });
  },
);
