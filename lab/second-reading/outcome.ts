// What an operation comes to when it is not refused, and what is sent for it.
import type { Row } from './records.ts';

export interface Outcome {
  status: number;
  data: unknown;
  pagination?: Row;
  headers?: Record<string, string>;
  /** The data as they are at a later time; undefined when the record is gone. */
  again?: () => Row | undefined;
}

/** A reply, whatever will carry it. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
}
