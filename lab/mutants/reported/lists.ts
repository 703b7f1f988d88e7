// Defects of lists and cursors that users of real software have reported.

import { mutants, type Wrap } from '../mutant.ts';
import { below, isSorted, limitOf, onPagination, paged, pageOf, queried, requery, whole } from '../wrappers/listing.ts';
import type { Json } from '../wrappers/mutator.ts';
import { instead, page, rewritten } from '../wrappers/mutator.ts';
import { companies, contacts, deleteNote, keys, notes, team } from '../wrappers/operations.ts';
import { noting, totalOf } from '../wrappers/records.ts';

const cursorLists = [companies, contacts, notes];
const unsorted = (query: URLSearchParams): boolean => !query.has('sort');
const isWhole = (text: string | null): boolean => /^-?\d+$/.test(text ?? '');

/** The same wrapper for every list that has cursors. */
const onEach =
  (wrap: (list: string) => Wrap): Wrap =>
  (honest, clock) =>
    cursorLists.reduce((inner, list) => wrap(list)(inner, clock), honest);

const secondOf = ({ created_at }: Json): string => String(created_at).slice(0, 19);

/** The page after a record begins with what was made in an earlier second, as where a cursor holds nothing but that time. */
const bySeconds = (list: string): Wrap =>
  paged(list, {
    start: (all, { last }) => {
      const place = all.findIndex((one) => secondOf(one) < secondOf(last));
      return place < 0 ? all.length : place;
    },
  });

const oldestFirst = (one: Json, other: Json): number => Number(one.id) - Number(other.id);

/** The cursor has lost a part of the time of the last record, which therefore comes again as the first one. */
const repeatingTheLast = (list: string): Wrap =>
  paged(list, {
    order: oldestFirst,
    start: (all, { last }) => {
      const place = all.findIndex(({ id }) => Number(id) >= Number(last.id));
      return place < 0 ? all.length : place;
    },
  });

const cursorBehind = (last: Json | undefined): string => Buffer.from(JSON.stringify({ last })).toString('base64');

/** A page that is full is taken for one with another behind it. */
const guessingMore =
  (list: string): Wrap =>
  (honest, clock) =>
    onPagination(pageOf(list, unsorted), ({ limit, next_cursor }, _, data) =>
      data.length === limit ? { has_more: true, next_cursor: next_cursor ?? cursorBehind(data.at(-1)) } : {},
    )(paged(list, { start: below })(honest, clock), clock);

/** Deleted notes are only marked, and the count does not look at the mark. */
const countingDeleted: Wrap = (honest, clock) => {
  const deleted = new Map<string, number>();
  const noted = noting(deleteNote, (_, { url }) => {
    const list = url.pathname.slice(0, url.pathname.lastIndexOf('/'));
    deleted.set(list, (deleted.get(list) ?? 0) + 1);
  })(honest, clock);
  return onPagination(pageOf(notes), ({ total }, { url }) => ({
    total: Number(total) + (deleted.get(url.pathname) ?? 0),
  }))(noted, clock);
};

/** No limit below 1 is a limit. */
const everythingBelowOne: Wrap = instead(
  pageOf(cursorLists, (query) => unsorted(query) && isWhole(query.get('limit')) && Number(query.get('limit')) < 1),
  async (seen, honest) => {
    const { response, json, records } = await whole(seen, honest);
    if (!response.ok) return response;
    const limit = Number(queried(seen, 'limit'));
    const pagination = { total: records.length, limit, cursor: null, has_more: false, next_cursor: null };
    return rewritten(response, { ...json, data: records, pagination });
  },
);

const mostServed = 100;

/** Serves a hundred records at most, and compares the total with what was asked for. */
const cappedAtHundred: Wrap = instead(
  pageOf(cursorLists, (query) => unsorted(query) && Number(query.get('limit')) > mostServed),
  async (seen, honest) => {
    const asked = limitOf(seen);
    if (asked === undefined) return undefined;
    const response = await honest(await requery(seen, { limit: String(mostServed) }));
    if (!response.ok) return response;
    const json = (await response.json()) as Json;
    const has_more = Number(totalOf(json)) > asked;
    return rewritten(response, { ...json, pagination: { ...(json.pagination as Json), has_more } });
  },
);

/** The rows of the page in which equal ones stand the other way round on every second page. */
function shuffled(all: readonly Json[], sort: string, turned: boolean): Json[] {
  const keyOf = (one: Json): string => (sort.includes('created_at') ? secondOf(one) : String(one.name));
  const groups = new Map<string, Json[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()].flatMap((group) => (turned ? group.reverse() : group));
}

/** Rows that are equal by the sort come in any order, which differs from page to page. */
const withoutTieBreaker: Wrap = instead(pageOf([companies, contacts], isSorted), async (seen, honest) => {
  const limit = limitOf(seen);
  const offset = Number(queried(seen, 'offset') ?? 0);
  const response = await honest(await requery(seen, { limit: '200', offset: '0' }));
  const json = (await response.clone().json()) as Json & { data: Json[] };
  if (
    limit === undefined ||
    !Number.isInteger(offset) ||
    offset < 0 ||
    !response.ok ||
    queried(seen, 'fields') !== null
  )
    return undefined;
  const total = Number(totalOf(json));
  if (total > json.data.length) return undefined;
  const rows = shuffled(json.data, queried(seen, 'sort') ?? '', Math.floor(offset / limit) % 2 === 1);
  const pagination = { total, limit, offset, has_more: offset + limit < total };
  return rewritten(response, { ...json, data: rows.slice(offset, offset + limit), pagination });
});

/** Takes the cursor of another list for its own. */
const takingAnyCursor: Wrap = instead(
  pageOf([companies, contacts], (query) => query.has('cursor')),
  async (seen, honest) => {
    const response = await honest(seen.request.clone());
    if (response.status !== 400 || queried(seen, 'sort') !== null) return response;
    try {
      const mark = JSON.parse(Buffer.from(queried(seen, 'cursor') ?? '', 'base64').toString()) as Json;
      const list = seen.operation.slice('GET /'.length);
      const cursor = Buffer.from(JSON.stringify({ ...mark, list })).toString('base64url');
      return honest(await requery(seen, { cursor }));
    } catch {
      return response;
    }
  },
);

export default mutants({
  'pagination-traversal-complete': {
    'reported-cursor-skips-records-of-the-same-second': {
      report: {
        bug: 'Cursors hold only the value that is sorted by, so what shares it with the last record is skipped',
        url: 'https://github.com/encode/django-rest-framework/issues/7887',
        suffered: 'Exports lacked records that were made together',
      },
      collateral: {
        'notes-others-untouched': 'a note is taken for lost where a list skips it',
        'pagination-has-more-remains': 'a page ends the list before as many records were shown as the total says',
      },
      wrap: onEach(bySeconds),
    },
  },
  'pagination-traversal-once': {
    'reported-cursor-repeats-the-last-record': {
      report: {
        bug: 'The cursor keeps milliseconds of a time that is stored in microseconds',
        url: 'https://github.com/twentyhq/twenty/pull/21083',
        suffered: 'The same page came again and again',
      },
      collateral: { 'pagination-traversal-ends': 'with a limit of 1 the same record comes again and again' },
      wrap: onEach(repeatingTheLast),
    },
  },
  'pagination-has-more-last': {
    'reported-full-page-has-more': {
      report: {
        bug: 'A page that is exactly full is reported to have another behind it',
        url: 'https://github.com/webrenew/unicon/issues/50',
        suffered: 'Clients asked for a last page, which was empty',
      },
      wrap: onEach(guessingMore),
    },
  },
  'pagination-total-exact': {
    'reported-total-counts-deleted-records': {
      report: {
        bug: 'The total counts records that are marked as deleted, and the list leaves them out',
        url: 'https://github.com/ebean-orm/ebean/issues/511',
        suffered: 'Numbers of pages were wrong as soon as something was deleted',
      },
      collateral: { 'pagination-list-empty': 'a list whose notes were deleted has a total' },
      wrap: countingDeleted,
    },
  },
  'pagination-cursor-members': {
    'reported-total-is-text': {
      also: ['api-keys-list-pagination', 'pagination-sort-members'],
      collateral: {
        'api-keys-list-total': 'it compares numbers',
        'api-keys-revoked-unlisted': 'it compares numbers',
      },
      report: {
        bug: 'Counts come from the database driver as texts, and are sent so',
        url: 'https://github.com/directus/directus/issues/20615',
        suffered: 'Comparisons and sums in clients went wrong',
      },
      wrap: onPagination(pageOf([...cursorLists, keys, team]), ({ total }) => ({ total: String(total) })),
    },
  },
  'errors-strange-input-envelope': {
    'reported-limit-given-twice-crashes': {
      also: ['errors-strange-input-status'],
      report: {
        bug: 'A query parameter that is given twice becomes a list, and the page that expected a text crashes',
        url: 'https://github.com/metabase/metabase/issues/45345',
        suffered: 'A bare page with status 500 instead of an answer',
      },
      wrap: instead(
        pageOf([...cursorLists, keys], (query) => query.getAll('limit').length > 1),
        () => page(500, 'Internal Server Error'),
      ),
    },
  },
  'pagination-limit-below': {
    'reported-limit-of-minus-one-is-everything': {
      report: {
        bug: 'A limit of -1 is accepted and reported, and there is no limit then',
        url: 'https://github.com/ome/openmicroscopy/pull/5067',
        suffered: 'One request could read a whole table',
      },
      wrap: everythingBelowOne,
    },
  },
  'pagination-limit-bounds': {
    'reported-limit-is-cut-to-a-hundred-unnoticed': {
      also: ['pagination-limit-reported'],
      report: {
        bug: 'Limits are cut to 100, but has_more is computed from the limit that was asked for',
        url: 'https://github.com/langgenius/dify/pull/41784',
        suffered: 'Clients stopped before the end of the list',
      },
      wrap: cappedAtHundred,
    },
  },
  'pagination-sort-pages': {
    'reported-sort-without-tie-breaker': {
      report: {
        bug: 'Rows that are equal by the sort come in another order on each page',
        url: 'https://github.com/hoppscotch/hoppscotch/pull/5302',
        suffered: 'Some collections were missing, others were there twice',
      },
      wrap: withoutTieBreaker,
    },
  },
  'pagination-cursor-garbage': {
    'reported-cursor-of-another-list-is-taken': {
      report: {
        bug: 'A cursor of one list is accepted by another, which begins at some place or shows nothing',
        url: 'https://github.com/Mnexa-AI/e2a/pull/782',
        suffered: 'Clients concluded that there were no events',
      },
      notFound: 'The document does not say what a list answers to a cursor that another list has issued.',
      reference: { choices: { cursorAlphabet: 'base64url' } },
      wrap: takingAnyCursor,
    },
  },
});
