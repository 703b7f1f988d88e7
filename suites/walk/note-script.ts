// A short life of notes: who lives it, and what is yet to be done.
import type { Api, Call } from '../../lib/index.ts';

/** Who lives, and what stands beside each of the calls. */
export interface Caller {
  readonly api: Api;
  readonly under?: Call;
}

/** What is left when the notes were made and changed. */
export interface NoteScript {
  /** When lists have caught up. */
  readonly late: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}
