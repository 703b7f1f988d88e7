// An operation that a scope closes, tried under whatever may stand beside the call: it stays closed.
import {
  type Api,
  type Call,
  expectStatus,
  expectThat,
  type OperationId,
  type Random,
  type Reply,
} from '../../lib/index.ts';
import { slugsInMe } from './slugs.ts';

interface Door {
  readonly call: Call;
  /** What is beside the call may be refused before the scope is looked at. */
  readonly open: boolean;
}

/** The bare call first and last; between them with each header, with all, and with a query. */
function doors(random: Random, accounts: readonly string[]): readonly Door[] {
  const key = () => random.uuid();
  const named = accounts.flatMap((account): Door[] => [
    { call: { account }, open: true },
    { call: { account, key: key() }, open: true },
  ]);
  const keyed: Door = { call: { key: key() }, open: false };
  const asked: Door = { call: { query: { limit: 10 } }, open: true };
  const bare: Door = { call: {}, open: false };
  return [bare, ...random.shuffled([keyed, asked, ...named]), bare];
}

function expectClosed(reply: Reply, { open }: Door): void {
  if (!open) expectStatus(reply, 403);
  expectThat(reply.status >= 400 && reply.status < 500, 'what a scope closes should stay closed', {
    expected: '403, or another 4xx for what stands beside the call',
    actual: reply.status,
    replies: reply,
  });
}

/** Judges each call of an operation by a user without its scope; `others` has accounts that the header may name too. */
export async function judgeScopedOperation(
  operation: OperationId,
  user: Api,
  { random, others }: { readonly random: Random; readonly others: Api },
  judge: (expectation: () => void) => Promise<void>,
): Promise<void> {
  const accounts = [...(await slugsInMe(user)).slice(0, 1), ...(await slugsInMe(others)).slice(0, 1)];
  for (const door of doors(random, accounts)) {
    const reply = await user.send(operation, door.call);
    await judge(() => expectClosed(reply, door));
  }
}
