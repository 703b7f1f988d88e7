// Reads again while a list may lag behind a write; the last reading is judged, whatever it shows.
import { lagMsMax, pauseMs, type Tools } from '../../lib/index.ts';

/** Looks until it is right, or until lists have had their five seconds since `changedAt`; the last look is returned either way. */
export async function eventuallySeen<T>(
  clock: Tools['clock'],
  changedAt: number,
  look: () => Promise<T>,
  right: (seen: T) => boolean,
): Promise<T> {
  const calmAt = changedAt + lagMsMax;
  for (;;) {
    const late = clock.now() > calmAt;
    const seen = await look();
    if (late || right(seen)) return seen;
    await clock.sleep(Math.max(1, Math.min(pauseMs, calmAt + 1 - clock.now())));
  }
}
