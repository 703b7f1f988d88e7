// Identifiers that no record has.
import type { Random, Reply } from '../../lib/index.ts';

/** Unknown identifiers stay below this if possible, as some targets use no larger ones. */
export const ceiling = 2 ** 31;

/** Integers that many programs cannot represent. */
const unreadable = ['9007199254740993', '9223372036854775807', '9223372036854775808', '1'.repeat(40)];

/** Three below the ceiling if possible, one whose low 32 bits are those of a seen one, and invalid or unrepresentable ones. */
type UnknownIds = readonly [number, number, number, number, ...string[]];

/** Positive integers above all seen ones, far apart. */
export function unknownIds(random: Random, seen: readonly number[]): UnknownIds {
  const highest = Math.max(0, ...seen);
  const top = highest < ceiling - 1000 ? ceiling : Number.MAX_SAFE_INTEGER;
  const step = Math.floor((top - highest) / 4);
  const near = (place: number) => highest + place * step - random.int(0, Math.floor(Math.min(step, ceiling) / 4));
  const wrapped = random.pick([highest, ...seen]) + 2 ** 32 * random.int(1, 1000);
  return [near(1), near(2), near(3), Math.min(wrapped, Number.MAX_SAFE_INTEGER), '0', '-1', ...unreadable];
}

/** An identifier that does not get 404 may be another user's record: then up to two others are tried. */
export async function tryUnknown(ids: UnknownIds, send: (id: number) => Promise<Reply>): Promise<void> {
  for (const id of ids.slice(0, 3)) if ((await send(Number(id))).status === 404) return;
}
