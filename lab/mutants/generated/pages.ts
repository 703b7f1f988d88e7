// Every stated member of `pagination` broken, on each list singly.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import type { OperationId } from '../../../lib/catalogue/operations.ts';
import type { Mutant } from '../mutant.ts';
import { isObject, type Json, slugOf, without } from '../wrappers/members.ts';
import { onSuccess } from '../wrappers/mutator.ts';
import { generated } from './collateral.ts';

interface Break {
  readonly name: string;
  readonly change: (pagination: Json) => Json;
}

const cursorLists: readonly OperationId[] = ['GET /companies', 'GET /companies/{company_id}/notes', 'GET /contacts'];
const lists: readonly OperationId[] = [...cursorLists, 'GET /api-keys', 'GET /account/team'];

const sortedLists: readonly OperationId[] = ['GET /companies', 'GET /contacts'];

const broken = (name: string): Break[] => [
  { name: `${name}-dropped`, change: (pagination) => without(pagination, name) },
  { name: `${name}-null`, change: (pagination) => ({ ...pagination, [name]: null }) },
  { name: `${name}-text`, change: (pagination) => ({ ...pagination, [name]: String(pagination[name]) }) },
];

const counted = ['total', 'limit', 'has_more'].flatMap(broken);
const offset = broken('offset');
const cursors: readonly (Break & { readonly breaks: readonly RequirementId[] })[] = [
  {
    name: 'next-cursor-dropped',
    breaks: ['pagination-next-cursor-given'],
    change: (pagination) => without(pagination, 'next_cursor'),
  },
  {
    name: 'next-cursor-null',
    breaks: ['pagination-next-cursor-given'],
    change: (pagination) => ({ ...pagination, next_cursor: null }),
  },
  {
    name: 'cursor-set-on-first-page',
    breaks: ['pagination-cursor-first'],
    change: (pagination) => ({ ...pagination, cursor: pagination.cursor ?? 'Zmlyc3Q=' }),
  },
];

/** In sorted lists, or in the others only: each has requirements of its own. */
type Mode = 'unsorted' | 'sorted';

const paginated = (
  operation: OperationId,
  name: string,
  breaks: readonly RequirementId[],
  change: Break['change'],
  mode: Mode = 'unsorted',
) =>
  generated(
    `page-of-${slugOf(operation)}-${mode === 'sorted' ? 'sorted-' : ''}${name.replaceAll('_', '-')}`,
    breaks,
    onSuccess(operation, (json, { url }) =>
      url.searchParams.has('sort') === (mode === 'sorted') && isObject(json.pagination)
        ? { ...json, pagination: change(json.pagination) }
        : json,
    ),
  );

const membersOf = (operation: OperationId): RequirementId =>
  operation === 'GET /api-keys' ? 'api-keys-list-pagination' : 'pagination-cursor-members';

export const pageMutants: readonly Mutant[] = [
  ...lists.flatMap((operation) => [
    generated(
      `page-of-${slugOf(operation)}-missing`,
      ['pagination-object-present'],
      onSuccess(operation, (json, { url }) => (url.searchParams.has('sort') ? json : without(json, 'pagination'))),
    ),
    ...counted.map(({ name, change }) => paginated(operation, name, [membersOf(operation)], change)),
  ]),
  ...offset.map(({ name, change }) => paginated('GET /api-keys', name, ['api-keys-list-pagination'], change)),
  ...sortedLists.flatMap((operation) =>
    [...counted, ...offset].map(({ name, change }) =>
      paginated(operation, name, ['pagination-sort-members'], change, 'sorted'),
    ),
  ),
  ...cursorLists.flatMap((operation) =>
    cursors.map(({ name, breaks, change }) => paginated(operation, name, breaks, change)),
  ),
];
