// The oracle: the long session played to a mutated server, until a reply differs from the honest one.
import { createReference } from '../../../reference/index.ts';
import type { Wrap } from '../../mutant.ts';
import { type Kept, kept } from '../condition.ts';
import { Comparison, Pairs } from './compare.ts';
import { type Exchange, requestOf, wordsOf } from './exchange.ts';
import { scriptClock } from './script-clock.ts';
import { type Options, sessionOn, sessionStart } from './session.ts';

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

/** Compares the replies of one server with those of the session, one after the other. */
class Judge {
  readonly #pairs = new Pairs();
  /** Replies that were the same to the letter: what they gave out is looked at when it first matters. */
  #alike: Exchange[] = [];

  request(exchange: Exchange): Request {
    return requestOf(exchange.sent, (kind, first) => this.#pairs.value(kind, first));
  }

  difference(exchange: Exchange, request: Request, reply: Kept): string | undefined {
    if (isAlike(exchange.reply, reply)) {
      this.#alike.push(exchange);
      return undefined;
    }
    for (const one of this.#alike) this.#compare(one, this.request(one), one.reply);
    this.#alike = [];
    return this.#compare(exchange, request, reply);
  }

  #compare(exchange: Exchange, { url }: Request, reply: Kept): string | undefined {
    const cursor = exchange.sent.path.includes('cursor=') ? new URL(url).searchParams.get('cursor') : null;
    return new Comparison(this.#pairs, exchange, cursor).of(reply);
  }
}

const label = 'content-type';
const isAlike = (one: Kept, other: Kept): boolean =>
  one.status === other.status && one.text === other.text && one.headers.get(label) === other.headers.get(label);

/** The first difference that a lawful client would see; undefined: none, the server is as good as honest. */
export async function witnessOf({ reference, honest, wrap }: Suspect): Promise<Witness | undefined> {
  const session = await sessionOn(honest);
  const clock = scriptClock(sessionStart);
  const server = await createReference({ ...reference, clock });
  const handler = wrap(server.handler, clock);
  const judge = new Judge();
  for (const [index, exchange] of session.entries()) {
    clock.set(exchange.sent.at);
    const request = judge.request(exchange);
    const reply = await handler(request).then(kept).catch(brokenOff);
    if (reply === undefined) return undefined;
    const difference = typeof reply === 'string' ? reply : judge.difference(exchange, request, reply);
    if (difference !== undefined) return { place: index + 1, words: `${wordsOf(exchange.sent)}: ${difference}` };
  }
  return undefined;
}

/** A mistake of the wrapper's own, which met what it never meets without a condition, is not what a client can be shown. */
const brokenOff = (error: unknown): string | undefined =>
  error instanceof TypeError ? undefined : `the connection breaks off: ${String(error)}`;
