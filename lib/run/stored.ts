// Writes a ledger's entry down, and ends the run where the disk does not take it.
import { Ended } from '../client/errors.ts';
import type { Entry } from '../client/ledger.ts';
import { NotWritten } from '../runtime/disk.ts';

/** What is announced must be stored before it is sent; what is already done only makes a later clean-up shorter. */
const isAnnounced = ({ entry }: Entry): boolean => entry === 'intend' || entry === 'switch';

/** @throws Ended where a request was announced that must not be sent now. */
export function stored(entry: Entry, record: ((entry: Entry) => void) | undefined, end: (why: Ended) => void): void {
  try {
    record?.(entry);
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    const ended = new Ended(`${error.message}; without it a run makes nothing that it could not find again`);
    end(ended);
    if (isAnnounced(entry)) throw ended;
  }
}
