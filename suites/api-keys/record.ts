// What the reply to a creation and the list show of a new key.
import { expectEqual, expectThat, instant, type JsonObject, NotTested, type Reply, wordOf } from '../../lib/index.ts';
import { expectInteger } from '../shared/fields.ts';
import { keyPrefix } from '../shared/keys.ts';
import { idOf, type Keys } from './listing.ts';

/** A creation that was accepted. */
export interface CreatedKey {
  readonly label: string;
  readonly reply: Reply;
  readonly record: JsonObject;
}

export function expectId({ record, reply }: CreatedKey, others: readonly CreatedKey[]): void {
  const { id } = record;
  expectInteger(id, 'id of a new key', reply);
  const same = others.find((one) => one.record.id === id);
  expectThat(same === undefined, 'every key should have an id of its own', {
    expected: 'two ids',
    actual: id,
    replies: same ? [same.reply, reply] : reply,
  });
}

/** That a label is not cut is a requirement of its own. */
export function expectLabel({ record, label, reply }: CreatedKey): void {
  if (typeof record.label === 'string' && [...record.label].length !== [...label].length)
    throw new NotTested('the label was cut');
  expectEqual(record.label, label, 'label', reply);
}

export function expectSecret({ record, reply }: CreatedKey): void {
  const secret = record.api_key;
  const fits = typeof secret === 'string' && secret.startsWith(keyPrefix) && secret.length > keyPrefix.length;
  expectThat(fits, `api_key of a new key should begin with ${keyPrefix}`, {
    expected: `a text that begins with ${keyPrefix}`,
    actual: typeof secret === 'string' ? `a text that begins with ${secret.slice(0, keyPrefix.length)}` : secret,
    replies: reply,
  });
}

export function expectPrefix({ record, reply }: CreatedKey): void {
  const { api_key: secret, key_prefix: prefix } = record;
  if (typeof secret !== 'string') throw new NotTested('the creation returned no secret');
  expectThat(
    typeof prefix === 'string' && prefix !== '' && secret.startsWith(prefix),
    'key_prefix should begin the key',
    {
      expected: `the first characters of the key`,
      actual: prefix ?? 'absent',
      replies: reply,
    },
  );
}

export const expectDateTime = (value: unknown, what: string, reply: Reply): void =>
  expectThat(typeof value === 'string' && instant(value) !== undefined, `${what} should be a date-time`, {
    expected: 'an ISO 8601 date-time',
    actual: value ?? 'absent',
    replies: reply,
  });

/** Two spellings of one moment may differ in what they cut off. */
const sameMoment = (one: unknown, other: unknown): boolean =>
  Math.abs((instant(wordOf(one))?.ms ?? Number.NaN) - (instant(wordOf(other))?.ms ?? Number.NaN)) < 1000;

export function expectListed({ record, reply }: CreatedKey, { items, replies }: Keys): void {
  const item = items.find((one) => idOf(one) === idOf(record));
  if (!item) throw new NotTested('the new key is not in the list');
  const seen = [reply, ...replies];
  expectEqual(item.id, record.id, 'id in the list', seen);
  expectEqual(item.label, record.label, 'label in the list', seen);
  expectEqual(item.key_prefix, record.key_prefix, 'key_prefix in the list', seen);
  const same = item.created_at === record.created_at || sameMoment(item.created_at, record.created_at);
  expectThat(same, 'created_at in the list should be that of the creation', {
    expected: record.created_at,
    actual: item.created_at ?? 'absent',
    replies: seen,
  });
  const used = item.last_used_at;
  if (used !== undefined && used !== null) expectDateTime(used, 'last_used_at', replies[0] ?? reply);
}

export const expectContained = (made: readonly CreatedKey[], { ids: shown, replies }: Keys): void => {
  const missing = made.filter(({ record }) => !shown.includes(idOf(record)));
  expectThat(missing.length === 0, 'every new key should be in the list', {
    expected: made.map(({ record }) => idOf(record)),
    actual: { missing: missing.map(({ record }) => idOf(record)) },
    replies,
  });
};

export function expectUsed(made: readonly CreatedKey[], { items, replies }: Keys): void {
  for (const { record } of made) {
    const item = items.find((one) => idOf(one) === idOf(record));
    if (!item) throw new NotTested('the new key is not in the list');
    const used = item.last_used_at;
    expectThat(used !== undefined && used !== null, 'a key that was used should have last_used_at', {
      expected: 'a date-time',
      actual: used ?? 'absent',
      replies,
    });
  }
}
