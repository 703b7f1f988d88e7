// Wrong ways to create notes and to store their texts.

import { listedToo, mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { instead, onSuccess, page, type When } from '../wrappers/mutator.ts';
import { createNote as create, editNote as edit, notes as list } from '../wrappers/operations.ts';
import { ask, bodyOf, noting, onBody, onRecords, strict, totalOf, twice } from '../wrappers/records.ts';

const textOf = (body: Json): string => (typeof body.text === 'string' ? body.text : '');
const retext = (change: (text: string) => string) => (body: Json) =>
  typeof body.text === 'string' ? { ...body, text: change(body.text) } : body;
/** Changes texts before they are stored, or where they are shown. */
const storing = (when: When, change: (text: string) => string): Wrap => onBody(when, retext(change));
const showing = (when: When, change: (text: string) => string): Wrap => onRecords(when, retext(change));
/** The names that a run gives its notes, with what stands behind them. */
const isName = (text: string): boolean => text.length < 200 && text.startsWith('Covenant');
const lowerName = (text: string): string => (isName(text) ? text.toLowerCase() : text);

const aPage = { 'errors-body-object': 'a page is no error envelope' } as const;
/** A filter before the server, which takes some texts for attacks and answers them with a page. */
const filtering = (operation: string, attack: RegExp): Wrap =>
  instead(operation, (seen) => (attack.test(textOf(bodyOf(seen))) ? page(403, '403 Forbidden') : undefined));

/** The path of the list of notes, from the path of the list or of one note. */
const listOf = (url: URL): string => url.pathname.replace(/\/notes.*$/, '/notes');

/** Applies a wrapper only to companies with exactly `count` notes. */
const whereNotesAre =
  (count: number, wrap: Wrap, operation: string): Wrap =>
  (honest, clock) => {
    const mutated = wrap(honest, clock);
    return instead(operation, async (seen) => {
      const { data } = await ask(honest, seen, 'GET', listOf(seen.url));
      return Array.isArray(data) && data.length === count ? mutated(seen.request.clone()) : undefined;
    })(honest, clock);
  };

/** Adds the note that was last created in another company to lists of two notes. */
const leaking: Wrap = (honest, clock) => {
  const last = new Map<string, Json>();
  const noted = noting(create, (record, { url }) => last.set(listOf(url), record));
  return onSuccess(list, (json, { url }) => {
    const data = json.data as Json[];
    const [foreign] = [...last].filter(([path]) => path !== listOf(url)).slice(-1);
    return totalOf(json) === 2 && foreign ? { ...json, data: [...data, foreign[1]] } : json;
  })(noted(honest, clock), clock);
};

/** Changes the records of lists of exactly two notes; longer lists serve other requirements. */
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

const inCreations = { 'notes-create-text': 'the notes of all cases hold such texts' } as const;
const inEdits = { 'notes-edit-reply': 'the edits of all cases hold such texts' } as const;
const counted = { 'pagination-total-exact': 'the second note counts as well' } as const;

export default mutants({
  'notes-create-id': {
    'notes-create-tells-id-as-text': onRecords(create, (one) => ({ ...one, id: String(one.id) })),
    'notes-create-tells-no-id': onRecords(create, ({ id: _, ...one }) => one),
  },
  'notes-create-text': {
    'notes-create-tells-lower-case': {
      collateral: { 'notes-text-characters': 'its texts begin with the name of the run' },
      wrap: showing(create, lowerName),
    },
    'notes-create-stores-lower-case': {
      collateral: {
        'notes-text-characters': 'its texts begin with the name of the run',
        'idempotency-create-simultaneous': 'its notes are found by their text',
      },
      wrap: storing(create, lowerName),
    },
  },
  'notes-create-once': {
    'notes-create-makes-two-at-first': {
      collateral: { ...counted, 'idempotency-create-replay': 'the first keyed creation makes two as well' },
      wrap: whereNotesAre(0, twice(create), create),
    },
    'notes-create-makes-two-later': {
      collateral: {
        ...counted,
        'idempotency-create-simultaneous': 'it may be the second note of the race',
        'idempotency-create-replay': 'it may be the second note under a key',
      },
      wrap: whereNotesAre(1, twice(create), create),
    },
  },
  'notes-list-contains': {
    'notes-list-lags-six-seconds': listsOfTwo((notes, now) => notes.filter((note) => !isYoung(now)(note))),
    'notes-list-lacks-the-newest': listsOfTwo((notes) => notes.slice(1)),
    'notes-list-lacks-ids': listsOfTwo((notes) => notes.map(({ id: _, ...one }) => one)),
  },
  'notes-list-record': {
    'notes-list-shows-lower-case': listsOfTwo((notes) => notes.map(retext(lowerName))),
  },
  'notes-list-own-company': {
    'notes-list-leaks-of-another-company': leaking,
  },
  'notes-text-characters': {
    'notes-text-of-scripts-is-forbidden-on-edit': {
      collateral: aPage,
      wrap: filtering(edit, /<script|onerror=|javascript:/i),
    },
    'notes-text-of-prose-like-queries-is-forbidden-on-edit': {
      collateral: aPage,
      wrap: filtering(edit, /\b(?:select|drop|union)\b.*\b(?:from|table|select)\b/i),
    },
    'notes-text-of-paths-and-templates-is-forbidden-on-edit': {
      collateral: { ...aPage, 'authentication-alg-none': 'the text is refused before the token is looked at' },
      wrap: filtering(edit, /\.\.\/|\$\(|<%|\$\{jndi/),
    },
    'notes-text-loses-carriage-returns': storing(edit, (text) => text.replaceAll('\r\n', '\n')),
    'notes-text-escapes-markup': {
      collateral: {
        'notes-create-text': 'the notes of all cases hold such texts',
        'notes-edit-effect': 'edited notes hold such texts',
        'notes-edit-reply': 'edited notes hold such texts',
        'idempotency-create-simultaneous': 'the list shows none of the text that was sent',
      },
      wrap: storing([create, edit], (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    },
    'notes-text-unescapes-entities': {
      collateral: inCreations,
      wrap: storing(create, (text) => text.replaceAll('&amp;', '&')),
    },
    'notes-text-strips-tags': {
      collateral: {
        'notes-create-text': 'the notes of all cases hold such texts',
        'notes-edit-reply': 'edited notes hold such texts',
        'notes-text-long': 'a long text may hold such texts, too',
      },
      wrap: storing([create, edit], (text) => text.replace(/<\/?\w+>/g, '')),
    },
    'notes-text-loses-astral-characters': {
      collateral: inEdits,
      wrap: storing(edit, (text) => text.replace(/[\ud800-\udfff]/g, '?')),
    },
    'notes-text-turns-tabs-into-spaces': {
      collateral: inCreations,
      wrap: storing(create, (text) => (text.trim() === '' ? text : text.replaceAll('\t', ' '))),
    },
    'notes-text-joins-lines-in-list': {
      collateral: listedToo,
      wrap: showing(list, (text) => text.replaceAll('\n', ' ')),
    },
    'notes-text-collapses-inner-spaces': {
      collateral: inEdits,
      wrap: storing(edit, (text) => (text.trim() === '' ? text : text.replace(/ {2,}/g, ' '))),
    },
  },
  'notes-text-long': {
    'notes-create-of-prose-like-queries-is-forbidden': {
      collateral: aPage,
      wrap: filtering(create, /\bselect\b.*\bfrom\b|\bor 1=1/i),
    },
    'notes-text-cut-at-999': { collateral: inCreations, wrap: storing(create, (text) => text.slice(0, 999)) },
    'notes-text-cut-at-4096': { collateral: inCreations, wrap: storing(create, (text) => text.slice(0, 4096)) },
    'notes-text-counted-in-bytes': strict(
      create,
      (body) => Buffer.byteLength(textOf(body)) > 2000 && textOf(body).length === 1000,
    ),
    'notes-text-cut-in-list': {
      collateral: listedToo,
      wrap: showing(list, (text) => (text.length > 500 ? `${text.slice(0, 500)}…` : text)),
    },
  },
});
