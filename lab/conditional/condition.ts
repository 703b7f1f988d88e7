// The construction: the wrapper sees every request, and only where the trigger holds does the client get what it makes of it.
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

/** One request of the client, while the wrapper deals with it. */
interface Scene {
  readonly request: Request;
  /** What the honest server has answered; absent: it has not been asked yet. */
  readonly answered: Kept | undefined;
  /** The wrapper only looks on: it is shown the honest reply, and whatever else it does reaches nobody. */
  readonly dryRun: boolean;
  consumed: boolean;
}

/** Marks the requests that come out of one scene; wrappers copy the headers of what they alter. */
const sceneHeader = 'x-lab-scene';
const identity = ['authorization', 'x-active-account'];

/** The honest server as the wrapper meets it. */
class Stage {
  readonly #honest: Handler;
  readonly #scenes = new Map<string, Scene>();
  #count = 0;

  constructor(honest: Handler) {
    this.#honest = honest;
  }

  readonly inner: Handler = async (request) => {
    const scene = this.#scenes.get(request.headers.get(sceneHeader) ?? '');
    if (scene?.answered === undefined) return this.#honest(request);
    const { request: original, answered, dryRun } = scene;
    const same = request.method === original.method && request.url === original.url;
    if (dryRun) return same ? responseOf(answered) : offStage();
    const own = same && identity.every((name) => request.headers.get(name) === original.headers.get(name));
    if (!own || scene.consumed) return this.#honest(request);
    scene.consumed = true;
    return responseOf(answered);
  };

  /** The wrapper's answer. */
  async play(mutated: Handler, request: Request, answered: Kept | undefined, dryRun: boolean): Promise<Response> {
    this.#count += 1;
    const name = String(this.#count);
    this.#scenes.set(name, { request, answered, dryRun, consumed: false });
    const marked = request.clone();
    marked.headers.set(sceneHeader, name);
    try {
      return await mutated(marked);
    } finally {
      this.#scenes.delete(name);
    }
  }
}

/** What a wrapper that only looks on gets for a request of its own. */
export const offStage = (): Response =>
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
    const stage = new Stage(honest);
    const mutated = base(stage.inner, clock);
    return async (request) => {
      const moment = await tracker.meet(request, clock.now());
      const early =
        trigger.looksAtReply && request.method === 'GET' ? await kept(await honest(request.clone())) : undefined;
      const holds = trigger.holds(early ? { ...moment, ...replyIn(early) } : moment);
      let response: Response;
      if (holds) response = await stage.play(mutated, request, early, false);
      else {
        const answered = early ?? (await kept(await honest(request.clone())));
        await stage.play(mutated, request, answered, true).catch(() => undefined);
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
