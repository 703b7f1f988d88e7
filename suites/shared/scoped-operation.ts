// Sends an operation without its scope, with various headers and parameters.
import { type Call, conforms, expectSuccess, type OperationId, type Random } from '../../lib/index.ts';
import { slugsInMe } from './answer.ts';

/** The bare call first and last; between them calls with headers and with a parameter. */
function callsOf(random: Random, accounts: readonly string[]): readonly Call[] {
  const key = () => random.uuid();
  const named = accounts.flatMap((account): Call[] => [{ account }, { account, key: key() }]);
  return [{}, ...random.shuffled([{ key: key() }, { query: { limit: 10 } }, ...named]), {}];
}

export const scopeCase = (
  id: 'account-team-accounts-scope' | 'billing-credits-scope' | 'billing-summary-scope',
  operation: OperationId,
  reader: 'accountReader' | 'billing',
) =>
  conforms(id, { needs: [reader, 'restricted'] }, async ({ api, restricted, random }) => {
    expectSuccess(await api.send(operation));
    const user = api.as(restricted);
    const accounts = [...(await slugsInMe(user)).slice(0, 1), ...(await slugsInMe(api)).slice(0, 1)];
    for (const call of callsOf(random, accounts)) await user.send(operation, call);
  });
