// New notes: in the reply, in the list of their company, and in no other; and notes under the path of another company.
import {
  at,
  conforms,
  dataOf,
  eventually,
  expectStatus,
  expectSuccess,
  expectThat,
  identifierOf,
  isObject,
  type Reply,
} from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { furtherFields } from '../shared/fields.ts';
import { expectApart, integerId } from '../shared/identifiers.ts';
import { expectGone, expectShown, expectText, type NoteList, noteList, type ShownNotes, textsOf } from './note-list.ts';

/** The list, as soon as it shows the notes. */
const listShowing = (clock: Parameters<typeof eventually>[0], on: NoteList, ids: readonly number[]) =>
  eventually(clock, async () => {
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

const textIn = (reply: Reply): string => String(at(dataOf(reply), 'text'));

/** The text that the list should show: as the reply showed it, or as it was sent where the reply alone is wrong. */
const listedText = (listing: ShownNotes, id: number, [replied, sent]: readonly [string, string]): string =>
  textsOf(listing, id).includes(sent) ? sent : replied;

/** No other note of the list has the text that it shows for this one. */
function expectNoCopy(listing: ShownNotes, id: number): void {
  const [text] = textsOf(listing, id);
  const alike = listing.items.filter((item) => item.text === text);
  expectThat(alike.length === 1, 'one creation should make one note', {
    expected: `one note with the text ${JSON.stringify(text)}`,
    actual: alike,
    replies: listing.replies,
  });
}

/** Nothing in the list but the notes made in this company, or copies of them. */
function expectOnlyOwn(listing: ShownNotes, ids: readonly number[]): void {
  const texts = ids.flatMap((id) => textsOf(listing, id));
  const foreign = listing.items.filter((item) => !texts.includes(item.text));
  expectThat(foreign.length === 0, 'the list should show no note of another company', {
    expected: `the notes ${ids.join(', ')}`,
    actual: foreign,
    replies: listing.replies,
  });
}

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
  async ({ api, spare, spareCompany, clock, random, make, check, observe }) => {
    const home = noteList(api.as(spare), random, (await make.company(api.as(spare))).id);
    const away = noteList(api.as(spare), random, spareCompany.id);
    const texts = { first: make.name('note'), second: make.name('note'), away: make.name('note') };
    const first = await home.create({ text: texts.first });
    const second = await home.create({ text: texts.second });
    const elsewhere = await away.create({ text: texts.away });
    for (const reply of [first, second, elsewhere]) expectSuccess(reply);
    await check('notes-create-id', () => expectApart('note', first, second));
    await check('notes-create-text', () => {
      expectText(first, texts.first);
      expectText(second, texts.second);
    });
    const record = dataOf(first);
    if (isObject(record)) observe('notes-record-fields', furtherFields(record, ['text'], 'note'), first);

    const [id, secondId, awayId] = [integerId('note', first), integerId('note', second), integerId('note', elsewhere)];
    const here = await attempt(listShowing(clock, home, [id, secondId]));
    const there = await attempt(listShowing(clock, away, [awayId]));
    for (const search of [here, there]) await check('notes-list-contains', () => void search.judged());
    await check('notes-create-once', () => {
      for (const one of [id, secondId]) expectNoCopy(here.value(), one);
    });
    await check('notes-list-record', () => {
      const listing = here.value();
      expectShown(listing, id, listedText(listing, id, [textIn(first), texts.first]), 'the first note');
      expectShown(listing, secondId, listedText(listing, secondId, [textIn(second), texts.second]), 'the second note');
    });
    await check('notes-list-own-company', () => {
      expectGone(there.value(), id, 'a note of another company');
      expectOnlyOwn(here.value(), [id, secondId]);
    });

    const edit = await away.edit(secondId, { text: make.name('misplaced edit') });
    const removal = await away.remove(secondId);
    await check('notes-other-company', async () => {
      expectStatus(edit, 404);
      expectStatus(removal, 404);
      const [before] = textsOf(here.value(), secondId);
      expectShown(await home.list(), secondId, String(before), 'a note whose number was used under another company');
    });
  },
);

const restricted = conforms(
  'notes-create-restricted',
  { needs: ['restricted', 'company'], writes: true },
  async ({ api, restricted: clerk, company, random, make, observe }) => {
    const reply = await noteList(api.as(clerk), random, company.id).create({ text: make.name('note') });
    observe('notes-create-restricted', answerOf(reply), reply);
  },
);

export const creation = [records, restricted];
