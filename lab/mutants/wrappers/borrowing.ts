// Creations that share one object of defaults: what one record was given is what the next one has where it is given nothing.
import type { Wrap } from '../mutant.ts';
import { isObject, type Json } from './json.ts';
import { altered, instead } from './mutator.ts';

/** Fills a body with what was given to the records before it, except what every record is given. */
export const borrowing =
  (operation: string, required: readonly string[]): Wrap =>
  (honest, clock) => {
    let defaults: Json = {};
    /** A repetition is what it was at first. */
    const bodies = new Map<string, Json>();
    return instead(operation, async (seen, inner) => {
      const { body, request } = seen;
      if (!isObject(body)) return undefined;
      const key = request.headers.get('idempotency-key');
      const name = `${request.headers.get('authorization')} ${key} ${JSON.stringify(body)}`;
      const filled = (key === null ? undefined : bodies.get(name)) ?? { ...defaults, ...body };
      bodies.set(name, filled);
      const response = await inner(await altered(seen, { body: filled }));
      if (response.ok) {
        const optional = Object.entries(body).filter(([member]) => !required.includes(member));
        defaults = { ...defaults, ...Object.fromEntries(optional) };
      }
      return response;
    })(honest, clock);
  };
