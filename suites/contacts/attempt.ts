// Work that one check judges; the checks that need its result become NotTested if it fails.
import { Mismatch, NotTested } from '../../lib/index.ts';

interface Attempt<T> {
  readonly held: boolean;
  /** Returns the result for the check that judges the work, or throws its error. */
  judged(): T;
  /** Returns the result for the other checks. A Mismatch becomes NotTested. */
  value(): T;
}

export async function attempt<T>(work: Promise<T>): Promise<Attempt<T>> {
  try {
    const value = await work;
    return { held: true, judged: () => value, value: () => value };
  } catch (error) {
    const own = error instanceof Mismatch && !error.difference.replies?.some(({ doubt }) => doubt !== undefined);
    const blocking = own
      ? new NotTested(`what this starts from did not hold: ${error.message}`, ...(error.difference.replies ?? []))
      : error;
    return {
      held: false,
      judged: () => {
        throw error;
      },
      value: () => {
        throw blocking;
      },
    };
  }
}
