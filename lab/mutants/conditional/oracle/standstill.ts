// Whether the time of a server stands still: three replies with one timestamp, each more than five seconds after the one before.
import { isObject } from '../../wrappers/json.ts';
import type { Exchange } from './exchange.ts';

const apartMs = 5_000;
/** timestamp-clock: two may be of two nodes whose clocks differ. */
const times = 3;

export class Standstill {
  readonly #seen = new Map<string, { last: number; count: number }>();

  /** Takes note of a reply; what is wrong, in words. Stored replies to repeats are excepted. */
  of({ sent }: Exchange, json: unknown): string | undefined {
    const timestamp = isObject(json) ? json.timestamp : undefined;
    if (typeof timestamp !== 'string' || sent.repeat === true) return undefined;
    const seen = this.#seen.get(timestamp);
    if (seen === undefined) this.#seen.set(timestamp, { last: sent.at, count: 1 });
    else if (sent.at - seen.last > apartMs) {
      seen.last = sent.at;
      seen.count += 1;
      if (seen.count === times) return `timestamp is ${timestamp} for the third time`;
    }
    return undefined;
  }
}
