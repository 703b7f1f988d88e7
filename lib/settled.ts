// Lists and totals may lag behind a write: look again for up to five seconds before judging.
import type { Clock } from './clock.ts';
import { Mismatch } from './outcome.ts';

/** How long a list may lag, in milliseconds. */
const lagMsMax = 5000;
const pauseMs = 500;

/** Repeats an expectation until it holds; after five seconds its Mismatch stands. */
export async function settled<T>(clock: Clock, expectation: () => Promise<T>): Promise<T> {
  const deadline = clock.now() + lagMsMax;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (!(error instanceof Mismatch) || clock.now() >= deadline) throw error;
      await clock.sleep(Math.min(pauseMs, deadline - clock.now()));
    }
  }
}
