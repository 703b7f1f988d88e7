// Wrong ways to refuse the text of a note, and what is not there.
import type { Handler } from '../../reference/index.ts';
import { type Mutant, mutant, type Wrap } from '../mutant.ts';
import { altered, instead, onStatus, onSuccess, refusal, type Seen } from '../wrappers/mutator.ts';
import {
  beyondAll,
  bodyOf,
  isJson,
  type Json,
  lenient,
  type Success,
  storesRefused,
  successes,
} from '../wrappers/records.ts';

const list = 'GET /companies/{company_id}/notes';
const create = 'POST /companies/{company_id}/notes';
const edit = 'PATCH /companies/{company_id}/notes/{note_id}';
const remove = 'DELETE /companies/{company_id}/notes/{note_id}';

const isMissing = (body: Json): boolean => !('text' in body);
const isEmpty = (body: Json): boolean => body.text === '';
const isBlank = (body: Json): boolean => typeof body.text === 'string' && body.text !== '' && body.text.trim() === '';
const filled = (body: Json): Json => ({ ...body, text: '-' });
const asText = (body: Json): Json => ({ ...body, text: String(body.text) });
const where = (operation: string, is: (body: Json) => boolean) => (seen: Seen) =>
  seen.operation === operation && isJson(seen.body) && is(seen.body);

/** Wrong answers to wrong texts on one operation. */
const wrongTexts = (name: 'create' | 'edit', operation: string): readonly Mutant[] => [
  mutant(
    `notes-${name}-without-text-is-done`,
    { breaks: [`notes-${name}-missing-text`] },
    lenient(operation, isMissing, filled),
  ),
  mutant(
    `notes-${name}-takes-null-for-text`,
    { breaks: [`notes-${name}-missing-text`] },
    lenient(operation, ({ text }) => text === null, asText),
  ),
  mutant(
    `notes-${name}-takes-number-for-text`,
    { breaks: [`notes-${name}-missing-text`] },
    lenient(operation, ({ text }) => typeof text === 'number', asText),
  ),
  mutant(
    `notes-${name}-takes-array-for-text`,
    { breaks: [`notes-${name}-missing-text`] },
    lenient(operation, ({ text }) => Array.isArray(text), asText),
  ),
  mutant(`notes-${name}-empty-is-done`, { breaks: [`notes-${name}-empty`] }, lenient(operation, isEmpty, filled)),
  mutant(
    `notes-${name}-blank-answers-400`,
    { breaks: [`notes-${name}-blank`] },
    onStatus(where(operation, isBlank), 422, 400),
  ),
  mutant(
    `notes-${name}-takes-tab`,
    { breaks: [`notes-${name}-blank`] },
    lenient(operation, ({ text }) => text === '\t', filled),
  ),
  mutant(
    `notes-${name}-takes-line-break`,
    { breaks: [`notes-${name}-blank`] },
    lenient(operation, ({ text }) => text === '\n', filled),
  ),
  mutant(
    `notes-${name}-refuses-blank-and-stores`,
    { breaks: [`notes-${name}-refused-effect`] },
    storesRefused(where(operation, isBlank), filled),
  ),
  mutant(
    `notes-${name}-refuses-missing-and-stores`,
    { breaks: [`notes-${name}-refused-effect`] },
    storesRefused(where(operation, isMissing), filled),
  ),
];

const status = (code: number) => () => refusal(code, 'WRONG_STATUS', 'Not found');
const pagination = { total: 0, limit: 50, cursor: null, has_more: false, next_cursor: null };

const noteOf = ({ url }: Seen): string => url.pathname.split('/').at(-1) ?? '';
const companyOf = ({ url }: Seen): string => /companies\/([^/]+)/.exec(url.pathname)?.[1] ?? '';

/** Notes by identifier, each with the company that it was made in; the deleted ones too. */
type Homes = ReadonlyMap<string, string>;
type Mutator = (seen: Seen, homes: Homes, honest: Handler) => Promise<Response | undefined>;

const knowing =
  (operation: string, mutator: Mutator): Wrap =>
  (honest, clock) => {
    const homes = new Map<string, string>();
    const noting = onSuccess(create, (json, seen) => {
      homes.set(String((json.data as Json).id), companyOf(seen));
      return json;
    });
    return instead(operation, (seen, inner) => mutator(seen, homes, inner))(noting(honest, clock), clock);
  };

/** Carries out what came under another company's path; `answer` says what is told. */
const ignoringCompany = (operation: string, answer: (done: Response) => Response = (done) => done): Wrap =>
  knowing(operation, async (seen, homes, honest) => {
    const home = homes.get(noteOf(seen));
    const known = new Set(homes.values()).has(companyOf(seen));
    if (home === undefined || !known || home === companyOf(seen)) return undefined;
    const url = seen.url.href.replace(`/companies/${companyOf(seen)}/`, `/companies/${home}/`);
    return answer(await honest(await altered(seen, { url })));
  });

/** Answers otherwise where a note is not found: one that was never made, or one that was deleted. */
const notFound =
  (operation: string, once: boolean, answer: (seen: Seen, success: Success) => Response): Wrap =>
  (honest, clock) => {
    const success = successes(clock);
    const gone = new Set<string>();
    const noting = onSuccess(remove, (json, seen) => {
      gone.add(noteOf(seen));
      return json;
    })(honest, clock);
    return knowing(operation, async (seen, homes, inner) => {
      const response = await inner(seen.request.clone());
      const fits = once ? gone.has(noteOf(seen)) : !homes.has(noteOf(seen));
      const valid = operation === remove || String(bodyOf(seen).text ?? '').trim() !== '';
      return response.status === 404 && fits && valid ? answer(seen, success) : response;
    })(noting, clock);
  };

const deleted = (_: Seen, success: Success) => success({ deleted: true });
const edited = (seen: Seen, success: Success) => success({ id: Number(noteOf(seen)), ...bodyOf(seen) });

const absent: readonly Mutant[] = [
  mutant(
    'notes-list-of-unknown-company-is-empty',
    { breaks: ['notes-unknown-company'] },
    beyondAll(list, (_, success) => success([], { pagination })),
  ),
  mutant(
    'notes-create-at-unknown-company-answers-422',
    { breaks: ['notes-unknown-company'] },
    beyondAll(create, status(422)),
  ),
  mutant(
    'notes-edit-at-unknown-company-answers-403',
    { breaks: ['notes-unknown-company'] },
    beyondAll(edit, status(403)),
  ),
  mutant(
    'notes-delete-at-unknown-company-answers-400',
    { breaks: ['notes-unknown-company'] },
    beyondAll(remove, status(400)),
  ),
  mutant(
    'notes-edit-of-unknown-note-answers-400',
    { breaks: ['notes-unknown-note'] },
    notFound(edit, false, status(400)),
  ),
  mutant('notes-edit-of-unknown-note-makes-it', { breaks: ['notes-unknown-note'] }, notFound(edit, false, edited)),
  mutant('notes-delete-of-unknown-note-is-done', { breaks: ['notes-unknown-note'] }, notFound(remove, false, deleted)),
  mutant('notes-second-deletion-is-done', { breaks: ['notes-deleted-unknown'] }, notFound(remove, true, deleted)),
  mutant('notes-edit-of-deleted-answers-410', { breaks: ['notes-deleted-unknown'] }, notFound(edit, true, status(410))),
  mutant(
    'notes-second-deletion-answers-410',
    { breaks: ['notes-deleted-unknown'] },
    notFound(remove, true, status(410)),
  ),
  mutant('notes-edit-ignores-company', { breaks: ['notes-other-company'] }, ignoringCompany(edit)),
  mutant('notes-delete-ignores-company', { breaks: ['notes-other-company'] }, ignoringCompany(remove)),
  mutant(
    'notes-edit-elsewhere-answers-404-and-edits',
    { breaks: ['notes-other-company'] },
    ignoringCompany(edit, () => refusal(404, 'NOT_FOUND', 'note not found')),
  ),
  mutant(
    'notes-delete-elsewhere-answers-404-and-deletes',
    { breaks: ['notes-other-company'] },
    ignoringCompany(remove, () => refusal(404, 'NOT_FOUND', 'note not found')),
  ),
];

export default [
  ...wrongTexts('create', create),
  ...wrongTexts('edit', edit),
  mutant('notes-edit-empty-answers-422', { breaks: ['notes-edit-empty'] }, onStatus(where(edit, isEmpty), 400, 422)),
  mutant(
    'notes-create-empty-answers-404',
    { breaks: ['notes-create-empty'] },
    onStatus(where(create, isEmpty), 422, 404),
  ),
  ...absent,
];
