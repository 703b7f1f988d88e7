// What a schema asks for and what stands there instead, in words for people.
import type { AnySchemaObject } from 'ajv';

/** The one table from JSON Schema to words: each keyword's value becomes a phrase, and the phrases are joined. */
const phrases: Record<string, (value: unknown) => string> = {
  maxLength: (value) => `of at most ${value} characters`,
  minimum: (value) => `of at least ${value}`,
  exclusiveMinimum: (value) => `above ${value}`,
  maximum: (value) => `of at most ${value}`,
};

const types: Record<string, string> = {
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

const formats: Record<string, string> = {
  'iso-date-time': 'an ISO 8601 date-time',
  'date-time': 'an RFC 3339 date-time',
  base64: 'a base64 string',
};

// Where a schema here has a `minLength`, it is 1.
const string = ({ format, minLength }: AnySchemaObject): string =>
  formats[format] ?? (minLength === undefined ? 'a string' : 'a non-empty string');

/** What a schema asks for. One with a pattern says it itself, in its description. */
export function wordsFor(schema: AnySchemaObject | boolean | undefined): string {
  if (typeof schema !== 'object') return 'any value';
  if (schema.pattern !== undefined) return schema.description;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.map((one: unknown) => JSON.stringify(one)).join(', ')}`;
  // Null alone marks a member that must not be given.
  if (schema.type === 'null') return 'null or absent';
  const kinds = [schema.type]
    .flat()
    .map((type: string) => (type === 'string' ? string(schema) : (types[type] ?? type)));
  const narrowed = Object.entries(phrases).filter(([keyword]) => schema[keyword] !== undefined);
  return [kinds.join(' or '), narrowed.map(([keyword, phrase]) => phrase(schema[keyword])).join(' and ')]
    .filter((words) => words !== '')
    .join(' ');
}

const secretName = /(?:api_?key|token|secret|password|authorization)$/i;
const secretText = /svc_sk_|eyJ/;
const shown = 60;

/** A short excerpt of a value. What may be a credential is described, never shown, not even in part. */
export function excerpt(value: unknown, pointer: string): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'absent';
  const characters = [...value];
  if (secretName.test(pointer) || secretText.test(value)) return `a string of ${characters.length} characters`;
  if (characters.length <= shown) return JSON.stringify(value);
  return `${JSON.stringify(characters.slice(0, shown).join(''))}... (${characters.length} characters)`;
}
