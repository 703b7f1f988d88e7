// Requests under an Idempotency-Key: what a repetition has in common with the first.
import type { Seen } from './mutator.ts';

/** The same for each repetition of a request by one caller; undefined where it has no key. */
export function repetitionOf({ request }: Pick<Seen, 'request'>): string | undefined {
  const key = request.headers.get('idempotency-key');
  return key === null ? undefined : `${request.headers.get('authorization')} ${request.method} ${request.url} ${key}`;
}

/** Whether each request is the first under its key; without a key all are. */
export function firstUnderKeys(): (seen: Pick<Seen, 'request'>) => boolean {
  const met = new Set<string>();
  return (seen) => {
    const name = repetitionOf(seen);
    if (name === undefined) return true;
    const isFirst = !met.has(name);
    met.add(name);
    return isFirst;
  };
}
