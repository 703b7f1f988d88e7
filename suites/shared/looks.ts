// One read right after each write that was refused: what it answers the duties of every reply and the look back judge.
import type { Api, Call, OperationId, Random, Reply, Tools } from '../../lib/index.ts';
import { collections } from './groups.ts';

type Read = readonly [OperationId, Call?];

const readsOf = (random: Random): readonly Read[] => [
  ...(['GET /me', 'GET /me/accounts', 'GET /me/team-accounts', 'GET /account/team'] as const).map((id): Read => [id]),
  ...(['GET /billing/summary', 'GET /billing/credits/balance'] as const).map((id): Read => [id]),
  ...collections.flatMap((id): Read[] => [[id], [id, { query: { limit: random.int(2, 200) } }]]),
  ['GET /api-keys', { query: { limit: 200, offset: 0 } }],
];

/** Takes one read after the other, in an order drawn by the seed; a quick run looks nowhere. */
export function looksBy(
  api: Api,
  { random, effort }: Pick<Tools, 'random' | 'effort'>,
  under: Call = {},
): () => Promise<Reply | undefined> {
  const reads = random.shuffled(readsOf(random));
  let next = 0;
  return async () => {
    const [operation, call] = reads[next % reads.length] ?? ['GET /me'];
    next += 1;
    return effort === 'quick' ? undefined : api.send(operation, { ...under, ...call });
  };
}
