// When whatever follows from what has happened so far is done, as far as it waits for nothing from outside.
import { nextTick } from 'node:process';

const now = Promise.resolve();

/** A tick comes once no promise has anything left to do; the event loop need not turn for it. */
export function whenQuiet(work: () => void): void {
  now.then(() => nextTick(work));
}
