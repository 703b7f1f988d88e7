// Identifiers of nothing: above every one seen, and what is expected of them.
import { expectStatus, type Random, type Reply } from '../../lib/index.ts';

/** Identifiers stay below it where they allow: a larger one may not even be read as an integer. */
const ceiling = 2 ** 31;

/** Three positive integers above every one seen, far apart. */
export function unknownIds(random: Random, seen: readonly number[]): readonly [number, number, number] {
  const highest = Math.max(0, ...seen);
  const top = highest < ceiling - 1000 ? ceiling : Number.MAX_SAFE_INTEGER;
  const step = Math.floor((top - highest) / 4);
  const near = (place: number) => highest + place * step - random.int(0, Math.floor(Math.min(step, ceiling) / 4));
  return [near(1), near(2), near(3)];
}

/** 404 for two of them; where they disagree one may be somebody else's record, and the third decides. */
export async function expectUnknown(
  [first, second, third]: readonly [number, number, number],
  ask: (id: number) => Promise<Reply>,
): Promise<void> {
  const replies = [await ask(first), await ask(second)] as const;
  const found = replies.filter(({ status }) => status !== 404);
  const [judged] = found.length === 1 ? [await ask(third)] : found;
  expectStatus(judged ?? replies[0], 404);
}
