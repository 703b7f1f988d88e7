// Integers beyond 2^53, which a double cannot hold: the run uses a smaller number for each, and shows the real one
// outside.
import type { Sent } from './reply.ts';
import type { Transport, WireReply } from './transports/transport.ts';

/** Below 2^53, each with sixteen digits, and far enough apart that a count from one never reaches another. */
const firstInside = 2 ** 52 + 1;
const step = 1_000_003;

const isLarge = (literal: string): boolean => /^-?\d+$/.test(literal) && !Number.isSafeInteger(Number(literal));
const likely = /\d{16}/;
/** Matches JSON texts first, so that no number inside a text is taken for a number. */
const literals = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** As JSON.parse, with each integer that it would round as a text of its digits. */
export const parseExactly = (json: string): unknown =>
  JSON.parse(likely.test(json) ? json.replace(literals, (one) => (isLarge(one) ? `"${one}"` : one)) : json);

export class LargeIntegers {
  /** By their digits. */
  private readonly inside = new Map<string, string>();
  private readonly outside = new Map<string, string>();

  /** The text with the real digits. */
  written(text: string): string {
    if (this.outside.size === 0) return text;
    return text.replace(/(?<!\d)\d{16}(?!\d)/g, (digits) => this.outside.get(digits) ?? digits);
  }

  /** The same for every text in a value of JSON. */
  writtenIn<T>(value: T): T {
    return this.outside.size === 0 ? value : JSON.parse(this.written(JSON.stringify(value)));
  }

  /** The same transport with the run's numbers on this side. */
  through(transport: Transport): Transport {
    return async (sent, limits) => this.received(await transport(this.sent(sent), limits));
  }

  private sent(sent: Sent): Sent {
    return this.outside.size === 0 ? sent : inRequest(sent, this.outside);
  }

  /** A recorded request, whose large integers earlier replies showed. */
  asked(request: Sent): Sent {
    return inRequest(request, this.inside);
  }

  received(reply: WireReply): WireReply {
    if (!likely.test(reply.body)) return reply;
    const body = reply.body.replace(literals, (one) => (isLarge(one) ? this.numberFor(one) : one));
    return { ...reply, body };
  }

  private numberFor(digits: string): string {
    const known = this.inside.get(digits);
    if (known !== undefined) return known;
    const number = String(firstInside + step * this.inside.size);
    this.inside.set(digits, number);
    this.outside.set(number, digits);
    return number;
  }
}

/**
 * Replaces the identifiers in the path, the numbers in the body, and headers that are one, as X-Active-Account can be.
 * Other texts stay as they are: cursors, names, and identifiers that hold the digits of a number.
 */
function inRequest({ method, url, headers, body }: Sent, numbers: ReadonlyMap<string, string>): Sent {
  const known = (digits: string): string => numbers.get(digits) ?? digits;
  return {
    method,
    url: url.replace(/^[^?#]*/, (path) => path.replace(/(?<!\d)\d{16,}(?!\d)/g, known)),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, known(value)])),
    ...(body !== undefined && { body: body.replace(literals, known) }),
  };
}
