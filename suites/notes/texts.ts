// Cases with texts of every character that software tends to change, and with long ones.
import {
  at,
  type Call,
  conforms,
  dataOf,
  expectSuccess,
  identifierOf,
  NotTested,
  type Random,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attackTexts, foreignTexts, mistakenText, trickyTexts } from '../shared/tricky-texts.ts';
import { noteList } from './note-list.ts';

const specials = 'Rates:\n\t5% & 6% <b>fixed</b> &amp; "floating",\r\n\'capped\'\\net \u{1d11e} \u{1f3e6} 資本 ñ';
const otherSpecials =
  'First\r\n\r\nnext  \n\n\n\n\t  last </script> {{x}} %20 \\n \\" ‘quoted’  twice  spaced \u{1f469}\u{200d}\u{1f4bc} مرحبا';
const pieces = [
  ...['\n', '\n\n\n', ' \n', '\t', '"', "'", '\\', '<', '>', '&', '%', ' ', 'é', '資', '\u{1f3e6}'],
  ...['&lt;', '\\u0041', 'null'],
];
/** Of a thorough run: the number of texts made of pieces, and the most pieces in one. */
const [textsOfPieces, piecesMax] = [15, 40];
/** Separators that must be kept, too: empty lines, and blanks at the ends of lines. */
const gaps = [' ', '\n', '\t', ' | ', '\n\n\n', '  \n', '\n    ', '\r\n', '\r\n\r\n\r\n'];

/** Many tricky texts in one note. */
function mixed(random: Random): string {
  const between = random.shuffled(gaps);
  return random
    .shuffled([...trickyTexts(random, 12), ...foreignTexts(random, 5), ...attackTexts])
    .reduce((text, part, place) => `${text}${between[place % between.length]}${part}`);
}

/** Never blank, and without white space at its ends. */
const ofPieces = (random: Random): string =>
  `a${Array.from({ length: random.int(1, piecesMax) }, () => random.pick(pieces as [string, ...string[]])).join('')}z`;

/** The identifier of the note; throws where there is none. */
function addressOf(reply: Reply): number {
  expectSuccess(reply);
  const id = identifierOf('note', dataOf(reply));
  if (typeof id !== 'number') throw new NotTested('the new note has no identifier to find it by');
  return id;
}

const characters = conforms(
  ['notes-text-characters', 'notes-text-outer-space', 'notes-text-unicode-blank'],
  {
    needs: ['spare', 'spareCompany'],
    writes: [3, 7, 22],
    beyondQuick: ['notes-text-outer-space', 'notes-text-unicode-blank'],
  },
  async ({ api, spare, spareCompany, random, make, effort, observe }) => {
    const notes = noteList(api.as(spare), random, spareCompany.id);
    const send = async (write: Promise<Reply>) => {
      const reply = await write;
      await notes.list();
      await notes.page();
      return reply;
    };
    const id = addressOf(await send(notes.create({ text: `${make.name('note')} ${specials}` })));
    // In quotes as a whole, like a JSON string.
    const texts = [`"${make.name('note')} ${otherSpecials}"`];
    // A text that is mistaken for something else; and many in one.
    if (effort !== 'quick') texts.push(mistakenText(random), `${make.name('note')} ${mixed(random)}`);
    if (effort === 'thorough') texts.push(...Array.from({ length: textsOfPieces }, () => ofPieces(random)));
    for (const text of texts) await send(notes.edit(id, { text }));
    if (effort === 'quick') return;

    // Undocumented: white space at the ends, and blanks other than space, tab and line break.
    const text = make.name('note');
    const spaced = await notes.edit(id, { text: `  ${text}\n` });
    const back = at(dataOf(spaced), 'text');
    const became = back === `  ${text}\n` ? 'kept' : back === text ? 'trimmed' : 'changed otherwise';
    observe('notes-text-outer-space', wasAccepted(spaced) ? became : answerOf(spaced), spaced);
    const blank = await notes.edit(id, { text: '\u2003\u00a0\u3000' });
    observe('notes-text-unicode-blank', answerOf(blank), blank);
  },
);

/** A text of this length whose end shows whether it was cut. */
const long = (start: string, filling: string, length: number): string =>
  `${start} ${filling.repeat(length)}`
    .slice(0, length - 4)
    .trimEnd()
    .padEnd(length - 4, 'x')
    .concat(' end');

/** Longer than 1,000 characters, near powers of two. */
const longer = [1001, 4097, 16_385, 65_537, 100_000] as const;

/** Where a program decodes a body in blocks, by themselves, the first of them ends within a character of this text. */
function acrossBlocks(name: string, length: number): string {
  const before = Buffer.byteLength(JSON.stringify({ text: name })) - '"}'.length;
  const start = name + ' '.padEnd(1 + ((blockSize - before - 2) % 3), 'x');
  return start.padEnd(length, '資');
}
/** In bytes. Each letter has three. */
const blockSize = 4096;
/** Otherwise the client spells members and texts in other ways. */
const spelled = (text: string): Call => ({ text: JSON.stringify({ text }), exactly: true });

const lengths = conforms(
  'notes-text-long',
  { needs: ['spare', 'spareCompany'], writes: [3, 5, 10] },
  async ({ api, spare, spareCompany, random, make, effort }) => {
    const notes = noteList(api.as(spare), random, spareCompany.id);
    const send = async (write: Promise<Reply>) => {
      const reply = await write;
      await notes.list();
      return reply;
    };
    const id = addressOf(await send(notes.create({ text: long(make.name('note'), '資本と融資 ', 1000) })));
    if (effort === 'quick')
      return void (await send(notes.edit(id, { text: long(make.name('note'), 'capital and credit ', 5000) })));
    // A server may take the shorter one alone.
    const longest = acrossBlocks(`${make.name('note')} ${attackTexts.join('\n')}`, 5000);
    const shorter = acrossBlocks(make.name('note'), 1500);
    await send(notes.create({ text: longest }, spelled(longest)));
    await send(notes.edit(id, { text: shorter }, spelled(shorter)));
    for (const length of effort === 'thorough' ? longer : [])
      await send(notes.edit(id, { text: long(make.name('note'), 'capital and credit ', length) }));
  },
);

export const texts = [characters, lengths];
