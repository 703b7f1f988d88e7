// The sort parameter of lists.
import type { Choices } from './choices.ts';
import type { Listed } from './collection.ts';
import type { Row } from './records.ts';
import { refuse } from './refusal.ts';
import type { Visit } from './visit.ts';

type Value = string | number | boolean | null | undefined;

/** How to get, by the name of a field, the value that is compared. */
export interface Sortable<T> {
  few: readonly string[];
  many: readonly string[];
  value(record: T, name: string): unknown;
  /** A refusal of sort altogether. */
  refused?: boolean;
}

/** The value of a record that shows what was given beside its times. */
export function recordValue(
  record: { id: number; created: number; updated: number; given: Row },
  name: string,
): unknown {
  if (name === 'id') return record.id;
  if (name === 'created_at') return record.created;
  return name === 'updated_at' ? record.updated : record.given[name];
}

interface Term {
  name: string;
  sign: 1 | -1;
}

export function sortBy<T extends Listed>(
  visit: Visit,
  items: readonly T[],
  sortable: Sortable<T>,
  text: string,
): readonly T[] {
  const { choices } = visit;
  if (sortable.refused === true) refuse(400, 'bad_parameter', 'This list cannot be sorted.', 'sort');
  if (choices.sortSupport === 'offset-only') return items;
  if (choices.sortSupport !== 'supported')
    refuse(choices.sortSupport, 'bad_parameter', 'sort is not supported.', 'sort');
  const terms = readTerms(choices, sortable, text);
  if (terms === undefined) {
    if (choices.sortUnknown === 'offset-only') return items;
    return refuse(choices.sortUnknown, 'bad_parameter', 'This value of sort is not supported.', 'sort');
  }
  return [...items].sort((a, b) => compareRecords(a, b, terms, sortable, choices));
}

function readTerms<T>(choices: Choices, sortable: Sortable<T>, text: string): Term[] | undefined {
  const parts = text.split(',');
  if (parts.length > 1 && choices.sortSeveral === 'refused') return undefined;
  const known = choices.sortFields === 'few' ? sortable.few : sortable.many;
  const terms = parts.map((part) => readTerm(part, choices.sortColon === 'accepted'));
  return terms.every((term) => known.includes(term.name)) ? terms : undefined;
}

function readTerm(part: string, colon: boolean): Term {
  if (part.startsWith('-')) return { name: part.slice(1), sign: -1 };
  if (colon && part.endsWith(':desc')) return { name: part.slice(0, -5), sign: -1 };
  return { name: colon && part.endsWith(':asc') ? part.slice(0, -4) : part, sign: 1 };
}

function compareRecords<T extends Listed>(a: T, b: T, terms: Term[], sortable: Sortable<T>, choices: Choices): number {
  for (const { name, sign } of terms) {
    const left = sortable.value(a, name) as Value;
    const right = sortable.value(b, name) as Value;
    const order = compareValues(left, right, choices);
    if (order !== 0) return order * sign;
  }
  return a.rank - b.rank;
}

function compareValues(a: Value, b: Value, choices: Choices): number {
  const emptyA = a === undefined || a === null;
  const emptyB = b === undefined || b === null;
  if (emptyA || emptyB) {
    if (emptyA && emptyB) return 0;
    return emptyA === (choices.sortEmpties === 'first') ? -1 : 1;
  }
  const left = keyOf(a, choices);
  const right = keyOf(b, choices);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function keyOf(value: string | number | boolean, choices: Choices): string | number | boolean {
  return typeof value === 'string' && choices.sortCollation === 'case-blind' ? value.toLowerCase() : value;
}
