// Sends an operation without its scope, with various headers and parameters: it is refused each time.
import {
  type Call,
  conforms,
  expectStatus,
  expectSuccess,
  expectThat,
  type OperationId,
  type Random,
  type Reply,
} from '../../lib/index.ts';
import { slugsInMe } from './answer.ts';

interface ScopedCall {
  readonly call: Call;
  /** Headers or parameters may be refused before the scope is checked. */
  readonly open: boolean;
}

/** The bare call first and last; between them calls with headers and with a parameter. */
function callsOf(random: Random, accounts: readonly string[]): readonly ScopedCall[] {
  const key = () => random.uuid();
  const named = accounts.flatMap((account): ScopedCall[] => [
    { call: { account }, open: true },
    { call: { account, key: key() }, open: true },
  ]);
  const keyed: ScopedCall = { call: { key: key() }, open: false };
  const asked: ScopedCall = { call: { query: { limit: 10 } }, open: true };
  const bare: ScopedCall = { call: {}, open: false };
  return [bare, ...random.shuffled([keyed, asked, ...named]), bare];
}

function expectForbidden(reply: Reply, { open }: ScopedCall): void {
  if (!open) expectStatus(reply, 403);
  expectThat(reply.status >= 400 && reply.status < 500, 'what a scope closes should stay closed', {
    expected: '403, or another 4xx for what stands beside the call',
    actual: reply.status,
    replies: reply,
  });
}

/** The configuration promises that the restricted key lacks the scope; no reply shows it. */
export const scopeCase = (
  id: 'account-team-accounts-scope' | 'billing-credits-scope' | 'billing-summary-scope',
  operation: OperationId,
  reader: 'accountReader' | 'billing',
) =>
  conforms(id, { needs: [reader, 'restricted'] }, async ({ api, restricted, random, check }) => {
    expectSuccess(await api.send(operation));
    const user = api.as(restricted);
    const accounts = [...(await slugsInMe(user)).slice(0, 1), ...(await slugsInMe(api)).slice(0, 1)];
    for (const one of callsOf(random, accounts)) {
      const reply = await user.send(operation, one.call);
      await check(id, () => expectForbidden(reply, one));
    }
  });
