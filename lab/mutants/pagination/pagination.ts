// Wrong pages: members of pagination, and limits.

import { mutants } from '../mutant.ts';
import { isFirst, isLater, onPagination, pageOf, queried, requery, withQuery } from '../wrappers/listing.ts';
import type { Json } from '../wrappers/mutator.ts';
import { instead, onSuccess, refusal, rewritten } from '../wrappers/mutator.ts';
import { companies, contacts, keys, notes, team } from '../wrappers/operations.ts';

const limitIs = (limit: number) => (query: URLSearchParams) => query.get('limit') === String(limit);
const hasNoLimit = (query: URLSearchParams): boolean => !query.has('limit') && !query.has('sort');
const refused = (status: number) => () => refusal(status, 'INVALID', 'limit is out of range');
const oddLimit = { 'errors-strange-input-status': 'a limit that the document does not allow is undocumented input' };

export default mutants({
  'pagination-object-present': {
    'pagination-team-has-none': onSuccess(team, ({ pagination: _, ...json }) => json),
    'pagination-later-pages-have-none': onSuccess(pageOf(contacts, isLater), ({ pagination: _, ...json }) => json),
  },
  'pagination-cursor-members': {
    'pagination-total-is-text': onPagination(
      pageOf(contacts, (query) => !query.has('sort')),
      ({ total }) => ({ total: String(total) }),
    ),
    'pagination-has-more-is-a-number-on-later-pages': onPagination(pageOf(companies, isLater), ({ has_more }) => ({
      has_more: has_more === true ? 1 : 0,
    })),
    'pagination-later-pages-have-no-cursor': onPagination(pageOf([companies, contacts, notes], isLater), () => ({
      cursor: undefined,
    })),
    'pagination-limit-is-text': onPagination(pageOf(notes), ({ limit }) => ({ limit: String(limit) })),
  },
  'pagination-limit-reported': {
    'pagination-later-pages-report-the-default-limit': onPagination(pageOf(notes, isLater), () => ({ limit: 50 })),
  },
  'pagination-cursor-first': {
    'pagination-first-page-has-an-empty-cursor': onPagination(pageOf(contacts, isFirst), () => ({ cursor: '' })),
    'pagination-first-page-has-its-next-cursor-as-cursor': onPagination(
      pageOf(notes, isFirst),
      ({ has_more, next_cursor }) => (has_more ? { cursor: next_cursor } : {}),
    ),
  },
  'pagination-next-cursor-given': {
    'pagination-later-pages-have-no-next-cursor': onPagination(pageOf(notes, isLater), ({ has_more }) =>
      has_more ? { next_cursor: null } : {},
    ),
  },
  'pagination-next-cursor-form': {
    'pagination-next-cursor-is-plain-text': (honest, clock) => {
      const plain = onPagination(pageOf(companies), ({ next_cursor }) =>
        typeof next_cursor === 'string' ? { next_cursor: `after:${next_cursor}` } : {},
      )(honest, clock);
      const accepted = (seen: Parameters<typeof queried>[0]) => ({
        cursor: (queried(seen, 'cursor') ?? '').replace('after:', ''),
      });
      return withQuery(pageOf(companies, isLater), accepted)(plain, clock);
    },
  },
  'pagination-limit-default': {
    'pagination-team-reports-how-many-it-shows-as-limit': onPagination(pageOf(team), ({ limit }, _, data) =>
      Number(limit) >= 1 && Number(limit) <= 200 ? { limit: data.length } : {},
    ),
    'pagination-contacts-default-to-twenty': withQuery(pageOf(contacts, hasNoLimit), () => ({ limit: '20' })),
    'pagination-keys-default-to-a-hundred': withQuery(pageOf(keys, hasNoLimit), () => ({ limit: '100' })),
  },
  'pagination-limit-respected': {
    'pagination-companies-show-one-more-than-asked': instead(
      pageOf(
        companies,
        (query) => !query.has('sort') && Number(query.get('limit')) > 0 && Number(query.get('limit')) < 40,
      ),
      async (seen, honest) => {
        const limit = Number(queried(seen, 'limit'));
        const response = await honest(await requery(seen, { limit: String(limit + 1) }));
        if (!response.ok) return response;
        const json = (await response.json()) as Json;
        return rewritten(response, { ...json, pagination: { ...(json.pagination as Json), limit } });
      },
    ),
  },
  'pagination-limit-bounds': {
    'pagination-limit-of-two-hundred-is-refused': instead(pageOf(contacts, limitIs(200)), refused(400)),
    'pagination-keys-limit-of-one-is-refused': instead(pageOf(keys, limitIs(1)), refused(422)),
    'pagination-keys-are-cut-at-a-hundred': withQuery(pageOf(keys, limitIs(200)), () => ({ limit: '100' })),
  },
  'pagination-limit-above': {
    'pagination-notes-serve-a-limit-of-201': (honest, clock) => {
      const asked = withQuery(pageOf(notes, limitIs(201)), () => ({ limit: '200' }))(honest, clock);
      return onPagination(pageOf(notes, limitIs(201)), () => ({ limit: 201 }))(asked, clock);
    },
    'pagination-limit-above-breaks-the-server': {
      collateral: oddLimit,
      wrap: instead(
        pageOf(keys, (query) => Number(query.get('limit')) > 200),
        () => refusal(500, 'INTERNAL', 'Something went wrong'),
      ),
    },
  },
  'pagination-limit-below': {
    'pagination-limit-of-zero-is-served': (honest, clock) => {
      const asked = withQuery(pageOf(companies, limitIs(0)), () => ({ limit: '1' }))(honest, clock);
      return onSuccess(pageOf(companies, limitIs(0)), (json) => ({
        ...json,
        data: [],
        pagination: { ...(json.pagination as Json), limit: 0, has_more: true },
      }))(asked, clock);
    },
    'pagination-negative-limit-breaks-the-server': {
      collateral: oddLimit,
      wrap: instead(pageOf(contacts, limitIs(-1)), () => refusal(500, 'INTERNAL', 'Something went wrong')),
    },
  },
});
