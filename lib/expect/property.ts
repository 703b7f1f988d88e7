// Properties: fast-check on the run's seed, with bounded shrinking, failures reported with seed and path.
import * as fc from 'fast-check';
import { Mismatch } from '../client/errors.ts';
import type { Random } from '../runtime/random.ts';

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
