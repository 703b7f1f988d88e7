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
  type Random,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attackTexts, foreignTexts, trickyTexts, wholeText } from '../shared/tricky-texts.ts';
import { addressOf, expectShown, expectText, type NoteList, noteList, textsOf } from './note-list.ts';

const specials = 'Rates:\n\t5% & 6% <b>fixed</b> &amp; "floating",\r\n\'capped\'\\net \u{1d11e} \u{1f3e6} 資本 ñ';
const otherSpecials =
  'First\r\n\r\nnext  \n\n\n\n\t  last </script> {{x}} %20 \\n \\" ‘quoted’  twice  spaced \u{1f469}\u{200d}\u{1f4bc} مرحبا';
const pieces = [
  '\n',
  '\n\n\n',
  ' \n',
  '\t',
  '"',
  "'",
  '\\',
  '<',
  '>',
  '&',
  '%',
  ' ',
  'é',
  '資',
  '\u{1f3e6}',
  '&lt;',
  '\\u0041',
  'null',
];

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

/** Whatever stands between two lines or words is kept as well: empty lines, and blanks at the ends of lines. */
const gaps = [' ', '\n', '\t', ' | ', '\n\n\n', '  \n', '\n    ', '\r\n', '\r\n\r\n\r\n'];

/** Tricky texts of one run, many in one note. */
function mixed(random: Random): string {
  const between = random.shuffled(gaps);
  return random
    .shuffled([...trickyTexts(random, 12), ...foreignTexts(random, 5), ...attackTexts])
    .reduce((text, part, place) => `${text}${between[place % between.length]}${part}`);
}

const characters = conforms(
  ['notes-text-characters', 'notes-text-outer-space', 'notes-text-unicode-blank'],
  {
    needs: ['spare', 'spareCompany'],
    writes: [3, 7, 22],
    beyondQuick: ['notes-text-outer-space', 'notes-text-unicode-blank'],
  },
  async ({ api, spare, spareCompany, clock, random, make, effort, check, observe }) => {
    const notes = noteList(api.as(spare), random, spareCompany.id);
    const kept = async (reply: Reply, id: number, text: string) => {
      expectSuccess(reply);
      expectText(reply, text);
      await expectKept(clock, notes, id, text);
      // The page as it comes without a query is looked at together with all others.
      await notes.page();
    };
    const first = `${make.name('note')} ${specials}`;
    const created = await notes.create({ text: first });
    await check('notes-text-characters', () => {
      expectSuccess(created);
      return kept(created, addressOf(created), first);
    });
    expectSuccess(created);
    const id = addressOf(created);
    const edited = (text: string) => async () => kept(await notes.edit(id, { text }), id, text);
    // Quoted as a whole, as a text that was copied out of JSON.
    await check('notes-text-characters', edited(`"${make.name('note')} ${otherSpecials}"`));
    if (effort === 'quick') return;
    // Whole texts that are taken for numbers, nothing or formulas; and very many in one.
    await check('notes-text-characters', edited(wholeText(random)));
    await check('notes-text-characters', edited(`${make.name('note')} ${mixed(random)}`));
    if (effort === 'thorough')
      await check('notes-text-characters', () => property(random, inner, (text) => edited(text)(), 15));

    // What the document does not say: white space at the ends, and blanks beyond space, tab and line break.
    const text = make.name('note');
    const spaced = await notes.edit(id, { text: `  ${text}\n` });
    const back = at(dataOf(spaced), 'text');
    const became = back === `  ${text}\n` ? 'kept' : back === text ? 'trimmed' : 'changed otherwise';
    observe('notes-text-outer-space', wasAccepted(spaced) ? became : answerOf(spaced), spaced);
    const blank = await notes.edit(id, { text: '\u2003\u00a0\u3000' });
    observe('notes-text-unicode-blank', answerOf(blank), blank);
  },
);

/** Beyond 1,000 characters: one more, and about powers of two of bytes. */
const longer = [1001, 4097, 16_385, 65_537, 100_000] as const;

const lengths = conforms(
  'notes-text-long',
  { needs: ['spare', 'spareCompany'], writes: [3, 5, 9] },
  async ({ api, spare, spareCompany, clock, random, make, effort, check }) => {
    const notes = noteList(api.as(spare), random, spareCompany.id);
    const judge = async (length: number, text: string, reply: Reply, id: () => number) => {
      if (length > 1000 && !wasAccepted(reply)) return expectRefused(reply, 400, 413, 422);
      expectSuccess(reply);
      expectText(reply, text);
      await expectKept(clock, notes, id(), text);
    };
    const thousand = long(make.name('note'), '資本と融資 ', 1000);
    const first = await notes.create({ text: thousand });
    await check('notes-text-long', () => judge(1000, thousand, first, () => addressOf(first)));
    if (effort !== 'quick') {
      const large = long(`${make.name('note')} ${attackTexts.join('\n')}`, 'capital and credit ', 5000);
      await check('notes-text-long', async () => {
        const created = await notes.create({ text: large });
        await judge(5000, large, created, () => addressOf(created));
      });
    }
    for (const length of effort === 'thorough' ? longer : effort === 'quick' ? [5000] : [random.pick(longer)])
      await check('notes-text-long', async () => {
        expectSuccess(first);
        const text = long(make.name('note'), 'capital and credit ', length);
        await judge(length, text, await notes.edit(addressOf(first), { text }), () => addressOf(first));
      });
  },
);

export const texts = [characters, lengths];
