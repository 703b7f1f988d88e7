// Checks of single fields, shared by companies, contacts, notes and keys.
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
