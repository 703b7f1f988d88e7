// New notes: in the reply, in the list of their company, and in no other; and notes under the path of another company.
import {
  conforms,
  dataOf,
  expectStatus,
  expectSuccess,
  expectThat,
  identifierOf,
  isObject,
  type Reply,
  settled,
} from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { furtherFields } from '../shared/fields.ts';
import { expectGone, expectShown, expectText, expectTextOnce, noteId, type Shelf, shelf } from './shelf.ts';

function expectApart(one: Reply, other: Reply): void {
  expectThat(noteId(one) !== noteId(other), 'two notes should have two identifiers', {
    expected: 'two integers',
    actual: noteId(one),
    replies: [one, other],
  });
}

/** The list, as soon as it shows the notes. */
const listShowing = (clock: Parameters<typeof settled>[0], on: Shelf, ids: readonly number[]) =>
  settled(clock, async () => {
    const listing = await on.list();
    const shown = new Set(listing.items.map((item) => identifierOf('note', item)));
    const missing = ids.filter((id) => !shown.has(id));
    expectThat(missing.length === 0, 'a new note should appear in the list of its company', {
      expected: `the notes ${ids.join(', ')}`,
      actual: `without ${missing.join(', ')}`,
      replies: listing.replies,
    });
    return listing;
  });

const records = conforms(
  [
    'notes-create-id',
    'notes-create-text',
    'notes-create-once',
    'notes-list-contains',
    'notes-list-record',
    'notes-list-own-company',
    'notes-other-company',
    'notes-record-fields',
  ],
  { needs: ['spare', 'spareCompany'], writes: true },
  async ({ api, spare, spareCompany, clock, random, make, fact, observe }) => {
    const home = shelf(api.as(spare), random, (await make.company(api.as(spare))).id);
    const away = shelf(api.as(spare), random, spareCompany.id);
    const texts = { first: make.name('note'), second: make.name('note'), away: make.name('note') };
    const first = await home.create({ text: texts.first });
    const second = await home.create({ text: texts.second });
    const elsewhere = await away.create({ text: texts.away });
    for (const reply of [first, second, elsewhere]) expectSuccess(reply);
    await fact('notes-create-id', () => expectApart(first, second));
    await fact('notes-create-text', () => {
      expectText(first, texts.first);
      expectText(second, texts.second);
    });
    const record = dataOf(first);
    if (isObject(record)) observe('notes-record-fields', furtherFields(record, ['text'], 'note'), first);

    const [id, secondId, awayId] = [noteId(first), noteId(second), noteId(elsewhere)];
    const here = await attempt(listShowing(clock, home, [id, secondId]));
    const there = await attempt(listShowing(clock, away, [awayId]));
    for (const search of [here, there]) await fact('notes-list-contains', () => void search.judged());
    await fact('notes-create-once', () => {
      expectTextOnce(here.value(), texts.first, 'a new note');
      expectTextOnce(here.value(), texts.second, 'a new note');
    });
    await fact('notes-list-record', () => {
      expectShown(here.value(), id, texts.first, 'the first note');
      expectShown(here.value(), secondId, texts.second, 'the second note');
    });
    await fact('notes-list-own-company', () => {
      expectGone(here.value(), awayId, 'a note of another company');
      expectGone(there.value(), id, 'a note of another company');
    });

    const edit = await away.edit(secondId, { text: make.name('misplaced edit') });
    const removal = await away.remove(secondId);
    await fact('notes-other-company', async () => {
      expectStatus(edit, 404);
      expectStatus(removal, 404);
      expectShown(await home.list(), secondId, texts.second, 'a note whose number was used under another company');
    });
  },
);

const restricted = conforms(
  'notes-create-restricted',
  { needs: ['restricted', 'company'], writes: true },
  async ({ api, restricted: clerk, company, random, make, observe }) => {
    const reply = await shelf(api.as(clerk), random, company.id).create({ text: make.name('note') });
    observe('notes-create-restricted', answerOf(reply), reply);
  },
);

export const creation = [records, restricted];
