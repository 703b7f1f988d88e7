// Identifiers of nothing: above every one seen, and what is expected of them.
import { expectStatus, type Random, type Reply, type Tools } from '../../lib/index.ts';

/** Identifiers stay below it where they allow: a larger one may not even be read as an integer. */
const ceiling = 2 ** 31;

export type UnknownIds = readonly [number, number, number];

/** Three positive integers above every one seen, far apart. */
export function unknownIds(random: Random, seen: readonly number[]): UnknownIds {
  const highest = Math.max(0, ...seen);
  const top = highest < ceiling - 1000 ? ceiling : Number.MAX_SAFE_INTEGER;
  const step = Math.floor((top - highest) / 4);
  const near = (place: number) => highest + place * step - random.int(0, Math.floor(Math.min(step, ceiling) / 4));
  return [near(1), near(2), near(3)];
}

/**
 * 404 for two of them; where they disagree one may be another user's record, and the third decides.
 * A quick run asks for the second only where the first is found.
 */
export async function expectUnknown(
  [first, second, third]: UnknownIds,
  effort: Tools['effort'],
  ask: (id: number) => Promise<Reply>,
): Promise<void> {
  const one = await ask(first);
  if (one.status === 404 && effort === 'quick') return;
  const other = await ask(second);
  if (one.status !== 404 && other.status !== 404) expectStatus(one, 404);
  if (one.status !== other.status) expectStatus(await ask(third), 404);
}
