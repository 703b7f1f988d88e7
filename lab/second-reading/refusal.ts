// What a request comes to: an outcome that is sent as a reply, or a refusal that is thrown and holds no stack, as it is nobody’s mistake.
import type { Row } from './records.ts';

export type Cause =
  | 'bad_request'
  | 'broken_json'
  | 'missing_origin_app'
  | 'no_active_account'
  | 'missing_slug'
  | 'empty_text'
  | 'cursor_with_sort'
  | 'bad_cursor'
  | 'bad_parameter'
  | 'unauthorized'
  | 'rate_limited'
  | 'missing_scope'
  | 'not_allowed'
  | 'not_found'
  | 'account_not_found'
  | 'company_not_found'
  | 'note_not_found'
  | 'key_not_found'
  | 'organization_not_found'
  | 'invalid_field'
  | 'missing_field'
  | 'unknown_field'
  | 'invalid_phone'
  | 'blank_text'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'key_limit_reached'
  | 'idempotency_conflict';

export class Refusal {
  readonly status: number;
  readonly cause: Cause;
  readonly message: string;
  readonly field: string | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, cause: Cause, message: string, field?: string, headers: Record<string, string> = {}) {
    this.status = status;
    this.cause = cause;
    this.message = message;
    this.field = field;
    this.headers = headers;
  }
}

/** Throws a refusal; the status may be the text of a choice. */
export function refuse(status: number | `${number}`, cause: Cause, message: string, field?: string): never {
  throw new Refusal(Number(status), cause, message, field);
}

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
