// The same account seen by its key and by a session on it: companies, contacts and team are the same.
import {
  type Api,
  at,
  type Call,
  eventuallySeen,
  expectThat,
  identifierOf,
  identifiersIn,
  itemsOf,
  type JsonObject,
  type OperationId,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { inputs as ofCompany } from '../shared/company-record.ts';
import { inputs as ofContact } from '../shared/contact-record.ts';

const reads = ['GET /companies', 'GET /contacts', 'GET /account/team'] as const satisfies readonly OperationId[];

/** The beginning of a list as a client may ask for it; the list of the team names no parameters. */
function queryFor(operation: OperationId, random: Tools['random']): Call {
  if (operation === 'GET /account/team') return {};
  const name = operation === 'GET /companies' ? 'name' : 'last_name';
  const limit = random.int(2, 9);
  return {
    query: random.pick<NonNullable<Call['query']>>([
      { limit: 100 },
      { limit: 100 },
      { limit },
      { limit, fields: name },
      {},
    ]),
  };
}

/** Who it is, and what the document shows of it; what else it shows may depend on who asks. */
const sketches: Readonly<Record<(typeof reads)[number], (record: JsonObject) => readonly unknown[]>> = {
  'GET /companies': (record) => [identifierOf('company', record), ...ofCompany.map((name) => record[name] ?? null)],
  'GET /contacts': (record) => [identifierOf('contact', record), ...ofContact.map((name) => record[name] ?? null)],
  'GET /account/team': (record) => [...identifiersIn(record)].sort(),
};

/** What a list shows of its account. No order is named, so of a part of it only how many there are. */
function worldOf(operation: (typeof reads)[number], reply: Reply): string {
  const isPart = at(reply.json, 'pagination', 'has_more') === true;
  const records = itemsOf(reply).map((record) => JSON.stringify(sketches[operation](record)));
  return JSON.stringify([at(reply.json, 'pagination', 'total'), isPart ? [] : records.sort()]);
}

/**
 * Read by the key, by the session, and by the key again: what differs between its own readings is in motion. Right before it
 * is read under the header, the session reads the same without.
 */
async function readingsOf(
  operation: (typeof reads)[number],
  key: Api,
  session: Api,
  {
    query,
    account,
    isLured,
  }: { readonly query: Call; readonly account: string | undefined; readonly isLured: boolean },
): Promise<readonly Reply[]> {
  const under = account === undefined ? {} : { account };
  const before = await key.send(operation, query);
  if (isLured) await session.send(operation, query);
  const seen = await session.send(operation, { ...query, ...under });
  const after = await key.send(operation, query);
  return [before, seen, after];
}

/** In how many states two worlds may be found that are not one. */
const statesMax = 3;

/**
 * Each may be shown as it was a while ago, and others may write meanwhile: two worlds count as two when both have stayed
 * what they are for as long as lists may lag.
 */
async function expectOneWorld(
  operation: (typeof reads)[number],
  look: () => Promise<readonly Reply[]>,
  clock: Tools['clock'],
): Promise<void> {
  for (let state = 1; state <= statesMax; state += 1) {
    const worldsIn = (replies: readonly Reply[]) => replies.map((reply) => worldOf(operation, reply));
    const isOne = (replies: readonly Reply[]) => {
      const [other, world, still] = worldsIn(replies);
      return !replies.every(wasAccepted) || other !== still || world === other;
    };
    const first = await look();
    const isOther = (replies: readonly Reply[]) => String(worldsIn(replies)) !== String(worldsIn(first));
    const isDone = (replies: readonly Reply[]) => isOne(replies) || isOther(replies);
    const last = isOne(first) ? first : await eventuallySeen(clock, clock.now(), look, isDone);
    if (isOne(last)) return;
    expectThat(isOther(last), `${operation} should show a session the account that it acts on`, {
      expected: 'what a key shows that this session made on the account',
      actual: 'something else',
      replies: last,
    });
  }
}

/** Throws a Mismatch where one of the reads shows the session another account than the key's; `before` the first of them. */
export async function expectSameWorld(
  { clock, random, effort }: Pick<Tools, 'clock' | 'random' | 'effort'>,
  key: Api,
  session: Api,
  account?: string,
  before?: () => Promise<unknown>,
): Promise<void> {
  for (const [place, operation] of random.shuffled(reads).entries()) {
    const query = queryFor(operation, random);
    const look = async () => {
      if (place === 0) await before?.();
      const isLured = account !== undefined && before === undefined && effort !== 'quick';
      return readingsOf(operation, key, session, { query, account, isLured });
    };
    await expectOneWorld(operation, look, clock);
  }
}

const byId = 'GET /companies/{company_id}';

/** The same of one company that the key is shown; `before` each look. */
export async function expectSameCompany(
  { clock }: Pick<Tools, 'clock'>,
  key: Api,
  session: Api,
  account: string,
  before: () => Promise<unknown>,
): Promise<void> {
  const company_id = identifierOf('company', itemsOf(await key.send('GET /companies', { query: { limit: 1 } }))[0]);
  if (company_id === undefined) return;
  const path = { company_id };
  if (!wasAccepted(await key.send(byId, { path }))) return;
  const look = async () => {
    await before();
    return session.send(byId, { path, account });
  };
  const seen = await eventuallySeen(clock, clock.now(), look, wasAccepted);
  expectThat(wasAccepted(seen), 'a company should be shown to a session on the account of the key that sees it', {
    expected: 'what the key is shown',
    actual: seen.status,
    replies: seen,
  });
}
