// The headers, path identifiers and queries of the OpenAPI description.
import { type OperationId, operations, pathOf } from '../catalogue/operations.ts';
import { component, holdsTo, type Json } from './parts.ts';
import { membersOf } from './schemas.ts';

/** Bounds of `limit` are those of the pagination that reports it; its default is 50 (Limits / Pagination). */
function limitSchema(): Json {
  const pagination = membersOf('offset-list').pagination?.properties as Readonly<Record<string, Json>>;
  return { ...pagination.limit, default: 50 };
}

const header = (name: string, required: boolean, description: string, schema: Json, more: Json): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema,
  ...more,
});
const query = (name: string, description: string, schema: Json, more: Json): Json => ({
  name,
  in: 'query',
  description,
  schema,
  ...more,
});
const text: Json = { type: 'string' };

export const componentParameters = (): Json => ({
  OriginApp: header(
    'X-Origin-App',
    true,
    'Free text that identifies the calling application.',
    { ...text, examples: ['my-client'] },
    holdsTo('envelope-origin-app-text', 'envelope-origin-app-missing'),
  ),
  ActiveAccount: header(
    'X-Active-Account',
    false,
    'Chooses the account of a JWT session for this request; it does not move an API key.',
    text,
    holdsTo('account-header-selects', 'account-header-wins', 'account-header-key-unmoved', 'account-header-value'),
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    false,
    'Recommended on writes: a write that is repeated under its key is carried out once. A key expires after 24 hours.',
    { ...text, format: 'uuid' },
    {
      'x-covenant-expires-after': 'PT24H',
      ...holdsTo('idempotency-create-replay', 'idempotency-key-not-uuid', 'idempotency-day-kept'),
    },
  ),
  Limit: query('limit', 'The longest page that is wanted.', limitSchema(), holdsTo('pagination-limit-respected')),
  Offset: query(
    'offset',
    'How many records to leave out at the front; on cursor lists only together with sort.',
    { type: 'integer', minimum: 0, default: 0 },
    holdsTo('pagination-sort-pages', 'api-keys-list-offset-pages', 'pagination-offset-unsorted'),
  ),
  Cursor: query(
    'cursor',
    'The next_cursor of the page before. It cannot be combined with sort.',
    text,
    holdsTo('pagination-traversal-complete', 'pagination-cursor-with-sort', 'pagination-cursor-garbage'),
  ),
  Sort: query(
    'sort',
    'Sorts the list, which is then paged by offset. The document does not show which values there are.',
    text,
    holdsTo('pagination-sort-accepted', 'pagination-sort-direction', 'pagination-cursor-with-sort'),
  ),
  Fields: query(
    'fields',
    'The fields to include, separated by commas.',
    text,
    holdsTo('pagination-fields-restrict', 'pagination-fields-kept', 'pagination-fields-unknown'),
  ),
});

/** The lists that take `fields` (Limits / Pagination, rule 5). */
export const takesFields = (id: OperationId): boolean => id === 'GET /companies' || id === 'GET /contacts';

const byMode = {
  cursor: ['Limit', 'Cursor', 'Sort', 'Offset'],
  offset: ['Limit', 'Offset'],
  either: ['Limit', 'Cursor', 'Offset'],
  perhaps: [],
} as const;

/** The identifiers in a path, the queries and the headers of one operation. */
export function parametersOf(id: OperationId): readonly Json[] {
  const { list, protected: isProtected, rate } = operations[id];
  const path = [...pathOf(id).matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']): Json => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'integer' },
      ...holdsTo('errors-path-identifier-form'),
    }),
  );
  const names = [
    ...(list ? byMode[list] : []),
    ...(takesFields(id) ? ['Fields'] : []),
    'OriginApp',
    ...(isProtected ? ['ActiveAccount'] : []),
    ...(rate === 'write' ? ['IdempotencyKey'] : []),
  ];
  return [...path, ...names.map((name) => component('parameters', name))];
}
