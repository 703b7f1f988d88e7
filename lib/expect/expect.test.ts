// Each expectation holds and fails as it should, and says expected before received.
import { describe, expect, test } from 'vitest';
import { Mismatch } from '../client/errors.ts';
import { replyOf } from '../client/reply.test-data.ts';
import * as say from './expect.ts';

const reply = (status: number, json: unknown = {}) => replyOf({ status, text: JSON.stringify(json), json });

const unauthorized = reply(401, { error: { code: 'UNAUTHORIZED' } });
const deletion = (deleted: unknown) => reply(200, { data: { deleted } });

const table: readonly [name: string, holds: () => void, fails: () => void, expected: unknown][] = [
  [
    'expectThat',
    () => say.expectThat(true, 'm', { expected: 1, actual: 1 }),
    () => say.expectThat(false, 'm', { expected: 1, actual: 2 }),
    1,
  ],
  ['expectSuccess', () => say.expectSuccess(reply(201)), () => say.expectSuccess(reply(404)), 200],
  [
    'expectStatus',
    () => say.expectStatus(reply(404), 403, 404),
    () => say.expectStatus(reply(200), 403, 404),
    '403 or 404',
  ],
  ['expectUnauthorized', () => say.expectUnauthorized(unauthorized), () => say.expectUnauthorized(reply(403)), 401],
  [
    'expectCode',
    () => say.expectCode(unauthorized, 'UNAUTHORIZED'),
    () => say.expectCode(reply(401), 'UNAUTHORIZED'),
    'UNAUTHORIZED',
  ],
  [
    'expectSchema',
    () => say.expectSchema(deletion(true), 'deletion'),
    () => say.expectSchema(deletion('yes'), 'deletion'),
    expect.any(Array),
  ],
  [
    'expectEqual',
    () => say.expectEqual({ a: [1] }, { a: [1] }, 'x', reply(200)),
    () => say.expectEqual(undefined, 1, 'x', reply(200)),
    1,
  ],
  [
    'expectAbsent',
    () => say.expectAbsent(null, 'x', reply(200)),
    () => say.expectAbsent(0, 'x', reply(200)),
    'absent or null',
  ],
];

describe.each(table)('%s', (name, holds, fails, expected) => {
  test(`${name} holds`, () => expect(holds).not.toThrow());

  test(`${name} fails with what was expected`, () => {
    try {
      fails();
    } catch (error) {
      expect(error).toBeInstanceOf(Mismatch);
      expect(error).toMatchObject({ difference: { expected } });
      return;
    }
    expect.unreachable();
  });
});
