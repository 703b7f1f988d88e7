// Wrong ways to refuse the text of a note, and to answer for records that do not exist.

import type { Handler } from '../../reference/index.ts';
import { listedToo, mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, instead, lastSegment, onStatus, refusal, type Seen, type When } from '../wrappers/mutator.ts';
import { createNote as create, editNote as edit, notes as list, deleteNote as remove } from '../wrappers/operations.ts';
import {
  beyondAll,
  bodyOf,
  lenient,
  noting,
  type Success,
  storesRefused,
  successes,
  whereBody,
} from '../wrappers/records.ts';

const isMissing = (body: Json): boolean => !('text' in body);
const isEmpty = (body: Json): boolean => body.text === '';
const isBlank = (body: Json): boolean => typeof body.text === 'string' && body.text !== '' && body.text.trim() === '';
const filled = (body: Json): Json => ({ ...body, text: '-' });
const asText = (body: Json): Json => ({ ...body, text: String(body.text) });

/** Wrong answers to wrong texts on one operation, by what is wrong with the text. */
const wrongTexts = <Stored>(name: 'create' | 'edit', operation: string, storing: (when: When) => Stored) => ({
  missing: {
    [`notes-${name}-without-text-is-done`]: lenient(operation, isMissing, filled),
    [`notes-${name}-takes-null-for-text`]: lenient(operation, ({ text }) => text === null, asText),
    [`notes-${name}-takes-number-for-text`]: lenient(operation, ({ text }) => typeof text === 'number', asText),
    [`notes-${name}-takes-array-for-text`]: lenient(operation, ({ text }) => Array.isArray(text), asText),
  },
  empty: { [`notes-${name}-empty-is-done`]: lenient(operation, isEmpty, filled) },
  blank: {
    [`notes-${name}-blank-answers-400`]: onStatus(whereBody(operation, isBlank), 422, 400),
    [`notes-${name}-takes-tab`]: lenient(operation, ({ text }) => text === '\t', filled),
    [`notes-${name}-takes-line-break`]: lenient(operation, ({ text }) => text === '\n', filled),
  },
  refused: {
    [`notes-${name}-refuses-blank-and-stores`]: storing(whereBody(operation, isBlank)),
    [`notes-${name}-refuses-missing-and-stores`]: storing(whereBody(operation, isMissing)),
  },
});
const created = wrongTexts('create', create, (when) => storesRefused(when, filled));
const changed = wrongTexts('edit', edit, (when) => ({ collateral: listedToo, wrap: storesRefused(when, filled) }));

const status = (code: number) => () => refusal(code, 'WRONG_STATUS', 'Not found');
const pagination = { total: 0, limit: 50, cursor: null, has_more: false, next_cursor: null };

const companyOf = ({ url }: Seen): string => /companies\/([^/]+)/.exec(url.pathname)?.[1] ?? '';

/** The company that each note was created in, by the identifier of the note; deleted notes included. */
type Homes = ReadonlyMap<string, string>;
type Mutator = (seen: Seen, homes: Homes, honest: Handler) => Promise<Response | undefined>;

const knowing =
  (operation: string, mutator: Mutator): Wrap =>
  (honest, clock) => {
    const homes = new Map<string, string>();
    const noted = noting(create, (record, seen) => homes.set(String(record.id), companyOf(seen)));
    return instead(operation, (seen, inner) => mutator(seen, homes, inner))(noted(honest, clock), clock);
  };

/** A note that is gone is missing everywhere, and whoever edits it is refused for that. */
const goneElsewhere = {
  'notes-others-untouched': 'the note is missing in the lists of its own company',
  'notes-edit-missing-text': 'a note that is gone cannot be edited',
  'notes-edit-empty': 'a note that is gone cannot be edited',
};

/** Carries out requests under another company's path; `answer` makes the reply. */
const ignoringCompany = (operation: string, answer: (done: Response) => Response = (done) => done): Wrap =>
  knowing(operation, async (seen, homes, honest) => {
    const home = homes.get(lastSegment(seen));
    const known = new Set(homes.values()).has(companyOf(seen));
    if (home === undefined || !known || home === companyOf(seen)) return undefined;
    const url = seen.url.href.replace(`/companies/${companyOf(seen)}/`, `/companies/${home}/`);
    return answer(await honest(await altered(seen, { url })));
  });

/** Changes the reply where a note is not found: one that never existed or, with `once`, one that was deleted. */
const notFound =
  (operation: string, once: boolean, answer: (seen: Seen, success: Success) => Response): Wrap =>
  (honest, clock) => {
    const success = successes(clock);
    const gone = new Set<string>();
    const noted = noting(remove, (_, seen) => gone.add(lastSegment(seen)))(honest, clock);
    return knowing(operation, async (seen, homes, inner) => {
      const response = await inner(seen.request.clone());
      const fits = once ? gone.has(lastSegment(seen)) : !homes.has(lastSegment(seen));
      const valid = operation === remove || String(bodyOf(seen).text ?? '').trim() !== '';
      return response.status === 404 && fits && valid ? answer(seen, success) : response;
    })(noted, clock);
  };

const deleted = (_: Seen, success: Success) => success({ deleted: true });
const edited = (seen: Seen, success: Success) => success({ id: Number(lastSegment(seen)), ...bodyOf(seen) });

export default mutants({
  'notes-create-missing-text': created.missing,
  'notes-create-empty': {
    ...created.empty,
    'notes-create-empty-answers-404': onStatus(whereBody(create, isEmpty), 422, 404),
  },
  'notes-create-blank': created.blank,
  'notes-create-refused-effect': created.refused,
  'notes-edit-missing-text': changed.missing,
  'notes-edit-empty': {
    ...changed.empty,
    'notes-edit-empty-answers-422': onStatus(whereBody(edit, isEmpty), 400, 422),
  },
  'notes-edit-blank': changed.blank,
  'notes-edit-refused-effect': changed.refused,
  'notes-unknown-company': {
    'notes-list-of-unknown-company-is-empty': beyondAll(list, (_, success) => success([], { pagination })),
    'notes-create-at-unknown-company-answers-422': beyondAll(create, status(422)),
    'notes-edit-at-unknown-company-answers-403': beyondAll(edit, status(403)),
    'notes-delete-at-unknown-company-answers-400': beyondAll(remove, status(400)),
  },
  'notes-unknown-note': {
    'notes-edit-of-unknown-note-answers-400': notFound(edit, false, status(400)),
    'notes-edit-of-unknown-note-makes-it': notFound(edit, false, edited),
    'notes-delete-of-unknown-note-is-done': notFound(remove, false, deleted),
  },
  'notes-deleted-unknown': {
    'notes-second-deletion-is-done': {
      collateral: { 'notes-delete-lasting': 'the note is deleted once more when all else is over' },
      wrap: notFound(remove, true, deleted),
    },
    'notes-edit-of-deleted-answers-410': notFound(edit, true, status(410)),
    'notes-second-deletion-answers-410': notFound(remove, true, status(410)),
  },
  'notes-other-company': {
    'notes-edit-ignores-company': { collateral: listedToo, wrap: ignoringCompany(edit) },
    'notes-delete-ignores-company': { collateral: goneElsewhere, wrap: ignoringCompany(remove) },
    'notes-edit-elsewhere-answers-404-and-edits': {
      collateral: listedToo,
      wrap: ignoringCompany(edit, () => refusal(404, 'NOT_FOUND', 'note not found')),
    },
    'notes-delete-elsewhere-answers-404-and-deletes': {
      collateral: goneElsewhere,
      wrap: ignoringCompany(remove, () => refusal(404, 'NOT_FOUND', 'note not found')),
    },
  },
});
