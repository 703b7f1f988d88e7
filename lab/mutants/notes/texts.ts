// Wrong ways to create notes and to keep their texts.
import { type Mutant, mutant, type Wrap } from '../mutant.ts';
import { instead, onSuccess } from '../wrappers/mutator.ts';
import { ask, type Json, onBody, onRecords, strict, totalOf, twice } from '../wrappers/records.ts';

const create = 'POST /companies/{company_id}/notes';
const edit = 'PATCH /companies/{company_id}/notes/{note_id}';
const list = 'GET /companies/{company_id}/notes';

const textOf = (body: Json): string => (typeof body.text === 'string' ? body.text : '');
const retext = (change: (text: string) => string) => (body: Json) =>
  typeof body.text === 'string' ? { ...body, text: change(body.text) } : body;
/** The names that a run gives its notes. */
const isName = (text: string): boolean => text.length < 40 && text.startsWith('Covenant');
const lowerName = (text: string): string => (isName(text) ? text.toLowerCase() : text);

/** The path of a note's list, of the note itself or of the list. */
const listOf = (url: URL): string => url.pathname.replace(/\/notes.*$/, '/notes');

/** Changes what happens in companies with so many notes. */
const whereNotesAre =
  (count: number, wrap: Wrap, operation: string): Wrap =>
  (honest, clock) => {
    const mutated = wrap(honest, clock);
    return instead(operation, async (seen) => {
      const { data } = await ask(honest, seen, 'GET', listOf(seen.url));
      return Array.isArray(data) && data.length === count ? mutated(seen.request.clone()) : undefined;
    })(honest, clock);
  };

/** Adds to a list of two notes the note that was made last in another company. */
const leaking: Wrap = (honest, clock) => {
  const last = new Map<string, Json>();
  const noting = onSuccess(create, (json, { url }) => {
    last.set(listOf(url), json.data as Json);
    return json;
  });
  return onSuccess(list, (json, { url }) => {
    const data = json.data as Json[];
    const [foreign] = [...last].filter(([path]) => path !== listOf(url)).slice(-1);
    return totalOf(json) === 2 && foreign ? { ...json, data: [...data, foreign[1]] } : json;
  })(noting(honest, clock), clock);
};

/** Changes the records of lists that have two in all; those of other lists are looked at for other reasons. */
const listsOfTwo =
  (change: (records: readonly Json[], now: number) => readonly Json[]): Wrap =>
  (honest, clock) =>
    onSuccess(list, (json) =>
      totalOf(json) === 2 ? { ...json, data: change(json.data as Json[], clock.now()) } : json,
    )(honest, clock);
const isYoung =
  (now: number) =>
  ({ created_at }: Json) =>
    now - Date.parse(String(created_at)) < 6000;

/** Of the notes that the lists of other areas hold, some are doubled, too. */
const counted = { 'pagination-total-exact': 'The second note counts, too.' } as const;

export default [
  mutant(
    'notes-create-tells-id-as-text',
    { breaks: ['notes-create-id'] },
    onRecords(create, (one) => ({ ...one, id: String(one.id) })),
  ),
  mutant(
    'notes-create-tells-no-id',
    { breaks: ['notes-create-id'] },
    onRecords(create, ({ id: _, ...one }) => one),
  ),
  mutant('notes-create-tells-lower-case', { breaks: ['notes-create-text'] }, onRecords(create, retext(lowerName))),
  mutant('notes-create-stores-lower-case', { breaks: ['notes-create-text'] }, onBody(create, retext(lowerName))),
  mutant(
    'notes-create-makes-two-at-first',
    { breaks: ['notes-create-once'], collateral: counted },
    whereNotesAre(0, twice(create), create),
  ),
  mutant(
    'notes-create-makes-two-later',
    { breaks: ['notes-create-once'], collateral: counted },
    whereNotesAre(1, twice(create), create),
  ),
  mutant(
    'notes-list-lags-six-seconds',
    { breaks: ['notes-list-contains'] },
    listsOfTwo((notes, now) => notes.filter((note) => !isYoung(now)(note))),
  ),
  mutant(
    'notes-list-lacks-the-newest',
    { breaks: ['notes-list-contains'] },
    listsOfTwo((notes) => notes.slice(1)),
  ),
  mutant(
    'notes-list-shows-lower-case',
    { breaks: ['notes-list-record'] },
    listsOfTwo((notes) => notes.map(retext(lowerName))),
  ),
  mutant(
    'notes-list-lacks-ids',
    { breaks: ['notes-list-contains'] },
    listsOfTwo((notes) => notes.map(({ id: _, ...one }) => one)),
  ),
  mutant('notes-list-leaks-of-another-company', { breaks: ['notes-list-own-company'] }, leaking),

  mutant(
    'notes-text-loses-carriage-returns',
    { breaks: ['notes-text-characters'] },
    onBody(
      edit,
      retext((text) => text.replaceAll('\r\n', '\n')),
    ),
  ),
  mutant(
    'notes-text-escapes-markup',
    { breaks: ['notes-text-characters'] },
    onBody(
      [create, edit],
      retext((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    ),
  ),
  mutant(
    'notes-text-unescapes-entities',
    { breaks: ['notes-text-characters'] },
    onBody(
      create,
      retext((text) => text.replaceAll('&amp;', '&')),
    ),
  ),
  mutant(
    'notes-text-strips-tags',
    { breaks: ['notes-text-characters'] },
    onBody(
      [create, edit],
      retext((text) => text.replace(/<\/?\w+>/g, '')),
    ),
  ),
  mutant(
    'notes-text-loses-astral-characters',
    { breaks: ['notes-text-characters'] },
    onBody(
      edit,
      retext((text) => text.replace(/[\ud800-\udfff]/g, '?')),
    ),
  ),
  mutant(
    'notes-text-turns-tabs-into-spaces',
    { breaks: ['notes-text-characters'] },
    onBody(
      create,
      retext((text) => (text.trim() === '' ? text : text.replaceAll('\t', ' '))),
    ),
  ),
  mutant(
    'notes-text-joins-lines-in-list',
    { breaks: ['notes-text-characters'] },
    onRecords(
      list,
      retext((text) => text.replaceAll('\n', ' ')),
    ),
  ),
  mutant(
    'notes-text-collapses-inner-spaces',
    { breaks: ['notes-text-characters'] },
    onBody(
      edit,
      retext((text) => (text.trim() === '' ? text : text.replace(/ {2,}/g, ' '))),
    ),
  ),

  mutant(
    'notes-text-cut-at-999',
    { breaks: ['notes-text-long'] },
    onBody(
      create,
      retext((text) => text.slice(0, 999)),
    ),
  ),
  mutant(
    'notes-text-cut-at-4096',
    { breaks: ['notes-text-long'] },
    onBody(
      create,
      retext((text) => text.slice(0, 4096)),
    ),
  ),
  mutant(
    'notes-text-counted-in-bytes',
    { breaks: ['notes-text-long'] },
    strict(create, (body) => Buffer.byteLength(textOf(body)) > 2000 && textOf(body).length === 1000),
  ),
  mutant(
    'notes-text-cut-in-list',
    { breaks: ['notes-text-long'] },
    onRecords(
      list,
      retext((text) => (text.length > 500 ? `${text.slice(0, 500)}…` : text)),
    ),
  ),
] as readonly Mutant[];
