// The notes of one company, and cases with texts of every character that software tends to change, and long ones.
import {
  type Api,
  at,
  type Call,
  conforms,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  expectSuccess,
  identifierOf,
  itemsOf,
  type JsonObject,
  listNotes,
  NotTested,
  type Random,
  type Reply,
  traverse,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attackTexts, foreignTexts, mistakenText, trickyTexts } from '../shared/tricky-texts.ts';

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

const lengths = conforms(
  'notes-text-long',
  { needs: ['spare', 'spareCompany'], writes: [3, 5, 9] },
  async ({ api, spare, spareCompany, random, make, effort }) => {
    const notes = noteList(api.as(spare), random, spareCompany.id);
    const send = async (write: Promise<Reply>) => {
      const reply = await write;
      await notes.list();
      return reply;
    };
    const id = addressOf(await send(notes.create({ text: long(make.name('note'), '資本と融資 ', 1000) })));
    const attacks = `${make.name('note')} ${attackTexts.join('\n')}`;
    if (effort !== 'quick') await send(notes.create({ text: long(attacks, 'capital and credit ', 5000) }));
    for (const length of effort === 'thorough' ? longer : effort === 'quick' ? [5000] : [random.pick(longer)])
      await send(notes.edit(id, { text: long(make.name('note'), 'capital and credit ', length) }));
  },
);

export const texts = [characters, lengths];

/** Neither a bound of `limit` nor its default. */
const usualLimit = 150;
const pagesMax = 200;

export type NoteList = ReturnType<typeof noteList>;

export function noteList(api: Api, random: Random, company: number | string) {
  const path = { company_id: company };
  // The document recommends Idempotency-Key on writes: a write without it is valid, too.
  const keyed = () => ({ key: random.int(1, 3) === 1 ? null : random.uuid() });
  const onNote = (note_id: number) => ({ path: { ...path, note_id }, ...keyed() });
  let turn = random.derive('lists').int(0, 2);
  let count = 0;
  return {
    company,
    /** `more`: over what the list would send. */
    create: (body: JsonObject, more?: Call) => api.send(createNote, { path, body, ...keyed(), ...more }),
    edit: (note: number, body: JsonObject, more?: Call) => api.send(editNote, { ...onNote(note), body, ...more }),
    remove: (note: number) => api.send(deleteNote, onNote(note)),
    /** The first page with default parameters. */
    page: () => api.send(listNotes, { path }),
    /** Reads the list to its end and resolves to the identifiers. */
    list: async () => {
      turn += 1;
      // With the default limit, with more than the list has, and with exactly as many as it had.
      const limit = [undefined, usualLimit, count > 1 && count <= 200 ? count : usualLimit][turn % 3];
      const way = { operation: listNotes, path, ...(limit === undefined ? {} : { limit }), mode: 'cursor' } as const;
      const { items } = await traverse(api, { ...way, pagesMax });
      count = items.length;
      return items.map((item) => Number(identifierOf('note', item)));
    },
  };
}

/** Further pages of a list are not read. */
const pagesMaxAtEnd = 10;
/** Companies of others whose notes are read. */
const othersMax = 3;

/** Reads each company's notes in default pages and pages of two, and notes of companies whose ids are prefixes. */
export async function readAtEnd(api: Api, companies: readonly (number | string)[]): Promise<void> {
  for (const company_id of companies) {
    const path = { company_id };
    await api.send(listNotes, { path, exactly: true });
    await traverse(api, { operation: listNotes, path, limit: 2, mode: 'cursor', pagesMax: pagesMaxAtEnd });
  }
  const listed = itemsOf(await api.send('GET /companies', { query: { limit: 200 } }));
  const ids = listed.map((record) => String(identifierOf('company', record) ?? ''));
  const isBeginning = (id: string) => companies.some((own) => String(own) !== id && String(own).startsWith(id));
  for (const company_id of ids.filter((id) => id !== '' && isBeginning(id)).slice(0, othersMax))
    await api.send(listNotes, { path: { company_id } });
}
