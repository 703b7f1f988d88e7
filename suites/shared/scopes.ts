// The scopes in the document, whether a credential has them, and a case that sends an operation without its scope.
import { type Api, type Call, conforms, expectSuccess, type OperationId, type Random, walk } from '../../lib/index.ts';
import { slugsInMe } from './answer.ts';

export type Scope = 'billing:read' | 'account:read';

/** Sends each operation that needs a scope. */
export async function probeScopes(api: Api, call: Call = {}): Promise<void> {
  for (const operation of ['GET /billing/summary', 'GET /billing/credits/balance', 'GET /me/team-accounts'] as const)
    await api.send(operation, call);
}

/** A scope is named by a text that contains it as a word, or by a member of that name that is not false or null. */
export const namesScope = (data: unknown, scope: string): boolean =>
  walk(data).some(
    ({ path, value }) =>
      (typeof value === 'string' && value.split(/[^\w:.-]+/).includes(scope)) ||
      (path.at(-1) === scope && value !== false && value !== null),
  );

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
