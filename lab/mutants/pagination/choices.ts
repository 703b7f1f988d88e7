// Wrong sorted lists, and wrong choices of fields.
import { type Mutant, mutant } from '../mutant.ts';
import {
  companies,
  contacts,
  isLater,
  isSorted,
  onPagination,
  pageOf,
  queried,
  withQuery,
} from '../wrappers/listing.ts';
import { onStatus, onSuccess, type Seen } from '../wrappers/mutator.ts';

type Json = Record<string, unknown>;
const isBoth = (query: URLSearchParams): boolean => query.has('cursor') && query.has('sort');
const hasFields = (query: URLSearchParams): boolean => (query.get('fields') ?? '') !== '';

/** Changes each record of a page. */
const onRecords = (when: (seen: Seen) => boolean, change: (record: Json, seen: Seen) => Json) =>
  onSuccess(when, (json, seen) => ({ ...json, data: (json.data as Json[]).map((one) => change(one, seen)) }));

const sorting: readonly Mutant[] = [
  mutant(
    'pagination-cursor-beats-sort',
    { breaks: ['pagination-cursor-with-sort'] },
    withQuery(pageOf(contacts, isBoth), () => ({ sort: null })),
  ),
  mutant(
    'pagination-sort-beats-cursor',
    { breaks: ['pagination-cursor-with-sort'] },
    withQuery(pageOf(companies, isBoth), () => ({ cursor: null })),
  ),
  mutant(
    'pagination-cursor-with-sort-is-unprocessable',
    { breaks: ['pagination-cursor-with-sort'] },
    onStatus(pageOf(companies, isBoth), 400, 422),
  ),
  mutant(
    'pagination-unsupported-sort-with-cursor-is-served',
    { breaks: ['pagination-cursor-with-sort'], reference: { choices: { sortSupported: false } } },
    withQuery(pageOf(contacts, isBoth), () => ({ sort: null })),
  ),
  mutant(
    'pagination-sorted-lists-have-no-offset',
    { breaks: ['pagination-sort-members'] },
    onPagination(pageOf(companies, isSorted), () => ({ offset: undefined, cursor: null })),
  ),
  mutant(
    'pagination-sorted-lists-always-report-offset-zero',
    { breaks: ['pagination-sort-members'] },
    onPagination(pageOf(contacts, isSorted), () => ({ offset: 0 })),
  ),
  mutant(
    'pagination-sorted-lists-default-to-twenty',
    { breaks: ['pagination-sort-members'] },
    withQuery(
      pageOf(contacts, (query) => isSorted(query) && !query.has('limit')),
      () => ({ limit: '20' }),
    ),
  ),
  mutant('pagination-offset-counts-pages', { breaks: ['pagination-sort-pages'] }, (honest, clock) => {
    const asked = withQuery(pageOf(companies, isSorted), (seen) => ({
      offset: String(Math.floor(Number(queried(seen, 'offset') ?? 0) / 2)),
    }))(honest, clock);
    return onPagination(pageOf(companies, isSorted), (_, seen) => ({
      offset: Number(queried(seen, 'offset') ?? 0),
    }))(asked, clock);
  }),
  mutant(
    'pagination-sorted-lists-always-have-more',
    { breaks: ['pagination-sort-pages'] },
    onPagination(
      pageOf(contacts, (query) => isSorted(query) && query.has('offset')),
      () => ({ has_more: true }),
    ),
  ),
];

const fields: readonly Mutant[] = [
  mutant(
    'pagination-fields-keep-the-times',
    { breaks: ['pagination-fields-restrict'] },
    withQuery(pageOf(companies, hasFields), (seen) => ({
      fields: `${queried(seen, 'fields')},updated_at`,
    })),
  ),
  mutant(
    'pagination-fields-of-contacts-are-ignored-on-first-pages',
    { breaks: ['pagination-fields-restrict'] },
    withQuery(
      pageOf(contacts, (query) => hasFields(query) && !query.has('cursor')),
      () => ({ fields: null }),
    ),
  ),
  mutant(
    'pagination-last-field-is-lost',
    { breaks: ['pagination-fields-kept'] },
    withQuery(pageOf(companies, hasFields), (seen) => {
      const names = (queried(seen, 'fields') ?? '').split(',');
      return { fields: names.length > 1 ? names.slice(0, -1).join(',') : null };
    }),
  ),
  mutant(
    'pagination-chosen-phones-are-empty',
    { breaks: ['pagination-fields-kept'] },
    onRecords(pageOf(contacts, hasFields), (one) => ('contact_type' in one ? { ...one, contact_type: null } : one)),
  ),
  mutant(
    'pagination-fields-are-forgotten-on-later-pages',
    { breaks: ['pagination-fields-later-pages'] },
    withQuery(pageOf(contacts, isLater), () => ({ fields: null })),
  ),
  mutant(
    'pagination-fields-are-forgotten-on-the-third-page',
    { breaks: ['pagination-fields-later-pages'] },
    (honest, clock) => {
      const second = new Set<string>();
      const noting = onSuccess(pageOf(companies), (json, seen) => {
        const { next_cursor } = json.pagination as Json;
        if (hasFields(seen.url.searchParams) && !seen.url.searchParams.has('cursor')) second.add(String(next_cursor));
        return json;
      })(honest, clock);
      const isThird = (query: URLSearchParams) =>
        hasFields(query) && query.has('cursor') && !second.has(query.get('cursor') ?? '');
      return withQuery(pageOf(companies, isThird), () => ({ fields: null }))(noting, clock);
    },
  ),
];

const mutants: readonly Mutant[] = [...sorting, ...fields];

export default mutants;
