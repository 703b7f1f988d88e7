// Lawful limiters for tests: each says of a moment whether one more request is accepted.
export const minuteMs = 60_000;

export interface Window {
  /** Requests accepted per window. */
  readonly limit: number;
  /** The limit of each next window, where windows differ. */
  readonly limits?: Iterable<number>;
  /** Windows begin at full minutes plus this offset; if absent, with the first request. */
  readonly alignedAt?: number;
}

/** A limiter by fixed windows. */
export function windows({ limit, limits = [], alignedAt }: Window): (now: number) => boolean {
  const next = limits[Symbol.iterator]();
  let window = { start: Number.NEGATIVE_INFINITY, used: 0, limit };
  return (now) => {
    const start = alignedAt === undefined ? now : Math.floor((now - alignedAt) / minuteMs) * minuteMs + alignedAt;
    if (now >= window.start + minuteMs) window = { start, used: 0, limit: next.next().value ?? limit };
    window.used += 1;
    return window.used <= window.limit;
  };
}

/** A limiter by a sliding minute, which counts what it accepted. */
export function sliding(limit: number): (now: number) => boolean {
  const accepted: number[] = [];
  return (now) => {
    const isFree = accepted.filter((at) => at > now - minuteMs).length < limit;
    if (isFree) accepted.push(now);
    return isFree;
  };
}

/** A token bucket. */
export function bucket(limit: number): (now: number) => boolean {
  let [tokens, at] = [limit, 0];
  return (now) => {
    tokens = Math.min(limit, tokens + ((now - at) * limit) / minuteMs);
    at = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
