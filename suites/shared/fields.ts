// Members of records compared one by one, so that a failure names the member.
import {
  at,
  expectEqual,
  expectThat,
  identifierNames,
  type JsonObject,
  type RecordKind,
  type Reply,
  textsIn,
} from '../../lib/index.ts';

type Seen = Reply | readonly Reply[];

/** What is null within a member may as well be absent: nodes of two releases may differ in it. */
export const given = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_, one: unknown) => (one === null ? undefined : one)) ?? null;

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
