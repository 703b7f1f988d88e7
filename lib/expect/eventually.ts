// Lists and totals may lag behind a write: look again for up to five seconds before judging.

import { Mismatch } from '../client/errors.ts';
import type { Clock } from '../runtime/clock.ts';

/** How long a list may lag, and the pause between two readings of it, in milliseconds. */
export const lagMsMax = 5000;
export const pauseMs = 500;

/** Repeats an expectation until it holds; after five seconds its Mismatch stands. */
export async function eventually<T>(clock: Clock, expectation: () => Promise<T>): Promise<T> {
  const deadline = clock.now() + lagMsMax;
  for (;;) {
    // A look that began in time may have taken longer: only one that begins late is the last.
    const last = clock.now() >= deadline;
    try {
      return await expectation();
    } catch (error) {
      if (!(error instanceof Mismatch) || last) throw error;
      await clock.sleep(Math.max(0, Math.min(pauseMs, deadline - clock.now())));
    }
  }
}
