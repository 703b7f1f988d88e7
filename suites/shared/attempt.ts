// Work that one check judges and others rest on: they are not tested where it failed.
import { Mismatch, NotTested, Undecided, Unkept } from '../../lib/index.ts';

export interface Attempt<T> {
  readonly held: boolean;
  /** For the check that judges it: throws what the work threw. */
  judged(): T;
  /** For the checks that rest on it: throws NotTested where the work ended in a Mismatch. */
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

const unless = <T>(work: Promise<T>, ...kinds: readonly (new (...of: never[]) => Error)[]): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (kinds.some((kind) => error instanceof kind)) return undefined;
    throw error;
  });

/** Undefined where the target does not do it. */
export const orNothing = <T>(work: Promise<T>): Promise<T | undefined> => unless(work, Mismatch);

/** Undefined where the target does not do it, or is not known to let the caller. */
export const ifPossible = <T>(work: Promise<T>): Promise<T | undefined> => unless(work, Mismatch, NotTested);

/** Undefined where a reply was lost on its way, and what comes next does not rest on it. */
export const orLost = <T>(work: Promise<T>): Promise<T | undefined> => unless(work, Undecided);

/** Also where a reply was too large to keep: of a random walk one step less proves nothing. */
export const orPassedOver = <T>(work: Promise<T>): Promise<T | undefined> => unless(work, Undecided, Unkept);
