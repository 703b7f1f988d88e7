// The oracle: the long session played to a mutated server, until a reply differs from the honest one.
import { createReference, type Handler } from '../../../reference/index.ts';
import type { Wrap } from '../../mutant.ts';
import { type Kept, kept } from '../condition.ts';
import { Comparison, nextCursorOf } from './compare.ts';
import { type Deviation, deviationOf } from './deviations.ts';
import { parsed } from './envelope.ts';
import { type Exchange, requestOf, wordsOf } from './exchange.ts';
import { Pairs } from './pairs.ts';
import { type ScriptClock, scriptClock } from './script-clock.ts';
import { type Options, sessionOtherwise, sessionStart } from './session.ts';
import { Standstill } from './standstill.ts';

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

/** What a comparison comes to: a difference, in words, or another way that a lawful server may go as well. */
type Finding = string | { readonly otherwise: Deviation } | undefined;

/** Compares the replies of one server with those of the session, one after the other. */
class Judge {
  readonly #pairs = new Pairs();
  readonly #standstill = new Standstill();
  /** Replies that were the same to the letter: what they gave out is looked at when it first matters. */
  #alike: Exchange[] = [];

  request(exchange: Exchange): Request {
    return requestOf(exchange.sent, (kind, first) => this.#pairs.value(kind, first));
  }

  finding(exchange: Exchange, reply: Kept): Finding {
    if (isAlike(exchange.reply, reply)) {
      this.#alike.push(exchange);
      const next = nextCursorOf(exchange);
      if (next !== undefined) this.#pairs.replace('cursor', next, next);
      return this.#standstill.of(exchange, exchange.json);
    }
    for (const one of this.#alike) new Comparison(this.#pairs, one).of(one.reply);
    this.#alike = [];
    const otherwise = deviationOf(exchange, reply, this.#pairs);
    if (otherwise !== undefined) return { otherwise };
    return new Comparison(this.#pairs, exchange).of(reply) ?? this.#standstill.of(exchange, parsed(reply.text));
  }
}

const label = 'content-type';
const isAlike = (one: Kept, other: Kept): boolean =>
  one.status === other.status && one.text === other.text && one.headers.get(label) === other.headers.get(label);

/** The mutated server, and the honest one below it: both work on one state. */
interface Stage {
  readonly mutated: Handler;
  readonly honest: Handler;
  readonly clock: ScriptClock;
}

async function stageOf({ reference, wrap }: Suspect): Promise<Stage> {
  const clock = scriptClock(sessionStart);
  const { handler } = await createReference({ ...reference, clock });
  return { mutated: wrap(handler, clock), honest: handler, clock };
}

/** Whether a reply under an X-Active-Account that is ignored is another than without the header. */
async function unlikeIgnoring(exchange: Exchange, request: Request, reply: Kept, honest: Handler): Promise<Finding> {
  const bare = new Request(request);
  bare.headers.delete('x-active-account');
  const own = await kept(await honest(bare));
  const sent = { ...exchange.sent, judged: 'exact' } as const;
  return new Comparison(new Pairs(), { ...exchange, sent, reply: own, json: parsed(own.text) }).of(reply);
}

type Ending = Witness | { readonly place: number; readonly otherwise: Deviation } | undefined;

/** Plays the session to its end, or to what makes an end of it. */
async function played(suspect: Suspect, session: readonly Exchange[]): Promise<Ending> {
  const { mutated, honest, clock } = await stageOf(suspect);
  const judge = new Judge();
  for (const [index, exchange] of session.entries()) {
    clock.set(exchange.sent.at);
    const request = judge.request(exchange);
    const reply = await mutated(request).then(kept).catch(brokenOff);
    if (reply === undefined) return undefined;
    let finding: Finding;
    if (typeof reply === 'string') finding = reply;
    else if (exchange.sent.judged === 'ignorable' && reply.status < 300)
      finding = await unlikeIgnoring(exchange, request, reply, honest);
    else finding = judge.finding(exchange, reply);
    if (typeof finding === 'string') return { place: index + 1, words: `${wordsOf(exchange.sent)}: ${finding}` };
    if (finding !== undefined) return { place: index, ...finding };
  }
  return undefined;
}

/** The first difference that a lawful client would see; undefined: none, the server is as good as honest. */
export async function witnessOf(suspect: Suspect): Promise<Witness | undefined> {
  const deviations = new Map<number, Deviation>();
  for (;;) {
    const ending = await played(suspect, await sessionOtherwise(suspect.honest, deviations));
    if (ending === undefined || 'words' in ending) return ending;
    deviations.set(ending.place, ending.otherwise);
  }
}

/** A mistake of the wrapper's own, which met what it never meets without a condition, is not what a client can be shown. */
const brokenOff = (error: unknown): string | undefined =>
  error instanceof TypeError ? undefined : `the connection breaks off: ${String(error)}`;
