// The same question asked by callers of several accounts, one right after the other: the look back judges whose account each is shown.
import type { OperationId, Random } from '../../lib/index.ts';
import { orLost } from './attempt.ts';
import type { Caller } from './life.ts';

/** What shows an account by single values. */
const views = [
  'GET /billing/summary',
  'GET /billing/credits/balance',
  'GET /me/team-accounts',
  'GET /account/team',
] as const satisfies readonly OperationId[];

/** The first caller begins each time: whoever remembers an answer for too long shows the others that one. */
export async function askRound([first, ...others]: readonly Caller[], random: Random): Promise<void> {
  for (const operation of random.shuffled(views))
    for (const { api, under = {} } of [...(first ? [first] : []), ...random.shuffled(others)])
      await orLost(api.send(operation, under));
}
