// Lists and totals may lag behind a write: look again for up to five seconds before judging.

import type { Clock } from '../runtime/clock.ts';

/** How long a list may lag behind a write, in milliseconds. */
export const lagMsMax = 5000;
/** Between two readings of it, in milliseconds. */
const pauseMs = 500;

/**
 * Looks until what is seen is right, or until lists have had their five seconds since `changedAt`; the last look is
 * returned either way. `pauseMsAfter` says how long to pause after a look, where not half a second.
 */
export async function eventuallySeen<T>(
  clock: Clock,
  changedAt: number,
  look: () => Promise<T>,
  right: (seen: T) => boolean,
  pauseMsAfter: (seen: T) => number | undefined = () => undefined,
): Promise<T> {
  const calmAt = changedAt + lagMsMax;
  for (;;) {
    // A read that started in time may have taken longer: only one that starts late is the last.
    const last = clock.now() > calmAt;
    const seen = await look();
    if (last || right(seen)) return seen;
    await clock.sleep(Math.max(1, Math.min(pauseMsAfter(seen) ?? pauseMs, calmAt + 1 - clock.now())));
  }
}
