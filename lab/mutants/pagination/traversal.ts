// Wrong traversals: records lost or shown twice, wrong totals and wrong ends, pages that shift under changes.

import { mutants, type Wrap } from '../mutant.ts';
import {
  behind,
  below,
  isFirst,
  isLater,
  type Mark,
  onPagination,
  type Paging,
  paged,
  pageOf,
  queried,
  requery,
} from '../wrappers/listing.ts';
import type { Json } from '../wrappers/mutator.ts';
import { instead, refusal, rewritten } from '../wrappers/mutator.ts';
import { companies, contacts, notes } from '../wrappers/operations.ts';
import { noting } from '../wrappers/records.ts';

const updated = ({ updated_at }: Json): string => String(updated_at);
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
/** The most recently edited first. */
const byEdit = (one: Json, other: Json): number =>
  compare(updated(other), updated(one)) || Number(other.id) - Number(one.id);
const byCreation = (one: Json, other: Json): number => Number(one.id) - Number(other.id);

const atOffset = (_: readonly Json[], { offset }: Mark): number => offset;
/** The last record once more, where a page has room for another one. */
const atBorder = (_: readonly Json[], { offset, limit }: Mark): number => (limit > 1 ? offset - 1 : offset);
/** A time to the millisecond. */
const madeAt = ({ created_at }: Json): number => Date.parse(String(created_at));
const orEnd = (place: number, all: readonly Json[]): number => (place < 0 ? all.length : place);
/** A cursor that holds the time of the last record and nothing else: what was made at that time, too, is skipped. */
const behindItsTime: Paging = {
  order: byCreation,
  start: (all, { last }) =>
    orEnd(
      all.findIndex((one) => madeAt(one) > madeAt(last)),
      all,
    ),
};
/** The same with what was made at that time, which comes again unless the last record was the first of it. */
const fromItsTime: Paging = {
  order: byCreation,
  start: (all, { last }) => {
    const place = all.findIndex((one) => madeAt(one) >= madeAt(last));
    return orEnd(place, all) + Number(all[place]?.id === last.id);
  },
};
/** Lists under fields are right: their records show no times. */
const whereWhole =
  (wrap: Wrap): Wrap =>
  (honest, clock) => {
    const wrong = wrap(honest, clock);
    return (request) => (new URL(request.url).searchParams.has('fields') ? honest : wrong)(request);
  };
const ended = { 'pagination-has-more-remains': 'the last page comes before as many were shown as are counted' };
const again = { 'pagination-traversal-ends': 'where a page is no longer than those of one time, it comes for ever' };
/** A note that stayed, too, where others are deleted between two pages. */
const skipped = { 'pagination-traversal-complete': 'a traversal leaves out a note that was there all the time' };
const isPaged = (query: URLSearchParams): boolean => query.has('limit') && !query.has('sort');

/** Counts one note too many for the first company whose notes are listed and has some. */
const firstCountedTwice: Wrap = (honest, clock) => {
  let first: string | undefined;
  return onPagination(pageOf(notes), ({ total }, { url }) => {
    if (Number(total) > 0) first ??= url.pathname;
    return url.pathname === first ? { total: Number(total) + 1 } : {};
  })(honest, clock);
};

/** The population has more records than a page without a limit, and what the wrapper reads must not run into limits. */
const severalPages = { companies: 60, tiers: { business: { read: 3000, write: 1000 } } };
const hasDefaultLimit = (query: URLSearchParams): boolean => !query.has('limit') && !query.has('sort');

/** Where no limit is sent, the second page begins with the last record of the first. */
const borderTwiceByDefault: Wrap = (honest, clock) => {
  /** The cursor behind the last record but one of a first page, by the cursor behind the last. */
  const before = new Map<unknown, string>();
  const noted = instead(
    pageOf([companies, contacts], (query) => isFirst(query) && hasDefaultLimit(query)),
    async (seen, inner) => {
      const cursors: unknown[] = [];
      for (const limit of ['50', '49']) {
        const { pagination } = (await (await inner(await requery(seen, { limit }))).json()) as { pagination?: Json };
        cursors.push(pagination?.next_cursor);
      }
      const [next, earlier] = cursors;
      if (typeof next === 'string' && typeof earlier === 'string') before.set(next, earlier);
      return undefined;
    },
  )(honest, clock);
  return instead(
    pageOf([companies, contacts], (query) => isLater(query) && hasDefaultLimit(query)),
    async (seen, inner) => {
      const cursor = queried(seen, 'cursor');
      const earlier = before.get(cursor);
      if (earlier === undefined) return undefined;
      const response = await inner(await requery(seen, { cursor: earlier }));
      if (!response.ok) return response;
      const json = (await response.clone().json()) as { pagination: Json };
      return rewritten(response, { ...json, pagination: { ...json.pagination, cursor } });
    },
  )(noted, clock);
};

export default mutants({
  'pagination-traversal-complete': {
    'pagination-notes-end-with-the-border': {
      collateral: { 'pagination-stable-deletes': 'a traversal ends where the note was deleted that its cursor names' },
      wrap: paged(notes, { start: (all, mark) => behind(all, mark) ?? all.length }),
    },
    'pagination-notes-skip-one-between-pages': paged(notes, {
      start: (all, { offset }) => (offset + 1 < all.length ? offset + 1 : offset),
    }),
    'pagination-contacts-skip-one-between-pages': paged(contacts, {
      start: (all, { offset }) => (offset + 1 < all.length ? offset + 1 : offset),
    }),
    // Limits, Pagination, row Cursor: "stable, no duplicates or skips".
    'pagination-notes-skip-those-of-the-same-millisecond': { collateral: ended, wrap: paged(notes, behindItsTime) },
    'pagination-contacts-skip-those-of-the-same-millisecond': {
      collateral: { ...ended, 'contacts-list-contains': 'the contact that is looked for may be one that is skipped' },
      wrap: whereWhole(paged(contacts, behindItsTime)),
    },
    'pagination-cursor-loses-its-plus-signs': {
      reference: { choices: { cursorAlphabet: 'base64' } },
      wrap: instead(
        pageOf(notes, (query) => /[+/]/.test(query.get('cursor') ?? '')),
        () => refusal(400, 'BAD_REQUEST', 'cursor is invalid'),
      ),
    },
  },
  'pagination-traversal-once': {
    'pagination-notes-show-the-border-twice': paged(notes, { start: atBorder }),
    'pagination-notes-repeat-those-of-the-same-millisecond': { collateral: again, wrap: paged(notes, fromItsTime) },
    'pagination-contacts-repeat-those-of-the-same-millisecond': {
      notFound: 'No two contacts of one millisecond stand on both sides of the end of a page.',
      wrap: whereWhole(paged(contacts, fromItsTime)),
    },
    'pagination-companies-show-the-border-twice': paged(companies, { start: atBorder }),
    // Limits, Pagination, rows limit (default 50) and Cursor.
    'pagination-border-comes-twice-where-no-limit-is-sent': { reference: severalPages, wrap: borderTwiceByDefault },
  },
  'pagination-traversal-ends': {
    'pagination-notes-begin-again-after-the-last': {
      collateral: {
        'pagination-has-more-last': 'a page that shows every note says that there are more',
        'pagination-traversal-once': 'who follows the cursors meets the first notes again',
      },
      wrap: paged(notes, {
        start: (all, { offset }) => offset % all.length,
        endless: true,
      }),
    },
  },
  'pagination-list-empty': {
    'pagination-list-of-nothing-is-not-found': (honest) => async (request) => {
      const response = await honest(request);
      const { pathname, search } = new URL(request.url);
      if (request.method !== 'GET' || !pathname.endsWith('/notes') || search !== '' || !response.ok) return response;
      const { data } = (await response.clone().json()) as { data: Json[] };
      return data.length > 0 ? response : refusal(404, 'NOT_FOUND', 'no notes');
    },
    'pagination-list-of-nothing-has-more': onPagination(pageOf(notes, isFirst), ({ total }) =>
      total === 0 ? { total: 1 } : {},
    ),
  },
  'pagination-stable-inserts': {
    'pagination-notes-count-positions': {
      also: ['pagination-stable-deletes'],
      collateral: { ...skipped, 'pagination-traversal-once': 'what comes first shifts a note onto the next page' },
      wrap: paged(notes, { start: atOffset }),
    },
    'pagination-companies-count-positions': paged(companies, { start: atOffset }),
    'pagination-contacts-count-positions': paged(contacts, { start: atOffset }),
    'pagination-new-notes-break-cursors': paged(notes, {
      start: (all, mark) =>
        all.findIndex(({ id }) => id === mark.last.id) >= mark.offset ? undefined : below(all, mark),
    }),
  },
  'pagination-stable-deletes': {
    'pagination-notes-count-positions-oldest-first': {
      collateral: skipped,
      wrap: paged(notes, { order: byCreation, start: atOffset }),
    },
    'pagination-notes-lose-their-place-with-the-border': {
      collateral: { 'pagination-traversal-once': 'a traversal that begins again shows notes twice' },
      wrap: paged(notes, { start: (all, mark) => behind(all, mark) ?? 0 }),
    },
  },
  'pagination-stable-edits': {
    'pagination-notes-are-ordered-by-edit': {
      collateral: skipped,
      wrap: paged(notes, {
        order: byEdit,
        start: (all, { last }) => {
          const place = all.findIndex((one) => byEdit(one, last) > 0);
          return place < 0 ? all.length : place;
        },
      }),
    },
    'pagination-companies-are-ordered-by-edit': {
      collateral: { 'pagination-traversal-complete': 'another case edits a company that is still to come' },
      wrap: paged(companies, { order: byEdit, start: (all, mark) => behind(all, mark) }),
    },
  },
  'pagination-total-exact': {
    'pagination-total-is-one-too-many': onPagination(pageOf(notes), ({ total }) => ({
      total: Number(total) > 0 ? Number(total) + 1 : 0,
    })),
    'pagination-total-of-the-first-company-is-one-too-many': firstCountedTwice,
    'pagination-team-total-is-one-too-few': onPagination(pageOf('GET /account/team'), ({ total }) => ({
      total: Number(total) - 1,
    })),
    'pagination-total-counts-deleted-notes': {
      collateral: { 'pagination-list-empty': 'where every note was deleted it counts some' },
      wrap: (honest, clock) => {
        let gone = new Map<string, number>();
        const counting = noting('DELETE /companies/{company_id}/notes/{note_id}', (_, { url }) => {
          const company = url.pathname.split('/').at(-3) ?? '';
          gone = new Map([...gone, [company, (gone.get(company) ?? 0) + 1]]);
        })(honest, clock);
        return onPagination(pageOf(notes), ({ total }, { url }) => ({
          total: Number(total) + (gone.get(url.pathname.split('/').at(-2) ?? '') ?? 0),
        }))(counting, clock);
      },
    },
  },
  'pagination-total-constant': {
    'pagination-total-is-what-remains': {
      collateral: {
        'pagination-total-exact': 'every page is held against the contacts that were counted before and after',
      },
      wrap: onPagination(pageOf(contacts, isLater), ({ total }, seen) => ({
        total: Math.max(0, Number(total) - Number(queried(seen, 'limit') ?? 50)),
      })),
    },
    'pagination-total-is-of-the-page-on-the-last-page': {
      collateral: { 'pagination-total-exact': 'every page of notes is held against those that were made' },
      wrap: onPagination(pageOf(notes, isLater), ({ has_more }, _, data) => (has_more ? {} : { total: data.length })),
    },
  },
  'pagination-has-more-remains': {
    'pagination-companies-end-on-the-second-page': onPagination(pageOf(companies, isLater), () => ({
      has_more: false,
      next_cursor: null,
    })),
    'pagination-notes-end-one-page-early': {
      collateral: { 'notes-list-contains': 'a list that is read to its end lacks the last note' },
      wrap: onPagination(pageOf(notes, isPaged), ({ has_more, total }, seen, data) => {
        const limit = Number(queried(seen, 'limit'));
        return has_more && data.length === limit && limit === Number(total) - 1
          ? { has_more: false, next_cursor: null }
          : {};
      }),
    },
  },
  'pagination-has-more-last': {
    'pagination-full-last-pages-have-more': (honest, clock) => {
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
    },
  },
});
