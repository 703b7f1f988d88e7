// Parts that the OpenAPI description shares: components, names, headers, identifiers in paths, queries and bodies.
import type { RequirementId } from '../catalogue/index.ts';
import { apiPath, type OperationId, operations, pathOf } from '../catalogue/operations.ts';
import { type RecordName, recordNames } from '../catalogue/records.ts';
import { envelopes, type SchemaName, schemaOf } from '../schema/schema.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The member that leads to requirements; each identifier stands in the root's `x-covenant-catalogue`. */
export const holdsTo = (...ids: readonly RequirementId[]): Json => ({ 'x-covenant-requirements': ids });

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const words = (text: string): string[] => text.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');

/** `api-key-created` becomes `ApiKeyCreated`. */
const typeName = (name: string): string => words(name).map(capital).join('');

/** `GET /companies/{company_id}` becomes `getCompaniesCompanyId`. */
export function operationName(id: OperationId): string {
  const [method = '', ...rest] = words(id);
  return method.toLowerCase() + rest.map(capital).join('');
}

const component = (kind: 'schemas' | 'parameters' | 'responses', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});
export const schemaRef = (name: string): Json => component('schemas', typeName(name));

/** Below the base URL, where the interface begins (Versioning). */
export const serverOf = (baseUrl: string): Json => ({ url: baseUrl + apiPath, description: 'The server' });

const own = 'covenant:';

/** The same value with references into the components in place of those between files. */
function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) =>
      name === '$ref' && typeof one === 'string' && one.startsWith(own)
        ? ['$ref', schemaRef(one.slice(own.length)).$ref]
        : [name, relinked(one)],
    ),
  );
}

/** A schema as a component: what names the file is left out. */
function asComponent(name: SchemaName): Json {
  const { $schema, $id, ...rest } = schemaOf(name);
  return relinked(rest) as Json;
}

const membersOf = (name: SchemaName): Readonly<Record<string, Json>> =>
  asComponent(name).properties as Readonly<Record<string, Json>>;

const withoutNull = (values: unknown): unknown => {
  if (!Array.isArray(values)) return values;
  const left = values.filter((one) => one !== null && one !== 'null');
  return left.length === 1 ? left[0] : left;
};

/** A member as it may be sent: replies may hold null where requests hold nothing. */
function sendable({ type, enum: values, ...rest }: Json): Json {
  return {
    ...(values === undefined ? { type: withoutNull(type) } : { type: 'string', enum: withoutNull(values) }),
    ...rest,
  };
}

/** The phone object `PhoneIn` (Resources / Contact). */
function phoneIn(): Json {
  const { raw = {}, type = {}, country = {}, extension = {} } = membersOf('phone');
  return {
    title: 'Phone of a new contact',
    description: 'Any common format; a number that cannot be parsed gets 422.',
    type: 'object',
    required: ['raw'],
    properties: {
      raw: sendable(raw),
      type: { ...sendable(type), default: 'mobile' },
      country: { ...sendable(country), minLength: 2, maxLength: 2, default: 'US' },
      extension: sendable(extension),
    },
  };
}

/** Of a list with `fields`: a record that holds only what was asked for (Limits / Pagination, rule 5). */
export const partOf = (record: RecordName): string => `${record}-part`;

function part(record: RecordName): Json {
  const { required, description, title, ...rest } = asComponent(record);
  return { title: `${title}, in part`, description: 'Holds the members that the query named in fields.', ...rest };
}

/** An error whose code the document fixes. */
const coded = (code: string): Json => ({
  allOf: [
    schemaRef('error'),
    { type: 'object', properties: { error: { type: 'object', properties: { code: { const: code } } } } },
  ],
});

export const componentSchemas = (): Json => ({
  ...Object.fromEntries([...envelopes, ...recordNames].map((name) => [typeName(name), asComponent(name)])),
  ...Object.fromEntries((['company', 'contact'] as const).map((name) => [typeName(partOf(name)), part(name)])),
  PhoneIn: phoneIn(),
  ErrorUnauthorized: coded('UNAUTHORIZED'),
  ErrorRateLimited: coded('RATE_LIMITED'),
});

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

/** The `requestBody` of an operation; undefined where it takes none. */
export function bodyOf(id: OperationId): Json | undefined {
  const body = bodies[id];
  if (body === undefined) return undefined;
  const { required, more = {} } = body;
  const schema = { type: 'object', ...(required.length > 0 && { required }), properties: propertiesOf(body) };
  return { required: true, content: { 'application/json': { schema } }, ...more };
}
