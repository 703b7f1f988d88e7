// The schemas, compiled on first use, what a value violates of them in words for people, and documents that name theirs.
import { createRequire } from 'node:module';
import type { AnySchemaObject, ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { recordNames } from '../catalogue/records.ts';
import { instant } from './instant.ts';

/** What Covenant writes, and the files that it reads. */
export const documents = [
  'report',
  'waivers',
  'evidence',
  'event',
  'product',
  'catalogue',
  'certificate',
  'comparison',
  'diagnosis',
  'matrix',
  'verification',
] as const;
/** Around every reply. */
export const envelopes = ['success', 'plain-list', 'cursor-list', 'offset-list', 'error'] as const;

/** The files `schemas/<name>.schema.json`. */
export const schemaNames = [...envelopes, ...recordNames, ...documents] as const;
export type SchemaName = (typeof schemaNames)[number];

export interface Violation {
  /** JSON pointer into the value; '' is the value itself. */
  readonly pointer: string;
  /** What the schema asks for at that place, such as `a non-empty string`. */
  readonly expected: string;
  /** What stands there: a short excerpt, a description of anything long or secret, or `absent`. */
  readonly actual: string;
}

/** One alphabet (`+/` or `-_`, not both), with or without padding. */
export function isBase64(text: string): boolean {
  const standard = /[-_]/.test(text) && !/[+/]/.test(text) ? text.replace(/[-_]/g, '+') : text;
  return /^(?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}(?:==)?|[a-z\d+/]{3}=?)?$/i.test(standard);
}

/**
 * Formats of our own; other validators may take them as annotations, as JSON Schema allows. `iso-date-time` is any
 * ISO 8601 date-time that `instant` reads, with or without an offset, which `date-time` (RFC 3339) would demand.
 */
const formats = { 'iso-date-time': (text: string) => instant(text) !== undefined, base64: isBase64 };

function violationOf(error: ErrorObject): Violation {
  if (error.keyword !== 'required') {
    return {
      pointer: error.instancePath,
      expected: wordsFor(error.parentSchema),
      actual: excerpt(error.data, error.instancePath),
    };
  }
  const member = error.params.missingProperty;
  const pointer = `${error.instancePath}/${member}`;
  return { pointer, expected: wordsFor(error.parentSchema?.properties?.[member]), actual: 'absent' };
}

// createRequire, because importing JSON prints a warning on Node 20.
const load = createRequire(import.meta.url);

/** The file of a schema, as it stands. */
export const schemaOf = (name: SchemaName): Readonly<Record<string, unknown>> =>
  load(`../../schemas/${name}.schema.json`);

let shared: Ajv2020 | undefined;

/** One ajv for the process; it compiles each schema when it is first asked for and keeps it. */
function ajv(): Ajv2020 {
  if (shared !== undefined) return shared;
  shared = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, verbose: true });
  addFormats.default(shared, ['date-time']);
  for (const [name, test] of Object.entries(formats)) shared.addFormat(name, test);
  for (const name of schemaNames) shared.addSchema(schemaOf(name));
  return shared;
}

/**
 * What `value` violates of a schema, one entry a place, in the schema's order; empty when it conforms.
 * `partial` forgives absent members: records of a request with `fields` hold only what was asked for
 * (Limits / Pagination, rule 5).
 */
export function violations(schema: SchemaName, value: unknown, options: { partial?: boolean } = {}): Violation[] {
  const validate = ajv().getSchema(`covenant:${schema}`);
  if (validate === undefined) throw new Error(`There is no schema named ${schema}.`);
  validate(value);
  const byPlace = new Map<string, Violation>();
  for (const error of validate.errors ?? []) {
    // `if` only repeats that its `then` has failed.
    if (error.keyword === 'if' || (options.partial && error.keyword === 'required')) continue;
    const violation = violationOf(error);
    if (!byPlace.has(violation.pointer)) byPlace.set(violation.pointer, violation);
  }
  return [...byPlace.values()];
}

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

const formatWords: Record<string, string> = {
  'iso-date-time': 'an ISO 8601 date-time',
  'date-time': 'an RFC 3339 date-time',
  base64: 'a base64 string',
};

// Where a schema here has a `minLength`, it is 1.
const string = ({ format, minLength }: AnySchemaObject): string =>
  formatWords[format] ?? (minLength === undefined ? 'a string' : 'a non-empty string');

/** What a schema asks for. One with a pattern says it itself, in its description. */
function wordsFor(schema: AnySchemaObject | boolean | undefined): string {
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
function excerpt(value: unknown, pointer: string): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'absent';
  const characters = [...value];
  if (secretName.test(pointer) || secretText.test(value)) return `a string of ${characters.length} characters`;
  if (characters.length <= shown) return JSON.stringify(value);
  return `${JSON.stringify(characters.slice(0, shown).join(''))}... (${characters.length} characters)`;
}

type DocumentName = (typeof documents)[number];

/** Where the package is installed, `import.meta.resolve` finds the file of that name; 1 is the number in `format`. */
export const schemaPath = (name: DocumentName): string => `covenant-conformance/schemas/v1/${name}.schema.json`;

/** With `indent` 0 on one line. */
export const documentText = (name: DocumentName, value: object, indent = 2): string =>
  `${JSON.stringify({ $schema: schemaPath(name), ...value }, null, indent)}\n`;
