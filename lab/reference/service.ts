// What every operation works with: settings, records, tokens, limits and what was carried out under a key, built once for each server.
import type { Choices } from './choices.ts';
import { Limiter } from './limiter.ts';
import { anonymousValidations, type Limits, type RateClass, type Settings, type Tier } from './options.ts';
import { type Random, randomText, seededRandom } from './random.ts';
import { rateLimited } from './refusal.ts';
import { Store } from './store.ts';
import { Tokens } from './tokens.ts';
import { Wire } from './wire.ts';

export interface Service {
  readonly settings: Settings;
  readonly choices: Choices;
  readonly random: Random;
  readonly store: Store;
  readonly tokens: Tokens;
  readonly limiter: Limiter;
  readonly memory: IdempotencyMemory;
  readonly wire: Wire;
}

export function createService(settings: Settings): Service {
  const { choices } = settings;
  const random = seededRandom(settings.seed);
  const store = new Store(choices.firstIdentifier);
  return {
    settings,
    choices,
    random,
    store,
    tokens: new Tokens(randomText(random, 48), store),
    limiter: new Limiter(settings.minuteMs, choices),
    memory: new IdempotencyMemory(),
    wire: new Wire(choices),
  };
}

/** The limits in force for a tier; where all clients share one budget of validations, it is the anonymous one. */
export function limitsInForce(service: Service, tier: Tier): Limits {
  const limits = service.settings.tiers[tier];
  return service.choices.validateBudget === 'client' ? { ...limits, validate: anonymousValidations } : limits;
}

const wordings: Record<Choices['waitMessage'], (seconds: number) => string> = {
  wait: (seconds) => `Rate limit exceeded. Please wait ${seconds} seconds before retrying.`,
  after: (seconds) => `Too many requests, retry after ${seconds} s`,
  in: (seconds) => `Rate limit exceeded, try again in ${seconds} seconds`,
  'seconds-first': (seconds) => `${seconds} seconds must pass before the next request`,
};

/** Counts a request against an owner's budget of one class; refuses with 429 when it is spent. */
export function spend(service: Service, owner: string, of: RateClass, limit: number, now: number): void {
  const seconds = service.limiter.spend(`${owner} ${of}`, limit, now);
  const { waitMessage, retryAfter } = service.choices;
  if (seconds > 0) throw rateLimited(seconds, wordings[waitMessage](seconds), retryAfter);
}

/** A reply, and the body that it answered. */
interface Finished {
  readonly at: number;
  readonly bodyText: string;
  readonly status: number;
  readonly data: unknown;
  readonly text: string;
}

const lifetimeMs = 24 * 3_600_000;
/** The maximum number of remembered writes; beyond it the oldest is forgotten before its 24 hours are over. */
const capacity = 10_000;

export class IdempotencyMemory {
  /** Oldest first, because a Map keeps the order of insertion. */
  readonly #finished = new Map<string, Finished>();

  find(name: string, now: number): Finished | undefined {
    const finished = this.#finished.get(name);
    return finished !== undefined && now - finished.at < lifetimeMs ? finished : undefined;
  }

  keep(name: string, finished: Finished): void {
    this.#finished.delete(name);
    this.#finished.set(name, finished);
    for (const [oldest, { at }] of this.#finished) {
      if (finished.at - at < lifetimeMs && this.#finished.size <= capacity) return;
      this.#finished.delete(oldest);
    }
  }
}
