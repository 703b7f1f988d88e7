// What is thrown to refuse a request: a status, a cause and a message. It is nobody's mistake, so it holds no stack.

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
