// Reading the body of a request: its media type, its JSON, and its fields one by one.
import type { Choices } from './choices.ts';
import type { Row } from './records.ts';
import { refuse } from './refusal.ts';
import type { Visit } from './visit.ts';

export type FieldKind = 'text' | 'url' | 'email' | 'integer' | 'boolean' | 'phones';

export type Fields = Readonly<Record<string, FieldKind>>;

type Status = '400' | '422';

export interface FieldRules {
  wrongType: Status;
  urls: 'any-text' | Status;
  emails: 'any-text' | Status;
}

export function lengthOf(text: string, unit: Choices['lengthUnit']): number {
  if (unit === 'utf16' || text.length < 256) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function isMissing(body: Row, name: string): boolean {
  return body[name] === undefined || body[name] === null;
}

export function refuseMissing(status: Status, name: string): never {
  return refuse(status, 'missing_field', `${name} is required.`, name);
}

export function refuseUnknownMembers(visit: Visit, body: Row, known: Fields): void {
  const { unknownMembers } = visit.choices;
  if (unknownMembers === 'ignored') return;
  for (const name of Object.keys(body)) {
    if (!Object.hasOwn(known, name)) refuse(unknownMembers, 'unknown_field', `${name} is not a known field.`, name);
  }
}

/** Checks one value that is neither undefined nor null. */
export function checkValue(name: string, value: unknown, kind: FieldKind, rules: FieldRules): void {
  if (!hasKind(value, kind)) refuse(rules.wrongType, 'invalid_field', `${name} has the wrong type.`, name);
  if (kind === 'url' && rules.urls !== 'any-text' && !isWebAddress(String(value))) {
    refuse(rules.urls, 'invalid_field', `${name} must be a URL.`, name);
  }
  if (kind === 'email' && rules.emails !== 'any-text' && !/^[^\s@]+@[^\s@]+$/.test(String(value))) {
    refuse(rules.emails, 'invalid_field', `${name} must be an e-mail address.`, name);
  }
}

/** The members of a new record: those given, with null as the choice has it. */
export function readGiven(visit: Visit, body: Row, fields: Fields, rules: FieldRules): Row {
  const { nullOnCreate } = visit.choices;
  const given: Row = {};
  for (const [name, kind] of Object.entries(fields)) {
    const value = body[name];
    if (value === undefined) continue;
    if (value === null) {
      if (nullOnCreate !== 'as-absent') refuse(nullOnCreate, 'invalid_field', `${name} must not be null.`, name);
      continue;
    }
    checkValue(name, value, kind, rules);
    given[name] = value;
  }
  return given;
}

function hasKind(value: unknown, kind: FieldKind): boolean {
  if (kind === 'integer') return Number.isSafeInteger(value);
  if (kind === 'boolean') return typeof value === 'boolean';
  if (kind === 'phones') return Array.isArray(value);
  return typeof value === 'string';
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]+/i.test(text) && URL.canParse(text);
}

const MAXIMUM = 256 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

export function checkMedia(visit: Visit): void {
  const { choices, call } = visit;
  if (call.body === '') return;
  const header = call.header('content-type');
  if (header === undefined || header === '') {
    if (choices.contentTypeMissing === 'accepted') return;
    refuse(choices.contentTypeMissing, 'unsupported_media_type', 'Content-Type: application/json is required.');
  }
  if (header === 'application/json') return;
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isJson = type === 'application/json' || (choices.jsonSuffix === 'as-json' && type.endsWith('+json'));
  if (!isJson && choices.contentTypeOther !== 'accepted') {
    refuse(choices.contentTypeOther, 'unsupported_media_type', 'Content-Type must be application/json.');
  }
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && choices.charsetOther === '415') {
    refuse(415, 'unsupported_media_type', 'Bodies must be UTF-8.');
  }
}

/** The body as an object; whatever else it is, is refused. No body may count as an empty object. */
export function readObject(visit: Visit, empty: Choices['bodyEmpty'] = visit.choices.bodyEmpty): Row {
  const { choices, call } = visit;
  if (choices.bodyMaximum === '256k' && call.body.length > MAXIMUM) {
    refuse(413, 'body_too_large', 'The body is too large.');
  }
  if (call.body.trim() === '') {
    return empty === 'as-object' ? {} : refuse(choices.jsonBroken, 'broken_json', 'A JSON body is required.');
  }
  const value = parse(visit);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(choices.bodyNotObject, 'bad_request', 'The body must be a JSON object.');
  }
  return value as Row;
}

function parse(visit: Visit): unknown {
  const { choices, call } = visit;
  const marked = call.body.startsWith(BYTE_ORDER_MARK) && choices.bodyMark === 'skipped';
  try {
    return JSON.parse(marked ? call.body.slice(1) : call.body);
  } catch {
    return refuse(choices.jsonBroken, 'broken_json', 'The body is not valid JSON.');
  }
}
