// The schemas, compiled on first use, and what a value violates of them in words for people.
import { createRequire } from 'node:module';
import type { AnySchemaObject, ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { instant } from './instant.ts';

const envelopes = ['success', 'plain-list', 'cursor-list', 'offset-list', 'error'] as const;
const records = [
  'me',
  'account',
  'active-account',
  'team-member',
  'api-key',
  'api-key-created',
  'deletion',
  'health',
  'validation',
  'billing-summary',
  'credits',
  'company',
  'note',
  'contact',
  'phone',
] as const;

/** The files `schemas/<name>.schema.json`. */
export const schemaNames = [...envelopes, ...records, 'report'] as const;
export type SchemaName = (typeof schemaNames)[number];
export type RecordName = (typeof records)[number];

export interface Violation {
  /** JSON pointer into the value; '' is the value itself. */
  readonly pointer: string;
  /** What the schema asks for at that place, such as `a non-empty string`. */
  readonly expected: string;
  /** What stands there: a short excerpt, a description of anything long or secret, or `absent`. */
  readonly actual: string;
}

const absent = 'absent';
const base64 = /^(?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}(?:==)?|[a-z\d+/]{3}=?)?$/i;

/** Formats of our own. Other validators may ignore them, as JSON Schema allows. */
const formats = {
  'iso-date-time': { words: 'an ISO 8601 date-time', test: (text: string) => instant(text) !== undefined },
  // Either alphabet (+/ or -_), with or without padding, not mixed.
  base64: {
    words: 'base64',
    test: (text: string) => base64.test(text) || (!/[+/]/.test(text) && base64.test(text.replace(/[-_]/g, '+'))),
  },
} as const;

const types: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** The words for each keyword that narrows a type. `minLength` is 1 wherever it is used and reads as `non-empty`. */
const narrowing: Record<string, (limit: unknown) => string> = {
  format: (name) => `(${name === 'base64' || name === 'iso-date-time' ? formats[name].words : name})`,
  maxLength: (limit) => `of at most ${limit} characters`,
  minimum: (limit) => `of at least ${limit}`,
  exclusiveMinimum: (limit) => `greater than ${limit}`,
  maximum: (limit) => `of at most ${limit}`,
};

/** What a schema asks for, in words. A schema with a pattern says it itself, in its description. */
function wordsFor(schema: AnySchemaObject | boolean | undefined): string {
  if (typeof schema !== 'object') return 'any value';
  if (schema.pattern !== undefined) return schema.description;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return `one of ${schema.enum.map((value: unknown) => JSON.stringify(value)).join(', ')}`;
  // In these schemas null alone marks a member that must not be given.
  if (schema.type === 'null') return 'null or absent';
  const named = [schema.type].flat().map((type: string) => types[type] ?? type);
  const kind =
    schema.minLength === undefined ? named.join(' or ') : named.join(' or ').replace('a string', 'a non-empty string');
  const narrowed = Object.entries(narrowing).filter(([keyword]) => schema[keyword] !== undefined);
  return [kind, ...narrowed.map(([keyword, words]) => words(schema[keyword]))].join(' ');
}

const secretName = /(?:api_?key|token|secret|password|authorization)$/i;
const secretText = /svc_sk_|eyJ/;

/** A short excerpt. What may be a credential is described, never shown, not even in part. */
function excerpt(value: unknown, pointer: string): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return JSON.stringify(value) ?? absent;
  const length = [...value].length;
  if (secretName.test(pointer) || secretText.test(value)) return `a string of ${length} characters`;
  return length <= 60 ? JSON.stringify(value) : `${JSON.stringify(value.slice(0, 50))}... (${length} characters)`;
}

function violationOf(error: ErrorObject): Violation {
  if (error.keyword !== 'required') {
    return {
      pointer: error.instancePath,
      expected: wordsFor(error.parentSchema),
      actual: excerpt(error.data, error.instancePath),
    };
  }
  const member = String(error.params.missingProperty);
  const pointer = `${error.instancePath}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return { pointer, expected: wordsFor(error.parentSchema?.properties?.[member]), actual: absent };
}

let shared: Ajv2020 | undefined;

/** One ajv for the process; it compiles each schema when it is first asked for and keeps it. */
function ajv(): Ajv2020 {
  if (shared !== undefined) return shared;
  // createRequire, because importing JSON prints a warning on Node 20.
  const load = createRequire(import.meta.url);
  shared = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, verbose: true });
  addFormats.default(shared, ['date-time']);
  for (const [name, { test }] of Object.entries(formats)) shared.addFormat(name, test);
  for (const name of schemaNames) shared.addSchema(load(`../schemas/${name}.schema.json`));
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
