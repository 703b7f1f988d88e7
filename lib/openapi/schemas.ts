// The components of the OpenAPI description that come from `schemas/`: every record, every envelope, and what may be sent of a record.
import { type RecordName, recordNames } from '../catalogue/records.ts';
import { envelopes, type SchemaName, schemaOf } from '../schema/schema.ts';
import { type Json, schemaRef, typeName } from './parts.ts';

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
