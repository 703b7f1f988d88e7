// What the OpenAPI description says of requests: headers, path identifiers, queries, and which members of which record a body may and must hold.
import { type OperationId, operations, pathOf } from '../catalogue/operations.ts';
import { component, type Exchange, examplesOf, holdsTo, type Json, membersOf, schemaRef, sendable } from './parts.ts';

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

interface Body {
  /** The record whose members may be sent; without one, each is a text. */
  readonly from?: 'company' | 'contact' | 'note' | 'api-key';
  /** Only these of them. */
  readonly take?: readonly string[];
  readonly required: readonly string[];
  readonly more?: Json;
}

const noteText = { from: 'note', take: ['text'], required: ['text'] } as const;

const bodies: Partial<Record<OperationId, Body>> = {
  'PATCH /me/active-account': { take: ['slug'], required: ['slug'] },
  'POST /api-keys': { from: 'api-key', take: ['label'], required: ['label'] },
  'POST /auth/validate-api-key': { take: ['api_key'], required: ['api_key'] },
  'POST /companies': { from: 'company', required: ['name', 'company_type'] },
  'PATCH /companies/{company_id}': {
    from: 'company',
    required: [],
    more: {
      description: 'The document does not show this body; what may be created is taken to be what may be edited.',
      ...holdsTo('companies-edit-effect', 'companies-edit-partial', 'companies-edit-invalid'),
    },
  },
  'POST /companies/{company_id}/notes': noteText,
  'PATCH /companies/{company_id}/notes/{note_id}': noteText,
  'POST /contacts': { from: 'contact', required: ['contact_type', 'company_id'] },
};

/** The server gives an identifier; a company is sent without its own. */
const given: Readonly<Record<string, string>> = { company: 'company_id' };

function propertiesOf({ from, take }: Body): Json {
  if (from === undefined) return Object.fromEntries((take ?? []).map((name) => [name, { type: 'string' }]));
  const members = Object.entries(membersOf(from)).filter(
    ([name]) => name !== given[from] && (take?.includes(name) ?? true),
  );
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      name === 'phones' ? { type: 'array', items: schemaRef('phone-in') } : sendable(member),
    ]),
  );
}

/** The `requestBody` of an operation, with what was really sent as examples; undefined where it takes none. */
export function bodyOf(id: OperationId, exchanges: readonly Exchange[]): Json | undefined {
  const body = bodies[id];
  if (body === undefined) return undefined;
  const { required, more = {} } = body;
  const schema = { type: 'object', ...(required.length > 0 && { required }), properties: propertiesOf(body) };
  const good = exchanges.filter(({ status, sent }) => status < 300 && sent !== undefined);
  const content = { schema, ...examplesOf(good, ({ sent }) => sent) };
  return { required: true, content: { 'application/json': content }, ...more };
}
