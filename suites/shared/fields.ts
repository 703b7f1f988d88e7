// Members of records compared one by one, so that a failure names the member.
import {
  at,
  expectEqual,
  expectThat,
  identifierNames,
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

/**
 * What is null or an empty list may as well be absent, and members come in any order: nodes of two releases may differ
 * in both.
 */
export const given = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_, one: unknown) =>
    isNothing(one) ? undefined : isObject(one) ? inOrder(one) : one,
  ) ?? null;

/** Of what stands within a member only what `wanted` shows there as well. */
export function narrowed(value: unknown, wanted: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(wanted)) return value.map((one, index) => narrowed(one, wanted[index]));
  if (!isObject(value) || !isObject(wanted)) return value;
  const both = Object.entries(value).filter(([name]) => name in wanted);
  return Object.fromEntries(both.map(([name, one]) => [name, narrowed(one, wanted[name])]));
}

/** Each named member of `record` has the value it has in `wanted`; null and absent are the same. */
export function expectFields(
  record: unknown,
  wanted: unknown,
  names: readonly string[],
  what: string,
  replies: Seen,
): void {
  for (const name of names) expectEqual(given(at(record, name)), given(at(wanted, name)), `${what}: ${name}`, replies);
}

export function expectInteger(value: unknown, what: string, replies: Seen): void {
  expectThat(Number.isInteger(value), `${what} should be an integer`, {
    expected: 'an integer',
    actual: value ?? 'absent',
    replies,
  });
}

export const sameMember = (one: unknown, other: unknown, name: string): boolean =>
  JSON.stringify(given(at(one, name))) === JSON.stringify(given(at(other, name)));

const e164 = /^\+[1-9]\d{6,14}$/;

/** The E.164 numbers of phones that were asked for may stand anywhere in their contact. */
export function holdsNumbers(asked: readonly string[], value: unknown): boolean {
  const texts = textsIn(value);
  const isOfPhones = texts.length > 0 || Array.isArray(value);
  return asked.includes('phones') && isOfPhones && texts.every((text) => e164.test(text));
}

/** The members that a record has beyond the given ones, and under which names its identifier comes. */
export function furtherFields(record: JsonObject, known: readonly string[], kind: RecordKind): string {
  const names = Object.keys(record).sort();
  const carrying = identifierNames(kind, record);
  // Another kind's identifier may happen to be the same number.
  const isOwn = (name: string) => !name.endsWith('_id') || name === `${kind}_id`;
  const identifiers = names.filter((name) => !known.includes(name) && carrying.includes(name) && isOwn(name));
  const further = names.filter((name) => !known.includes(name) && !identifiers.includes(name));
  return `identifier: ${identifiers.join(' and ') || 'none'}; beyond the inputs: ${further.join(', ') || 'nothing'}`;
}
