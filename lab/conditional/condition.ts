// Puts a mutant under a condition: the wrapper sees every request, but the client gets its reply only if the trigger
// holds.
import type { VirtualClock } from '../../lib/runtime/virtual-clock.ts';
import type { Wrap } from '../mutants/mutant.ts';
import { isObject } from '../mutants/wrappers/mutator.ts';
import type { Handler, ReferenceOptions } from '../reference/index.ts';
import { callersOf, Tracker } from './tracker.ts';
import type { Moment, Trigger } from './trigger.ts';

/** A reply that can be given more than once. */
export interface Kept {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export async function kept(response: Response): Promise<Kept> {
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}
export const responseOf = ({ status, text, headers }: Kept): Response =>
  new Response(text === '' ? null : text, { status, headers });

/** One request of the client, while the wrapper handles it. */
interface WrappedRequest {
  readonly request: Request;
  /** The reply of the honest server; absent: it has not been asked yet. */
  readonly answered: Kept | undefined;
  /** The wrapper only observes: it gets the honest reply, and its own reply goes nowhere. */
  readonly dryRun: boolean;
  consumed: boolean;
}

/** Marks the requests that a wrapper sends for one request; wrappers copy the headers of what they alter. */
const markHeader = 'x-lab-scene';
const identity = ['authorization', 'x-active-account'];

/** The honest server as the wrapper sees it. */
class ConditionedServer {
  readonly #honest: Handler;
  readonly #scenes = new Map<string, WrappedRequest>();
  #count = 0;

  constructor(honest: Handler) {
    this.#honest = honest;
  }

  readonly inner: Handler = async (request) => {
    const wrapped = this.#scenes.get(request.headers.get(markHeader) ?? '');
    if (wrapped?.answered === undefined) return this.#honest(request);
    const { request: original, answered, dryRun } = wrapped;
    const same = request.method === original.method && request.url === original.url;
    if (dryRun) return same ? responseOf(answered) : unrelatedReply();
    const own = same && identity.every((name) => request.headers.get(name) === original.headers.get(name));
    if (!own || wrapped.consumed) return this.#honest(request);
    wrapped.consumed = true;
    return responseOf(answered);
  };

  /** The wrapper's reply. */
  async send(mutated: Handler, request: Request, answered: Kept | undefined, dryRun: boolean): Promise<Response> {
    this.#count += 1;
    const name = String(this.#count);
    this.#scenes.set(name, { request, answered, dryRun, consumed: false });
    const marked = request.clone();
    marked.headers.set(markHeader, name);
    try {
      return await mutated(marked);
    } finally {
      this.#scenes.delete(name);
    }
  }
}

/** The reply to a request of its own that an observing wrapper sends. */
export const unrelatedReply = (): Response =>
  Response.json({ error: { code: 'DRY_RUN', message: 'not now' } }, { status: 503 });

/** The honest reply as triggers look at it. */
export function replyIn({ status, text }: Kept): Pick<Moment, 'reply'> {
  if (status >= 300) return {};
  const json: unknown = JSON.parse(text);
  return isObject(json) ? { reply: json } : {};
}

const pathOf = ({ url }: Request): string => new URL(url).pathname;

type Options = Omit<ReferenceOptions, 'clock'>;

/**
 * `base` under a condition. Both sides work on one state: where the trigger does not hold the honest server answers, and
 * the wrapper is only shown the exchange, so that what it remembers of the traffic is complete.
 */
export const conditioned =
  (trigger: Trigger, base: Wrap, reference: Options): Wrap =>
  (honest, clock) => {
    const tracker = new Tracker(callersOf(reference, clock.now()));
    const server = new ConditionedServer(honest);
    const mutated = base(server.inner, clock);
    return async (request) => {
      const moment = await tracker.meet(request, clock.now());
      const early =
        trigger.looksAtReply && request.method === 'GET' ? await kept(await honest(request.clone())) : undefined;
      const holds = trigger.holds(early ? { ...moment, ...replyIn(early) } : moment);
      let response: Response;
      if (holds) response = await server.send(mutated, request, early, false);
      else {
        const answered = early ?? (await kept(await honest(request.clone())));
        await server.send(mutated, request, answered, true).catch(() => undefined);
        response = responseOf(answered);
      }
      await tracker.learn(moment, pathOf(request), response, clock.now());
      return response;
    };
  };

/** Marks the requests for which a trigger holds, for a wrapper that has the condition within itself. */
export const marking =
  (trigger: Trigger, base: Wrap, reference: Options): Wrap =>
  (honest, clock: VirtualClock) => {
    const tracker = new Tracker(callersOf(reference, clock.now()));
    const mutated = base(honest, clock);
    return async (request) => {
      const moment = await tracker.meet(request, clock.now());
      const marked = request.clone();
      if (trigger.holds(moment)) marked.headers.set(heldHeader, 'yes');
      const response = await mutated(marked);
      await tracker.learn(moment, pathOf(request), response, clock.now());
      return response;
    };
  };

const heldHeader = 'x-lab-held';
export const isHeld = ({ request }: { readonly request: Request }): boolean => request.headers.has(heldHeader);
