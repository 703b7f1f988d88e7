// Every stated member of `pagination` broken, one list at a time.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import type { OperationId } from '../../../lib/catalogue/operations.ts';
import type { Mutant } from '../mutant.ts';
import { isObject, type Json, onSuccess, without } from '../wrappers/mutator.ts';
import { generated, type Row, row, slugOf } from './collateral.ts';

type Member = 'pagination' | 'total' | 'limit' | 'has_more' | 'offset' | 'next_cursor' | 'cursor';

interface Break {
  readonly member: Member;
  readonly way: string;
  readonly change: (pagination: Json) => Json;
}

const cursorLists: readonly OperationId[] = ['GET /companies', 'GET /companies/{company_id}/notes', 'GET /contacts'];
const lists: readonly OperationId[] = [...cursorLists, 'GET /api-keys', 'GET /account/team'];

const sortedLists: readonly OperationId[] = ['GET /companies', 'GET /contacts'];

const broken = (member: Member): Break[] => [
  { member, way: 'dropped', change: (pagination) => without(pagination, member) },
  { member, way: 'null', change: (pagination) => ({ ...pagination, [member]: null }) },
  { member, way: 'text', change: (pagination) => ({ ...pagination, [member]: String(pagination[member]) }) },
];

const counted = (['total', 'limit', 'has_more'] as const).flatMap(broken);
const offset = broken('offset');
const cursors: readonly (Break & { readonly breaks: readonly RequirementId[] })[] = [
  ...broken('next_cursor')
    .filter(({ way }) => way !== 'text')
    .map((one) => ({ ...one, breaks: ['pagination-next-cursor-given'] as const })),
  {
    member: 'cursor',
    way: 'set-on-first-page',
    breaks: ['pagination-cursor-first'],
    change: (pagination) => ({ ...pagination, cursor: pagination.cursor ?? 'Zmlyc3Q=' }),
  },
];

const collateral: readonly Row<Member, string>[] = [
  row(['GET /companies/{company_id}/notes'], ['pagination-list-empty'], 'its statement names total and has_more', [
    'pagination',
    'total',
    'has_more',
  ]),
  row(['GET /api-keys'], ['api-keys-list-pagination'], 'without pagination there are no members of it', ['pagination']),
  row(['GET /api-keys'], ['api-keys-list-total', 'api-keys-revoked-unlisted'], 'both are about the total', [
    'pagination',
    'total',
  ]),
  row(['GET /api-keys'], ['api-keys-list-has-more'], 'it is about has_more', ['pagination', 'has_more']),
];

/** Sorted lists and the others have different requirements, so a mutant breaks only one of the two. */
type Mode = 'unsorted' | 'sorted';

const paginated = (
  operation: OperationId,
  { member, way, change }: Break,
  breaks: readonly RequirementId[],
  mode: Mode = 'unsorted',
): Mutant => {
  const name = `${mode === 'sorted' ? 'sorted-' : ''}${member.replaceAll('_', '-')}-${way}`;
  const wrap = onSuccess(operation, (json, { url }) =>
    url.searchParams.has('sort') === (mode === 'sorted') && isObject(json.pagination)
      ? { ...json, pagination: change(json.pagination) }
      : json,
  );
  const id = `page-of-${slugOf(operation)}-${name}`;
  return generated({ id, breaks, wrap }, { operation, member, way }, collateral);
};

const unpaginated = (operation: OperationId): Mutant =>
  generated(
    {
      id: `page-of-${slugOf(operation)}-missing`,
      breaks: ['pagination-object-present'],
      wrap: onSuccess(operation, (json, { url }) =>
        url.searchParams.has('sort') ? json : without(json, 'pagination'),
      ),
    },
    { operation, member: 'pagination', way: 'missing' },
    collateral,
  );

const membersOf = (operation: OperationId): RequirementId =>
  operation === 'GET /api-keys' ? 'api-keys-list-pagination' : 'pagination-cursor-members';

export const pageMutants: readonly Mutant[] = [
  ...lists.flatMap((operation) => [
    unpaginated(operation),
    ...counted.map((one) => paginated(operation, one, [membersOf(operation)])),
  ]),
  ...offset.map((one) => paginated('GET /api-keys', one, ['api-keys-list-pagination'])),
  ...sortedLists.flatMap((operation) =>
    [...counted, ...offset].map((one) => paginated(operation, one, ['pagination-sort-members'], 'sorted')),
  ),
  ...cursorLists.flatMap((operation) => cursors.map((one) => paginated(operation, one, one.breaks))),
];
