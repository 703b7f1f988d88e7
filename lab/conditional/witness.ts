// The oracle: the history played to a mutated server, until a reply differs from the honest one.
import type { Wrap } from '../mutants/mutant.ts';
import { isObject, parsed } from '../mutants/wrappers/mutator.ts';
import { createReference } from '../reference/index.ts';
import { Comparison, nextCursorOf, Pairs } from './compare.ts';
import { type Kept, kept } from './condition.ts';
import { type Exchange, requestOf, wordsOf } from './exchange.ts';
import { historyOn, type Options, scriptClock } from './history.ts';
import { goesAnotherWay } from './leeway.ts';

export interface Witness {
  /** The place of the exchange in the session, from 1. */
  readonly place: number;
  /** In a sentence: what was asked, and how the answer differs. */
  readonly words: string;
}

export interface Suspect {
  readonly reference: Options;
  readonly honest: Options;
  readonly wrap: Wrap;
}

const apartMs = 5_000;
/** timestamp-clock: two may be of two nodes whose clocks differ. */
const times = 3;

/** Whether the time of a server stands still: three replies with one timestamp, each more than five seconds after the one before. */
class Standstill {
  readonly #seen = new Map<string, { last: number; count: number }>();

  /** Takes note of a reply; what is wrong, in words. Stored replies to repeats are excepted. */
  of({ sent }: Exchange, json: unknown): string | undefined {
    const timestamp = isObject(json) ? json.timestamp : undefined;
    if (typeof timestamp !== 'string' || sent.repeat) return undefined;
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

/** In place of a difference: a lawful server may have gone another way. */
const anotherWay = Symbol('another way');

/** Compares the replies of one server with those of the session, one after the other. */
class Judge {
  readonly #pairs = new Pairs();
  readonly #standstill = new Standstill();
  /** Replies that were the same to the letter: what they gave out is looked at when it first matters. */
  #alike: Exchange[] = [];

  request(exchange: Exchange): Request {
    return requestOf(exchange.sent, (kind, first) => this.#pairs.value(kind, first));
  }

  finding(exchange: Exchange, reply: Kept): string | typeof anotherWay | undefined {
    if (isAlike(exchange.reply, reply)) {
      this.#alike.push(exchange);
      const next = nextCursorOf(exchange);
      if (next !== undefined) this.#pairs.replace('cursor', next, next);
      return this.#standstill.of(exchange, exchange.json);
    }
    for (const one of this.#alike) new Comparison(this.#pairs, one).of(one.reply);
    this.#alike = [];
    if (goesAnotherWay(exchange, reply, this.#pairs.value)) return anotherWay;
    return new Comparison(this.#pairs, exchange).of(reply) ?? this.#standstill.of(exchange, parsed(reply.text));
  }
}

const label = 'content-type';
const isAlike = (one: Kept, other: Kept): boolean =>
  one.status === other.status && one.text === other.text && one.headers.get(label) === other.headers.get(label);

/** The first difference that a client would see; undefined: none, as far as the server goes the honest one's way. */
export async function witnessOf({ reference, honest, wrap }: Suspect): Promise<Witness | undefined> {
  const clock = scriptClock();
  const { handler } = await createReference({ ...reference, clock });
  const mutated = wrap(handler, clock);
  const judge = new Judge();
  for (const [index, exchange] of (await historyOn(honest)).entries()) {
    clock.set(exchange.sent.at);
    const reply = await mutated(judge.request(exchange)).then(kept).catch(brokenOff);
    if (reply === undefined) return undefined;
    const finding = typeof reply === 'string' ? reply : judge.finding(exchange, reply);
    if (finding === anotherWay) return undefined;
    if (finding !== undefined) return { place: index + 1, words: `${wordsOf(exchange.sent)}: ${finding}` };
  }
  return undefined;
}

/** A mistake of the wrapper's own, which met what it never meets without a condition, is not what a client can be shown. */
const brokenOff = (error: unknown): string | undefined =>
  error instanceof TypeError ? undefined : `the connection breaks off: ${String(error)}`;
