// Expectations, each of which throws a Mismatch that says expected before received; and properties on the seed of the run.

import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { operations } from '../catalogue/operations.ts';
import { Mismatch } from '../client/errors.ts';
import { at, dataOf, type Reply, wasAccepted } from '../client/reply.ts';
import type { Random } from '../runtime/random.ts';
import { type SchemaName, violations } from '../schema/schema.ts';

type Seen = Reply | readonly Reply[];
const list = (seen: Seen): readonly Reply[] => (Array.isArray(seen) ? seen : [seen as Reply]);
const either = (words: readonly (number | string)[]): string => words.join(' or ');
const excerptMax = 300;
const excerpt = (reply: Reply): string =>
  reply.text.length > excerptMax ? `${reply.text.slice(0, excerptMax)}…` : reply.text;
const received = (reply: Reply): string => `${reply.status}${reply.text === '' ? ', no body' : ` ${excerpt(reply)}`}`;

/** Any condition that no other function covers. */
export function expectThat(
  holds: boolean,
  message: string,
  { expected, actual, replies = [] }: { expected: unknown; actual: unknown; replies?: Seen },
): asserts holds {
  if (!holds) throw new Mismatch({ message, expected, actual, replies: list(replies) });
}

/** Carried out: any 2xx. The exact status is a requirement of its own. */
export function expectSuccess(
  reply: Reply,
  message = `${reply.operation ?? reply.request.method} should have succeeded`,
): void {
  if (wasAccepted(reply)) return;
  const expected = reply.operation ? operations[reply.operation].success : '2xx';
  throw new Mismatch({
    message,
    expected,
    actual: received(reply),
    replies: [reply],
    refused: true,
  });
}

export function expectStatus(reply: Reply, ...allowed: readonly [number, ...number[]]): void {
  expectThat(allowed.includes(reply.status), `the status should be ${either(allowed)}`, {
    expected: either(allowed),
    actual: received(reply),
    replies: reply,
  });
}

/** Refused for its credentials: 401. */
export function expectUnauthorized(reply: Reply): void {
  expectThat(reply.status === 401, `credential ${reply.credential} should be refused with 401`, {
    expected: 401,
    actual: received(reply),
    replies: reply,
  });
}

/** `error.code` where the document fixes it. */
export function expectCode(reply: Reply, code: 'UNAUTHORIZED' | 'RATE_LIMITED'): void {
  expectEqual(at(reply.json, 'error', 'code'), code, 'error.code', reply);
}

/** A value, `data` unless another is given, conforms to the schema of its record. */
export function expectSchema(reply: Reply, schema: SchemaName, value: unknown = dataOf(reply), where = '/data'): void {
  const [first, ...more] = violations(schema, value);
  if (first === undefined) return;
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  throw new Mismatch({
    message: `${where}${first.pointer} should be ${first.expected}${others}`,
    expected: [first, ...more].map((one) => `${where}${one.pointer}: ${one.expected}`),
    actual: [first, ...more].map((one) => `${where}${one.pointer}: ${one.actual}`),
    replies: [reply],
  });
}

export function expectEqual(actual: unknown, expected: unknown, what: string, replies: Seen): void {
  expectThat(isDeepStrictEqual(actual, expected), `${what} should be ${JSON.stringify(expected)}`, {
    expected,
    actual: actual === undefined ? 'absent' : actual,
    replies,
  });
}

/** Not there: absent or null. */
export function expectAbsent(value: unknown, what: string, replies: Seen): void {
  expectThat(value === undefined || value === null, `${what} should be absent`, {
    expected: 'absent or null',
    actual: value,
    replies,
  });
}

/** A cap of ten keeps nearly all of shrinking's benefit and bounds what it sends. */
const shrinksMax = 10;

/** Rejects with a Mismatch that carries the smallest counterexample found; whatever else the predicate throws passes through. */
export async function property<T>(
  random: Random,
  arbitrary: fc.Arbitrary<T>,
  predicate: (value: T) => Promise<void>,
  runs: number,
): Promise<void> {
  let trouble: { readonly error: unknown } | undefined;
  const bounded = fc.asyncProperty(fc.limitShrink(arbitrary, shrinksMax), async (value) => {
    // Once something else than the target went wrong, nothing more is sent.
    if (trouble) return;
    try {
      await predicate(value);
    } catch (error) {
      if (!(error instanceof Mismatch)) trouble = { error };
      throw error;
    }
  });
  const details = await fc.check(bounded, { seed: random.seed | 0, numRuns: runs });
  if (trouble) throw trouble.error;
  if (!details.failed) return;
  const error = details.errorInstance;
  if (!(error instanceof Mismatch)) throw error ?? new Error('the property ran out of inputs');
  throw new Mismatch({
    ...error.difference,
    counterexample: {
      input: details.counterexample?.[0],
      seed: details.seed,
      path: details.counterexamplePath,
      shrinks: details.numShrinks,
    },
  });
}
