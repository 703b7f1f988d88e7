// One finding of the doctor: what was looked at, how it is, and what to do about it.

/**
 * `fine`; `missing`: not configured, so something goes untested; `wrong`: configured, and not what it should be;
 * `open`: cannot be known without writing.
 */
export type State = 'fine' | 'missing' | 'wrong' | 'open';

export interface Check {
  /** A variable, or a part of the target. */
  readonly what: string;
  readonly state: State;
  /** One sentence. */
  readonly says: string;
  /** What to do, in one sentence. */
  readonly remedy?: string;
}
