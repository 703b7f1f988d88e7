// Compares records member by member, so that a failure names the member.
import {
  at,
  dataOf,
  expectThat,
  identifierNames,
  identifierOf,
  isObject,
  type JsonObject,
  type RecordKind,
  type Reply,
  textsIn,
} from '../../lib/index.ts';

type Seen = Reply | readonly Reply[];

const inOrder = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));

const isNothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Drops nulls and empty lists and sorts members: nodes of two releases may differ in both. */
export const normalized = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_, one: unknown) =>
    isNothing(one) ? undefined : isObject(one) ? inOrder(one) : one,
  ) ?? null;

/** Reduces inner records to the members that `wanted` has. */
export function narrowed(value: unknown, wanted: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(wanted)) return value.map((one, index) => narrowed(one, wanted[index]));
  if (!isObject(value) || !isObject(wanted)) return value;
  const both = Object.entries(value).filter(([name]) => name in wanted);
  return Object.fromEntries(both.map(([name, one]) => [name, narrowed(one, wanted[name])]));
}

export function expectInteger(value: unknown, what: string, replies: Seen): void {
  expectThat(Number.isInteger(value), `${what} should be an integer`, {
    expected: 'an integer',
    actual: value ?? 'absent',
    replies,
  });
}

/** The identifier in the reply to a creation; throws a Mismatch where it is not an integer. */
export function integerId(kind: 'company' | 'note', reply: Reply): number {
  const id = identifierOf(kind, dataOf(reply));
  expectThat(typeof id === 'number' && Number.isInteger(id), `a new ${kind} should have an integer identifier`, {
    expected: `an integer under id, ${kind}_id, uid or number, or in an inner record such as ref`,
    actual: id === undefined ? 'absent' : id,
    replies: reply,
  });
  return id;
}

export const sameMember = (one: unknown, other: unknown, name: string): boolean =>
  JSON.stringify(normalized(at(one, name))) === JSON.stringify(normalized(at(other, name)));

const e164 = /^\+[1-9]\d{6,14}$/;

/** Whether requested `phones` are shown as E.164 numbers in whatever member. */
export function holdsNumbers(asked: readonly string[], value: unknown): boolean {
  const texts = textsIn(value);
  const isOfPhones = texts.length > 0 || Array.isArray(value);
  return asked.includes('phones') && isOfPhones && texts.every((text) => e164.test(text));
}

/** Members beyond the known ones, and the names of the identifier. */
export function furtherFields(record: JsonObject, known: readonly string[], kind: RecordKind): string {
  const names = Object.keys(record).sort();
  const carrying = identifierNames(kind, record);
  // The identifier of another kind may be the same number.
  const isOwn = (name: string) => !name.endsWith('_id') || name === `${kind}_id`;
  const identifiers = names.filter((name) => !known.includes(name) && carrying.includes(name) && isOwn(name));
  const further = names.filter((name) => !known.includes(name) && !identifiers.includes(name));
  return `identifier: ${identifiers.join(' and ') || 'none'}; beyond the inputs: ${further.join(', ') || 'nothing'}`;
}
