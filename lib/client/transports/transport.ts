// The one seam through which a request leaves: a function from a request to a reply.
import type { Sent } from '../reply.ts';

export interface WireReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Limits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Rejects with `NoReply` where no reply came, and with the signal's reason where the run was stopped. */
export type Transport = (request: Sent, limits: Limits) => Promise<WireReply>;

/** No reply came: nothing listens, the name is unknown, TLS failed, the connection broke, or time ran out. */
export class NoReply extends Error {
  override readonly name = 'NoReply';
}
