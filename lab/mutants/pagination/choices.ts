// Wrong sorted lists, and wrong choices of fields.

import { mutants } from '../mutant.ts';
import { isLater, isSorted, onPagination, pageOf, queried, sortedBy, withQuery } from '../wrappers/listing.ts';
import type { Json } from '../wrappers/mutator.ts';
import { onStatus, onSuccess, type Seen } from '../wrappers/mutator.ts';
import { companies, contacts } from '../wrappers/operations.ts';
import { onRecords } from '../wrappers/records.ts';

const isBoth = (query: URLSearchParams): boolean => query.has('cursor') && query.has('sort');
/** Both, and the query begins with the cursor. */
const isCursorFirst = (query: URLSearchParams): boolean => isBoth(query) && [...query.keys()][0] === 'cursor';
const hasFields = (query: URLSearchParams): boolean => (query.get('fields') ?? '') !== '';

/** The text of `fields` as it was sent, where a comma that is not encoded divides nothing. */
function dividedByEncodedCommas({ request }: Seen): string | null {
  const [, sent = ''] = /[?&]fields=([^&#]*)/.exec(request.url) ?? [];
  return new URLSearchParams(`fields=${sent.replaceAll(',', ';')}`).get('fields');
}

/** The second page begins with the last record of the first. */
const borderTwiceByLastEdit = sortedBy(companies, 'updated_at', (offset, limit) =>
  offset === limit ? offset - 1 : offset,
);

const byLastEdit =
  'A thorough run finds it; a standard run reads few pages by the time of the last edit, and none that it can compare.';

export default mutants({
  'pagination-cursor-with-sort': {
    'pagination-cursor-beats-sort': withQuery(pageOf(contacts, isBoth), () => ({ sort: null })),
    'pagination-sort-beats-cursor': withQuery(pageOf(companies, isBoth), () => ({ cursor: null })),
    'pagination-cursor-with-sort-is-unprocessable': onStatus(pageOf(companies, isBoth), 400, 422),
    'pagination-cursor-before-sort-is-served': withQuery(pageOf([companies, contacts], isCursorFirst), () => ({
      sort: null,
    })),
    'pagination-unsupported-sort-with-cursor-is-served': {
      reference: { choices: { sortSupported: false } },
      wrap: withQuery(pageOf(contacts, isBoth), () => ({ sort: null })),
    },
  },
  'pagination-sort-members': {
    'pagination-sorted-lists-have-no-offset': onPagination(pageOf(companies, isSorted), () => ({
      offset: undefined,
      cursor: null,
    })),
    'pagination-sorted-lists-always-report-offset-zero': onPagination(pageOf(contacts, isSorted), () => ({
      offset: 0,
    })),
    'pagination-sorted-lists-default-to-twenty': withQuery(
      pageOf(contacts, (query) => isSorted(query) && !query.has('limit')),
      () => ({ limit: '20' }),
    ),
  },
  'pagination-sort-pages': {
    'pagination-offset-counts-pages': (honest, clock) => {
      const asked = withQuery(pageOf(companies, isSorted), (seen) => ({
        offset: String(Math.floor(Number(queried(seen, 'offset') ?? 0) / 2)),
      }))(honest, clock);
      return onPagination(pageOf(companies, isSorted), (_, seen) => ({
        offset: Number(queried(seen, 'offset') ?? 0),
      }))(asked, clock);
    },
    'pagination-second-page-by-last-edit-begins-with-the-border': { notFound: byLastEdit, wrap: borderTwiceByLastEdit },
    'pagination-second-page-by-last-edit-begins-with-the-border-and-nothing-else-sorts': {
      notFound: byLastEdit,
      reference: { choices: { sortSupported: false } },
      wrap: borderTwiceByLastEdit,
    },
    'pagination-sorted-lists-always-have-more': onPagination(
      pageOf(contacts, (query) => isSorted(query) && query.has('offset')),
      () => ({ has_more: true }),
    ),
  },
  'pagination-fields-restrict': {
    'pagination-fields-keep-the-times': withQuery(pageOf(companies, hasFields), (seen) => ({
      fields: `${queried(seen, 'fields')},updated_at`,
    })),
    'pagination-fields-of-contacts-are-ignored-on-first-pages': withQuery(
      pageOf(contacts, (query) => hasFields(query) && !query.has('cursor')),
      () => ({ fields: null }),
    ),
  },
  'pagination-fields-kept': {
    'pagination-fields-are-divided-by-encoded-commas-only': {
      collateral: {
        'companies-list-record': 'a listed company lacks what it was asked for',
        'contacts-list-record': 'a listed contact lacks what it was asked for',
      },
      wrap: withQuery(pageOf([companies, contacts], hasFields), (seen) => ({ fields: dividedByEncodedCommas(seen) })),
    },
    'pagination-last-field-is-lost': {
      collateral: {
        'companies-list-record': 'what was written last is compared with every list that shows the company',
        'pagination-fields-restrict': 'where one field is asked for, none is left, and all are shown',
      },
      wrap: withQuery(pageOf(companies, hasFields), (seen) => {
        const names = (queried(seen, 'fields') ?? '').split(',');
        return { fields: names.length > 1 ? names.slice(0, -1).join(',') : null };
      }),
    },
    'pagination-chosen-phones-are-empty': {
      collateral: {
        'contacts-list-record': 'what was written last is compared with every list that shows the contact',
      },
      wrap: onRecords(pageOf(contacts, hasFields), (one) =>
        'contact_type' in one ? { ...one, contact_type: null } : one,
      ),
    },
  },
  'pagination-fields-later-pages': {
    'pagination-fields-are-forgotten-on-later-pages': withQuery(pageOf(contacts, isLater), () => ({ fields: null })),
    'pagination-fields-are-forgotten-on-the-third-page': (honest, clock) => {
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
  },
});
