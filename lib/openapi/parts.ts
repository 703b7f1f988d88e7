// What the parts of the OpenAPI description share: its objects, names, the components that come from `schemas/`, and how a requirement is named in it.
import type { RequirementId } from '../catalogue/index.ts';
import { apiPath, type OperationId } from '../catalogue/operations.ts';
import { type RecordName, recordNames } from '../catalogue/records.ts';
import { envelopes, type SchemaName, schemaOf } from '../schema/schema.ts';

export type Json = Readonly<Record<string, unknown>>;

/** One request and its reply, as the reference answered. */
export interface Exchange {
  readonly operation: OperationId;
  /** Unique among the exchanges of its operation and status. */
  readonly name: string;
  readonly summary: string;
  /** The request's body, where it has one. */
  readonly sent?: unknown;
  readonly status: number;
  readonly received: unknown;
}

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

export const component = (kind: 'schemas' | 'parameters' | 'responses', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});
export const schemaRef = (name: string): Json => component('schemas', typeName(name));

/** Named examples of one media type. */
export const examplesOf = (all: readonly Exchange[], value: (one: Exchange) => unknown): Json =>
  all.length === 0
    ? {}
    : { examples: Object.fromEntries(all.map((one) => [one.name, { summary: one.summary, value: value(one) }])) };

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

export const membersOf = (name: SchemaName): Readonly<Record<string, Json>> =>
  asComponent(name).properties as Readonly<Record<string, Json>>;

const withoutNull = (values: unknown): unknown => {
  if (!Array.isArray(values)) return values;
  const left = values.filter((one) => one !== null && one !== 'null');
  return left.length === 1 ? left[0] : left;
};

/** A member as it may be sent: replies may hold null where requests hold nothing. */
export function sendable({ type, enum: values, ...rest }: Json): Json {
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
