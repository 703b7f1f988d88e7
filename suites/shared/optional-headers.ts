// What may stand beside any call without touching the rule that is tried: X-Active-Account, Idempotency-Key and limit.
import { type Call, idempotencyKey, type OperationId, operations, type Random } from '../../lib/index.ts';

/** Lays the next surroundings over a call; what the call says itself goes first. */
export type WithHeaders = (operation: OperationId, call?: Call) => Call;

interface Headers {
  readonly account?: string;
  /** A new one for each call where it is `fresh`. */
  readonly key?: string;
}

/** A new Idempotency-Key, or none. */
export const perhapsKeyed = (random: Random): Pick<Call, 'key'> =>
  random.int(1, 2) === 1 ? { key: idempotencyKey(random) } : {};

/** A new Idempotency-Key, or for certain none: whoever is sent as it may be gets one as often as not. */
export const keyOrNone = (random: Random): { readonly key: string | null } => ({
  key: random.int(1, 2) === 1 ? idempotencyKey(random) : null,
});

/** Keys that differ from a given one in one group only, one for each of its groups. */
export function similarKeys(key: string, random: Random): readonly string[] {
  const others = random.uuid().split('-');
  const groups = key.split('-');
  return groups.map((_, place) => groups.with(place, others[place] ?? '').join('-'));
}

/** A random one of the similar keys. */
export const similarKey = (key: string, random: Random): string => random.shuffled(similarKeys(key, random))[0] ?? key;

/** With nothing but what is in its body, or among what every call may have. */
export const perhapsAsItIs = (random: Random): Pick<Call, 'exactly'> =>
  random.int(1, 2) === 1 ? { exactly: true } : {};

/** Every account with every key in turn, in an order drawn by the seed; every third list is asked for with a limit. */
export function optionalHeaders(
  random: Random,
  accounts: readonly string[],
  usedKeys: readonly string[] = [],
): WithHeaders {
  const named: Headers[] = [{}, ...accounts.map((account) => ({ account }))];
  const keys: Headers[] = [{}, { key: 'fresh' }, ...usedKeys.map((key) => ({ key }))];
  const all = random.shuffled(named.flatMap((one) => keys.map((other) => ({ ...one, ...other }))));
  let count = 0;
  return (operation, call = {}) => {
    const headers = all[count % all.length] ?? {};
    const limited = count % 3 === 0 && ['cursor', 'offset'].includes(operations[operation].list ?? '');
    count += 1;
    const key = headers.key === 'fresh' ? { key: random.uuid() } : {};
    const query = limited ? { query: { limit: random.int(1, 200), ...call.query } } : {};
    return { ...headers, ...key, ...call, ...query };
  };
}
