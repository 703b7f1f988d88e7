// What becomes of the text of a note: every character is kept, on creation and on edit, in the reply and in the list.
import * as fc from 'fast-check';
import {
  at,
  conforms,
  dataOf,
  eventually,
  expectRefused,
  expectSuccess,
  NotTested,
  property,
  type Tools,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { addressOf, expectShown, expectText, type NoteList, noteList, textsOf } from './note-list.ts';

const specials = 'Rates:\n\t5% & 6% <b>fixed</b> &amp; "floating", \'capped\'\\net \u{1d11e} \u{1f3e6} 資本 ñ';
const otherSpecials =
  'First\r\n\r\nlast </script> {{x}} %20 \\n \\" ‘quoted’  twice  spaced \u{1f469}\u{200d}\u{1f4bc} مرحبا';
const pieces = ['\n', '\t', '"', "'", '\\', '<', '>', '&', '%', ' ', 'é', '資', '\u{1f3e6}', '&lt;', '\\u0041', 'null'];

/** Never blank, and without white space at its ends. */
const inner: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 40 })
  .map((parts) => `a${parts.join('')}z`);

/** The list shows the text, as soon as it shows the note; that it does is judged elsewhere. */
async function expectKept(clock: Tools['clock'], notes: NoteList, id: number, text: string): Promise<void> {
  let listed = false;
  const look = eventually(clock, async () => {
    const listing = await notes.list();
    listed = textsOf(listing, id).length > 0;
    expectShown(listing, id, text, 'the note');
  });
  await look.catch((error: unknown) => {
    throw listed ? error : new NotTested('the list does not show the note');
  });
}

/** A text of this many characters, with an end that shows when it is cut. */
const long = (start: string, filling: string, length: number): string =>
  `${start} ${filling.repeat(length)}`
    .slice(0, length - 4)
    .trimEnd()
    .padEnd(length - 4, 'x')
    .concat(' end');

const needs = ['spare', 'spareCompany'] as const;

const characters = conforms(
  'notes-text-characters',
  { needs, writes: true },
  async ({ api, spare, spareCompany, clock, random, make, effort, check }) => {
    const notes = noteList(api.as(spare), random, spareCompany.id);
    const note = await make.note(api.as(spare), spareCompany.id);
    await check('notes-text-characters', async () => {
      const text = `${make.name('note')} ${specials}`;
      const created = await notes.create({ text });
      expectSuccess(created);
      expectText(created, text);
      await expectKept(clock, notes, addressOf(created), text);
    });
    await check('notes-text-characters', async () => {
      const text = `${make.name('note')} ${otherSpecials}`;
      const edited = await notes.edit(note.id, { text });
      expectSuccess(edited);
      expectText(edited, text);
      await expectKept(clock, notes, note.id, text);
    });
    if (effort === 'quick') return;
    await check('notes-text-characters', () =>
      property(
        random,
        inner,
        async (text) => {
          const edited = await notes.edit(note.id, { text });
          expectSuccess(edited);
          expectText(edited, text);
          await expectKept(clock, notes, note.id, text);
        },
        effort === 'thorough' ? 15 : 3,
      ),
    );
  },
);

const lengths = conforms(
  'notes-text-long',
  { needs, writes: true },
  async ({ api, spare, spareCompany, clock, random, make, effort, check }) => {
    const notes = noteList(api.as(spare), random, spareCompany.id);
    const lengthsTried = effort === 'quick' ? [1000, 5000] : [1000, 1001, 5000, 100_000];
    for (const length of lengthsTried)
      await check('notes-text-long', async () => {
        const text = long(make.name('note'), length === 1000 ? '資本と融資 ' : 'capital and credit ', length);
        const created = await notes.create({ text });
        if (length > 1000 && !wasAccepted(created)) return expectRefused(created, 400, 413, 422);
        expectSuccess(created);
        expectText(created, text);
        await expectKept(clock, notes, addressOf(created), text);
      });
  },
);

/** What the document does not say of a text: white space at its ends, and blanks beyond space, tab and line break. */
const silent = conforms(
  ['notes-text-outer-space', 'notes-text-unicode-blank'],
  { needs, writes: true },
  async ({ api, spare, spareCompany, random, make, observe }) => {
    const notes = noteList(api.as(spare), random, spareCompany.id);
    const text = make.name('note');
    const spaced = await notes.create({ text: `  ${text}\n` });
    const back = at(dataOf(spaced), 'text');
    const became = back === `  ${text}\n` ? 'kept' : back === text ? 'trimmed' : 'changed otherwise';
    observe('notes-text-outer-space', wasAccepted(spaced) ? became : answerOf(spaced), spaced);
    const blank = await notes.create({ text: '\u2003\u00a0\u3000' });
    observe('notes-text-unicode-blank', answerOf(blank), blank);
  },
);

export const texts = [characters, lengths, silent];
