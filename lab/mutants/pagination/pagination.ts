// Wrong pages: members of pagination, and limits.
import { type Mutant, mutant } from '../mutant.ts';
import {
  companies,
  contacts,
  isFirst,
  isLater,
  keys,
  notes,
  onPagination,
  pageOf,
  queried,
  requery,
  team,
  withQuery,
} from '../wrappers/listing.ts';
import { instead, onSuccess, refusal, rewritten } from '../wrappers/mutator.ts';

type Json = Record<string, unknown>;
const limitIs = (limit: number) => (query: URLSearchParams) => query.get('limit') === String(limit);
const hasNoLimit = (query: URLSearchParams): boolean => !query.has('limit') && !query.has('sort');
const refused = (status: number) => () => refusal(status, 'INVALID', 'limit is out of range');

const members: readonly Mutant[] = [
  mutant(
    'pagination-team-has-none',
    { breaks: ['pagination-object-present'] },
    onSuccess(team, ({ pagination: _, ...json }) => json),
  ),
  mutant(
    'pagination-later-pages-have-none',
    { breaks: ['pagination-object-present'] },
    onSuccess(pageOf(contacts, isLater), ({ pagination: _, ...json }) => json),
  ),
  mutant(
    'pagination-total-is-text',
    { breaks: ['pagination-cursor-members'] },
    onPagination(
      pageOf(contacts, (query) => !query.has('sort')),
      ({ total }) => ({ total: String(total) }),
    ),
  ),
  mutant(
    'pagination-has-more-is-a-number-on-later-pages',
    { breaks: ['pagination-cursor-members'] },
    onPagination(pageOf(companies, isLater), ({ has_more }) => ({ has_more: has_more === true ? 1 : 0 })),
  ),
  mutant(
    'pagination-limit-is-text',
    { breaks: ['pagination-cursor-members'] },
    onPagination(pageOf(notes), ({ limit }) => ({ limit: String(limit) })),
  ),
  mutant(
    'pagination-later-pages-report-the-default-limit',
    { breaks: ['pagination-limit-reported'] },
    onPagination(pageOf(notes, isLater), () => ({ limit: 50 })),
  ),
  mutant(
    'pagination-team-reports-how-many-it-shows-as-limit',
    { breaks: ['pagination-limit-reported', 'pagination-limit-bounds', 'pagination-limit-default'] },
    onPagination(pageOf(team), ({ limit }, _, data) =>
      Number(limit) >= 1 && Number(limit) <= 200 ? { limit: data.length } : {},
    ),
  ),
  mutant(
    'pagination-first-page-has-an-empty-cursor',
    { breaks: ['pagination-cursor-first'] },
    onPagination(pageOf(contacts, isFirst), () => ({ cursor: '' })),
  ),
  mutant(
    'pagination-first-page-has-its-next-cursor-as-cursor',
    { breaks: ['pagination-cursor-first'] },
    onPagination(pageOf(notes, isFirst), ({ has_more, next_cursor }) => (has_more ? { cursor: next_cursor } : {})),
  ),
  mutant(
    'pagination-later-pages-have-no-next-cursor',
    { breaks: ['pagination-next-cursor-given'] },
    onPagination(pageOf(notes, isLater), ({ has_more }) => (has_more ? { next_cursor: null } : {})),
  ),
  mutant('pagination-next-cursor-is-plain-text', { breaks: ['pagination-next-cursor-form'] }, (honest, clock) => {
    const plain = onPagination(pageOf(companies), ({ next_cursor }) =>
      typeof next_cursor === 'string' ? { next_cursor: `after:${next_cursor}` } : {},
    )(honest, clock);
    const accepted = (seen: Parameters<typeof queried>[0]) => ({
      cursor: (queried(seen, 'cursor') ?? '').replace('after:', ''),
    });
    return withQuery(pageOf(companies, isLater), accepted)(plain, clock);
  }),
];

const limits: readonly Mutant[] = [
  mutant(
    'pagination-contacts-default-to-twenty',
    { breaks: ['pagination-limit-default'] },
    withQuery(pageOf(contacts, hasNoLimit), () => ({ limit: '20' })),
  ),
  mutant(
    'pagination-keys-default-to-a-hundred',
    { breaks: ['pagination-limit-default'] },
    withQuery(pageOf(keys, hasNoLimit), () => ({ limit: '100' })),
  ),
  mutant(
    'pagination-companies-show-one-more-than-asked',
    { breaks: ['pagination-limit-respected'] },
    instead(
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
  ),
  mutant(
    'pagination-limit-of-two-hundred-is-refused',
    { breaks: ['pagination-limit-bounds'] },
    instead(pageOf(contacts, limitIs(200)), refused(400)),
  ),
  mutant(
    'pagination-team-limit-of-one-is-refused',
    { breaks: ['pagination-limit-bounds'] },
    instead(pageOf(team, limitIs(1)), refused(422)),
  ),
  mutant(
    'pagination-team-is-cut-at-a-hundred',
    { breaks: ['pagination-limit-bounds'] },
    withQuery(pageOf(team, limitIs(200)), () => ({ limit: '100' })),
  ),
  mutant('pagination-notes-serve-a-limit-of-201', { breaks: ['pagination-limit-above'] }, (honest, clock) => {
    const asked = withQuery(pageOf(notes, limitIs(201)), () => ({ limit: '200' }))(honest, clock);
    return onPagination(pageOf(notes, limitIs(201)), () => ({ limit: 201 }))(asked, clock);
  }),
  mutant(
    'pagination-limit-above-breaks-the-server',
    { breaks: ['pagination-limit-above'] },
    instead(
      pageOf(keys, (query) => Number(query.get('limit')) > 200),
      () => refusal(500, 'INTERNAL', 'Something went wrong'),
    ),
  ),
  mutant('pagination-limit-of-zero-is-served', { breaks: ['pagination-limit-below'] }, (honest, clock) => {
    const asked = withQuery(pageOf(companies, limitIs(0)), () => ({ limit: '1' }))(honest, clock);
    return onSuccess(pageOf(companies, limitIs(0)), (json) => ({
      ...json,
      data: [],
      pagination: { ...(json.pagination as Json), limit: 0, has_more: true },
    }))(asked, clock);
  }),
  mutant(
    'pagination-negative-limit-breaks-the-server',
    { breaks: ['pagination-limit-below'] },
    instead(pageOf(team, limitIs(-1)), () => refusal(500, 'INTERNAL', 'Something went wrong')),
  ),
];

const mutants: readonly Mutant[] = [...members, ...limits];

export default mutants;
