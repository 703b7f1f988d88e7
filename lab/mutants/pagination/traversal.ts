// Wrong traversals: records lost or shown twice, totals and ends that are not true, pages that shift under changes.
import { type Mutant, mutant } from '../mutant.ts';
import {
  behind,
  below,
  companies,
  contacts,
  isFirst,
  isLater,
  type Mark,
  notes,
  onPagination,
  paged,
  pageOf,
  queried,
} from '../wrappers/listing.ts';
import { instead, onSuccess, refusal } from '../wrappers/mutator.ts';

type Json = Record<string, unknown>;

const updated = ({ updated_at }: Json): string => String(updated_at);
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
/** The most recently edited first. */
const byEdit = (one: Json, other: Json): number =>
  compare(updated(other), updated(one)) || Number(other.id) - Number(one.id);
const byCreation = (one: Json, other: Json): number => Number(one.id) - Number(other.id);

const atOffset = (_: readonly Json[], { offset }: Mark): number => offset;
/** The last record again, where a page has room for another one. */
const atBorder = (_: readonly Json[], { offset, limit }: Mark): number => (limit > 1 ? offset - 1 : offset);
const isPaged = (query: URLSearchParams): boolean => query.has('limit') && !query.has('sort');

const walks: readonly Mutant[] = [
  mutant(
    'pagination-notes-skip-one-between-pages',
    { breaks: ['pagination-traversal-complete'] },
    paged(notes, { start: (all, { offset }) => (offset + 1 < all.length ? offset + 1 : offset) }),
  ),
  mutant(
    'pagination-contacts-skip-one-between-pages',
    { breaks: ['pagination-traversal-complete'] },
    paged(contacts, { start: (all, { offset }) => (offset + 1 < all.length ? offset + 1 : offset) }),
  ),
  mutant(
    'pagination-cursor-loses-its-plus-signs',
    { breaks: ['pagination-traversal-complete'], reference: { choices: { cursorAlphabet: 'base64' } } },
    instead(
      pageOf(notes, (query) => /[+/]/.test(query.get('cursor') ?? '')),
      () => refusal(400, 'BAD_REQUEST', 'cursor is invalid'),
    ),
  ),
  mutant(
    'pagination-notes-show-the-border-twice',
    { breaks: ['pagination-traversal-once'] },
    paged(notes, { start: atBorder }),
  ),
  mutant(
    'pagination-companies-show-the-border-twice',
    { breaks: ['pagination-traversal-once'] },
    paged(companies, { start: atBorder }),
  ),
  mutant(
    'pagination-notes-begin-again-after-the-last',
    { breaks: ['pagination-traversal-ends'] },
    paged(notes, { start: (all, { offset }) => offset % all.length, endless: true }),
  ),
  mutant(
    'pagination-list-of-nothing-is-not-found',
    { breaks: ['pagination-list-empty'] },
    (honest) => async (request) => {
      const response = await honest(request);
      const { pathname, search } = new URL(request.url);
      if (request.method !== 'GET' || !pathname.endsWith('/notes') || search !== '' || !response.ok) return response;
      const { data } = (await response.clone().json()) as { data: Json[] };
      return data.length > 0 ? response : refusal(404, 'NOT_FOUND', 'no notes');
    },
  ),
  mutant(
    'pagination-list-of-nothing-has-more',
    { breaks: ['pagination-list-empty'] },
    onPagination(pageOf(notes, isFirst), ({ total }) => (total === 0 ? { total: 1 } : {})),
  ),
];

const changes: readonly Mutant[] = [
  mutant(
    'pagination-notes-count-positions',
    { breaks: ['pagination-stable-inserts', 'pagination-stable-deletes'] },
    paged(notes, { start: atOffset }),
  ),
  mutant(
    'pagination-companies-count-positions',
    { breaks: ['pagination-stable-inserts'] },
    paged(companies, { start: atOffset }),
  ),
  mutant(
    'pagination-contacts-count-positions',
    { breaks: ['pagination-stable-inserts'] },
    paged(contacts, { start: atOffset }),
  ),
  mutant(
    'pagination-notes-count-positions-oldest-first',
    { breaks: ['pagination-stable-deletes'] },
    paged(notes, { order: byCreation, start: atOffset }),
  ),
  mutant(
    'pagination-notes-are-ordered-by-edit',
    { breaks: ['pagination-stable-edits'] },
    paged(notes, {
      order: byEdit,
      start: (all, { last }) => {
        const place = all.findIndex((one) => byEdit(one, last) > 0);
        return place < 0 ? all.length : place;
      },
    }),
  ),
  mutant(
    'pagination-companies-are-ordered-by-edit',
    { breaks: ['pagination-stable-edits'] },
    paged(companies, { order: byEdit, start: (all, mark) => behind(all, mark) }),
  ),
  mutant(
    'pagination-notes-lose-their-place-with-the-border',
    { breaks: ['pagination-stable-deletes'] },
    paged(notes, { start: (all, mark) => behind(all, mark) ?? 0 }),
  ),
  mutant(
    'pagination-notes-end-with-the-border',
    { breaks: ['pagination-stable-deletes'] },
    paged(notes, { start: (all, mark) => behind(all, mark) ?? all.length }),
  ),
  mutant(
    'pagination-new-notes-break-cursors',
    { breaks: ['pagination-stable-inserts'] },
    paged(notes, {
      start: (all, mark) =>
        all.findIndex(({ id }) => id === mark.last.id) >= mark.offset ? undefined : below(all, mark),
    }),
  ),
];

const totals: readonly Mutant[] = [
  mutant(
    'pagination-total-is-one-too-many',
    { breaks: ['pagination-total-exact'] },
    onPagination(pageOf(notes), ({ total }) => ({ total: Number(total) > 0 ? Number(total) + 1 : 0 })),
  ),
  mutant(
    'pagination-team-total-is-one-too-few',
    { breaks: ['pagination-total-exact'] },
    onPagination(pageOf('GET /account/team'), ({ total }) => ({ total: Number(total) - 1 })),
  ),
  mutant('pagination-total-counts-deleted-notes', { breaks: ['pagination-total-exact'] }, (honest, clock) => {
    let gone = new Map<string, number>();
    const counting = onSuccess('DELETE /companies/{company_id}/notes/{note_id}', (json, { url }) => {
      const company = url.pathname.split('/').at(-3) ?? '';
      gone = new Map([...gone, [company, (gone.get(company) ?? 0) + 1]]);
      return json;
    })(honest, clock);
    return onPagination(pageOf(notes), ({ total }, { url }) => ({
      total: Number(total) + (gone.get(url.pathname.split('/').at(-2) ?? '') ?? 0),
    }))(counting, clock);
  }),
  mutant(
    'pagination-total-is-what-remains',
    { breaks: ['pagination-total-constant'] },
    onPagination(pageOf(contacts, isLater), ({ total }, seen) => ({
      total: Math.max(0, Number(total) - Number(queried(seen, 'limit') ?? 50)),
    })),
  ),
  mutant(
    'pagination-total-is-of-the-page-on-the-last-page',
    { breaks: ['pagination-total-constant'] },
    onPagination(pageOf(notes, isLater), ({ has_more }, _, data) => (has_more ? {} : { total: data.length })),
  ),
  mutant(
    'pagination-companies-end-on-the-second-page',
    { breaks: ['pagination-has-more-remains'] },
    onPagination(pageOf(companies, isLater), () => ({ has_more: false, next_cursor: null })),
  ),
  mutant(
    'pagination-notes-end-one-page-early',
    { breaks: ['pagination-has-more-remains'] },
    onPagination(pageOf(notes, isPaged), ({ has_more, total }, seen, data) => {
      const limit = Number(queried(seen, 'limit'));
      return has_more && data.length === limit && limit === Number(total) - 1
        ? { has_more: false, next_cursor: null }
        : {};
    }),
  ),
  mutant('pagination-full-last-pages-have-more', { breaks: ['pagination-has-more-last'] }, (honest, clock) => {
    const ended = 'ZW5kZWQ';
    const wrap = onPagination(pageOf(notes, isPaged), ({ has_more }, seen, data) =>
      !has_more && data.length === Number(queried(seen, 'limit')) ? { has_more: true, next_cursor: ended } : {},
    )(honest, clock);
    return instead(
      pageOf(notes, (query) => query.get('cursor') === ended),
      async (seen, server) => {
        const url = new URL(seen.url);
        url.searchParams.delete('cursor');
        const response = await server(new Request(url, { headers: seen.request.headers }));
        const json = (await response.json()) as Json;
        const pagination = { ...(json.pagination as Json), cursor: ended, has_more: false, next_cursor: null };
        return Response.json({ ...json, data: [], pagination });
      },
    )(wrap, clock);
  }),
];

const mutants: readonly Mutant[] = [...walks, ...changes, ...totals];

export default mutants;
