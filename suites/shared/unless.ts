// What an error of a step makes of its result: nothing, where its case can go on without.
import { Mismatch, Undecided, Unkept, unless } from '../../lib/index.ts';

/** Undefined if the target does not do it. */
export const unlessMismatch = <T>(work: Promise<T>): Promise<T | undefined> => unless(work, Mismatch);

/** Undefined if the reply was lost; for steps whose result is not needed. */
export const unlessUndecided = <T>(work: Promise<T>): Promise<T | undefined> => unless(work, Undecided);

/** Like `unlessUndecided`, also for a reply too large to keep: a random walk can skip a step. */
export const unlessUndecidedOrUnkept = <T>(work: Promise<T>): Promise<T | undefined> => unless(work, Undecided, Unkept);
