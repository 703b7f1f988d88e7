// Tests of underOneKey: a refused write keeps its Idempotency-Key, any other outcome gets a new one.
import { describe, expect, test } from 'vitest';
import { replyOf } from '../../lib/client/reply.test-data.ts';
import type { Api, Reply } from '../../lib/index.ts';
import { seededRandom } from '../../lib/runtime/random.ts';
import { underOneKey } from './writes.ts';

/** Sends one request per status (undefined: lost). Returns for each key the index of its first use. */
async function keysOf(answers: readonly (number | undefined)[]): Promise<readonly number[]> {
  const left = [...answers];
  const keys: (string | undefined)[] = [];
  const send = async (_: string, { key }: { key?: string }): Promise<Reply> => {
    keys.push(key);
    const status = left.shift();
    if (status === undefined) throw new Error('lost on its way');
    return replyOf({ status });
  };
  const look = underOneKey({ send } as unknown as Api, seededRandom(1), 'POST /contacts', {});
  for (const _ of answers) await look().catch(() => undefined);
  expect(keys).not.toContain(undefined);
  return keys.map((key) => keys.indexOf(key));
}

describe('a write under one Idempotency-Key', () => {
  test('stays the same request while it is refused', async () => {
    expect(await keysOf([429, 429, 429])).toEqual([0, 0, 0]);
  });

  test('changes once it was accepted: a replay need not count', async () => {
    expect(await keysOf([429, 201, 429, 429])).toEqual([0, 0, 2, 2]);
  });

  test('changes once its reply was lost, because it may have been carried out', async () => {
    expect(await keysOf([429, undefined, 201, 429])).toEqual([0, 0, 2, 3]);
  });
});
