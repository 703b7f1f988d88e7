// The reference: a complete and correct implementation of the interface, in process or behind a socket.
import { type Handler, handlerOf } from './handler.ts';
import { type ReferenceOptions, settle } from './options.ts';
import { populate } from './seed.ts';
import { createService } from './service.ts';

export type { Choices } from './choices.ts';
export { choiceValues, defaultChoices } from './choices.ts';
export { type Clock, wallClock } from './clock.ts';
export type { Handler } from './handler.ts';
export type { Limits, RateClass, ReferenceOptions, Tier } from './options.ts';
export type { Served, ServeOptions } from './server.ts';
export { serveReference } from './server.ts';

export interface Reference {
  readonly handler: Handler;
  /** Every COVENANT_* credential except COVENANT_BASE_URL; COVENANT_MINUTE_MS only where it is not 60000. */
  readonly env: Record<string, string>;
}

/** A fresh server with its own invented population. Throws a RangeError on limits that are not positive. */
export async function createReference(options: ReferenceOptions = {}): Promise<Reference> {
  const service = createService(settle(options));
  const env = await populate(service);
  return { handler: handlerOf(service), env };
}
