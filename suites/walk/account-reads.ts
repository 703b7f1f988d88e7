// The same question asked by callers of several accounts, one right after the other: the rules judge whose account each is shown.
import type { OperationId, Random } from '../../lib/index.ts';
import { orLost } from '../shared/attempt.ts';
import type { Caller } from './note-script.ts';

/** What shows an account by single values. */
const views = [
  'GET /billing/summary',
  'GET /billing/credits/balance',
  'GET /me/team-accounts',
  'GET /account/team',
] as const satisfies readonly OperationId[];

/** The first caller begins each time, and the others do not wait: whoever remembers its answer for too long shows them that one. */
export async function readFromAccounts([first, ...others]: readonly Caller[], random: Random): Promise<void> {
  const asked = random
    .shuffled(views)
    .flatMap((operation) =>
      [...(first ? [first] : []), ...random.shuffled(others)].map((caller) => ({ operation, caller })),
    );
  await Promise.all(asked.map(({ operation, caller: { api, under = {} } }) => orLost(api.send(operation, under))));
}
