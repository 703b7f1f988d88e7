// What is known before a candidate is tried: where in the history its trigger holds, and where its base change has an
// effect.
import type { Handler } from '../reference/index.ts';
import type { Base } from './bases.ts';
import { kept, replyIn, responseOf, unrelatedReply } from './condition.ts';
import { type Exchange, requestOf } from './exchange.ts';
import { historyOn, historyStart, type Options, scriptClock } from './history.ts';
import { callersOf, Tracker } from './tracker.ts';
import type { Moment, Trigger } from './trigger.ts';

const plainly = (exchange: Exchange): Request => requestOf(exchange.sent, (_, first) => first);

async function follow(options: Options): Promise<readonly Moment[]> {
  const tracker = new Tracker(callersOf(options, historyStart));
  const moments: Moment[] = [];
  for (const exchange of await historyOn(options)) {
    const { sent, reply } = exchange;
    const request = plainly(exchange);
    const moment = await tracker.meet(request, sent.at);
    moments.push(sent.method === 'GET' ? { ...moment, ...replyIn(reply) } : moment);
    await tracker.learn(moment, new URL(request.url).pathname, responseOf(reply), sent.at);
  }
  return moments;
}

/** Computed once for each name. */
function remembering<Value>(compute: () => Value, name: string, known: Map<string, Value>): Value {
  const value = known.get(name) ?? compute();
  known.set(name, value);
  return value;
}

const followed = new Map<string, Promise<readonly Moment[]>>();

/** What a trigger looks at, for each exchange of the history. */
export const momentsOf = (options: Options): Promise<readonly Moment[]> =>
  remembering(() => follow(options), JSON.stringify(options), followed);

const compared = ['authorization', 'x-active-account', 'idempotency-key', 'content-type', 'x-origin-app'];

/** The server as it was in the history: it shows what the base does with each exchange. */
class Replay {
  #exchange: Exchange | undefined;
  #original: Request | undefined;
  #asked = 0;
  #altered = false;

  begin(exchange: Exchange): Request {
    this.#exchange = exchange;
    this.#original = plainly(exchange);
    this.#asked = 0;
    this.#altered = false;
    return this.#original.clone();
  }

  readonly inner: Handler = async (request) => {
    const [exchange, original] = [this.#exchange, this.#original];
    if (exchange === undefined || original === undefined) return unrelatedReply();
    if (request.method !== original.method || request.url !== original.url) {
      this.#altered = true;
      return unrelatedReply();
    }
    this.#asked += 1;
    this.#altered ||= compared.some((name) => request.headers.get(name) !== original.headers.get(name));
    this.#altered ||= request.method !== 'GET' && (await request.clone().text()) !== (await original.clone().text());
    return responseOf(exchange.reply);
  };

  /** Whether the base did more than pass the exchange on. */
  async isTouched(answered: Promise<Response> | undefined): Promise<boolean> {
    const other = await answered?.then(kept).catch(() => undefined);
    const honest = this.#exchange?.reply;
    if (this.#altered || this.#asked !== 1 || other === undefined || honest === undefined) return true;
    const label = 'content-type';
    return (
      other.status !== honest.status ||
      other.text !== honest.text ||
      other.headers.get(label) !== honest.headers.get(label)
    );
  }
}

/** Where in the history a base has an effect, computed as far as needed. */
class Touched {
  readonly #history: readonly Exchange[];
  readonly #clock = scriptClock();
  readonly #replay = new Replay();
  readonly #handler: Handler | undefined;
  readonly #known: boolean[] = [];
  /** Questions in order: each continues the history where the last one stopped. */
  #turn: Promise<void> = Promise.resolve();

  constructor(history: readonly Exchange[], { wrap }: Base) {
    this.#history = history;
    this.#handler = wrap?.(this.#replay.inner, this.#clock);
  }

  async at(place: number): Promise<boolean> {
    // Where there is no handler the condition is within the base: it may do something everywhere.
    if (this.#handler !== undefined && this.#known.length <= place) {
      this.#turn = this.#turn.then(() => this.#advance(place));
      await this.#turn;
    }
    return this.#known[place] ?? this.#handler === undefined;
  }

  async #advance(place: number): Promise<void> {
    for (const exchange of this.#history.slice(this.#known.length, place + 1)) {
      this.#clock.set(exchange.sent.at);
      const request = this.#replay.begin(exchange);
      this.#known.push(await this.#replay.isTouched(this.#handler?.(request)));
    }
  }
}

const touched = new Map<string, Touched>();
const held = new Map<string, Promise<readonly boolean[]>>();

/** For each exchange of the history, whether the trigger holds. */
const placesOf = (trigger: Trigger, options: Options): Promise<readonly boolean[]> =>
  remembering(
    async () => (await momentsOf(options)).map(trigger.holds),
    `${JSON.stringify(options)} ${trigger.words}`,
    held,
  );

/** Whether the trigger holds for some of what the base touches, and not for all of it: a condition, and one that is met. */
export async function isPromising(base: Base, trigger: Trigger): Promise<boolean> {
  const history = await historyOn(base.honest);
  const places = remembering(() => new Touched(history, base), base.id, touched);
  const met = new Set<boolean>();
  for (const [index, holds] of (await placesOf(trigger, base.honest)).entries()) {
    if (!met.has(holds) && (await places.at(index))) met.add(holds);
    if (met.size === 2) return true;
  }
  return false;
}
