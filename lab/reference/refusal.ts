// Refusals: what a rule throws to answer with an error envelope (Errors).

/** An error reply. The codes of 401 and 429 are the document's, the others are this implementation's own. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'VALIDATION_ERROR',
  500: 'INTERNAL_ERROR',
};

/** A refusal with the usual code of the status. */
export function refuse(status: number, message: string, headers?: Readonly<Record<string, string>>): Refusal {
  return new Refusal(status, codes[status] ?? 'ERROR', message, headers);
}

export const unauthorized = () => refuse(401, 'Invalid or expired authentication token');
export const notFound = (what: string) => refuse(404, `${what} not found`);

/** A refusal over the rate limit; `message` contains the seconds to wait (Errors, 429). */
export function rateLimited(seconds: number, message: string, retryAfter: boolean): Refusal {
  return new Refusal(429, 'RATE_LIMITED', message, retryAfter ? { 'Retry-After': String(seconds) } : {});
}
