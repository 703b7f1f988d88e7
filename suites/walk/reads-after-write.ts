// Reads right after a refused write or a switch; the duties of every reply and the rules judge what they are answered.
import type { Api, Call, OperationId, Random, Tools } from '../../lib/index.ts';
import { collections } from '../shared/groups.ts';
import { fieldsOf, sorts } from './sample-reads.ts';

type Read = readonly [OperationId, Call?];

const readsOf = (random: Random): readonly Read[] => [
  ...(['GET /me', 'GET /me/accounts', 'GET /me/team-accounts', 'GET /account/team'] as const).map((id): Read => [id]),
  ...(['GET /billing/summary', 'GET /billing/credits/balance'] as const).map((id): Read => [id]),
  ...collections.flatMap((id): Read[] => [[id], [id, { query: { limit: random.int(2, 200) } }]]),
  ...collections.map((id): Read => [id, { query: { sort: random.pick(sorts), limit: 2, offset: random.int(0, 2) } }]),
  ...collections.map((id): Read => [id, { query: { fields: random.pick(fieldsOf[id]), limit: random.int(1, 3) } }]),
  ['GET /api-keys', { query: { limit: 200, offset: 0 } }],
  ['GET /api-keys', { query: { limit: 1, offset: random.int(0, 1) } }],
];

/** Takes the next reads, one unless said otherwise, in an order drawn by the seed; a quick run looks nowhere. */
export function readsAfterWriteBy(
  api: Api,
  { random, effort }: Pick<Tools, 'random' | 'effort'>,
  under: Call = {},
): (count?: number) => Promise<void> {
  const reads = random.shuffled(readsOf(random));
  let next = 0;
  return async (count = 1) => {
    for (const end = next + count; effort !== 'quick' && next < end; next += 1) {
      const [operation, call] = reads[next % reads.length] ?? ['GET /me'];
      await api.send(operation, { ...under, ...call });
    }
  };
}
