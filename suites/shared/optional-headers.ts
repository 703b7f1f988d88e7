// Adds optional parts to calls that must not change the result: X-Active-Account, Idempotency-Key and `limit`.
import { type Call, idempotencyKey, type OperationId, operations, type Random } from '../../lib/index.ts';

interface Headers {
  readonly account?: string;
  /** `fresh` is replaced by a new key for each call. */
  readonly key?: string;
}

/** A new Idempotency-Key, or the client's choice. */
export const perhapsKeyed = (random: Random): Pick<Call, 'key'> =>
  random.int(1, 2) === 1 ? { key: idempotencyKey(random) } : {};

/** A new Idempotency-Key, or explicitly none. */
export const keyOrNone = (random: Random): { readonly key: string | null } => ({
  key: random.int(1, 2) === 1 ? idempotencyKey(random) : null,
});

/** For each group of the key, a key that differs only there. */
export function similarKeys(key: string, random: Random): readonly string[] {
  const others = random.uuid().split('-');
  const groups = key.split('-');
  return groups.map((_, place) => groups.with(place, others[place] ?? '').join('-'));
}

export const similarKey = (key: string, random: Random): string => random.shuffled(similarKeys(key, random))[0] ?? key;

/** Half of the time `exactly`: the client sends the request unchanged. */
export const perhapsAsItIs = (random: Random): Pick<Call, 'exactly'> =>
  random.int(1, 2) === 1 ? { exactly: true } : {};

/**
 * Adds the next combination of accounts and keys, in an order drawn by the seed, to a call, whose own values take
 * precedence; every third list gets a `limit`.
 */
export function optionalHeaders(
  random: Random,
  accounts: readonly string[],
  usedKeys: readonly string[] = [],
): (operation: OperationId, call?: Call) => Call {
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
