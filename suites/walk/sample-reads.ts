// A sample of whatever one caller may read, and of reads that are refused to everybody: the duties of every reply judge it.
import {
  type Api,
  anonymous,
  at,
  type Call,
  identifierOf,
  itemsOf,
  type OperationId,
  type Random,
  type Reply,
} from '../../lib/index.ts';
import { collections } from '../shared/groups.ts';

/** An identifier of nothing. */
const unknownId = 2_147_483_003;

/** Members that the document names. */
export const fieldsOf = {
  'GET /companies': ['name', 'id', 'name,company_type', 'city,name,company_type'],
  'GET /contacts': ['last_name', 'id', 'first_name,last_name', 'email,title,last_name', 'phones'],
} as const;

export type Query = NonNullable<Call['query']>;
const ofKeys: readonly [Query, ...Query[]] = [{}, ...[1, 2, 200].map((limit) => ({ limit, offset: 0 })), { offset: 1 }];
const limits = [undefined, 1, 2, 3, 5, 10, 200] as const;

/** What a caller was last shown of a list. */
export interface Seen {
  readonly total?: number;
  readonly cursor?: string;
}

/** As many as there are, one less, or half, where that is known: one time in so many. */
export function limitFor({ total = 0 }: Seen, random: Random, oneIn = 3): number | undefined {
  const exact = [total, total - 1, Math.floor(total / 2)].filter((one) => one > 0 && one <= 200);
  return random.int(1, oneIn) === 1 ? exact[random.int(0, exact.length - 1)] : random.pick(limits);
}

/** Each list in some of the ways in which it may be asked for. */
function queryFor(operation: OperationId, seen: Seen, random: Random): Query {
  if (operation === 'GET /api-keys') return random.pick(ofKeys);
  if (operation !== 'GET /companies' && operation !== 'GET /contacts') return {};
  const limit = limitFor(seen, random);
  const query: Query = limit === undefined ? {} : { limit };
  return random.int(1, 2) === 1 ? { ...query, fields: random.pick(fieldsOf[operation]) } : query;
}

export function seenIn(reply: Reply): Seen {
  const { total, next_cursor: cursor } = (at(reply.json, 'pagination') ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...(Number.isInteger(total) ? { total: Number(total) } : {}),
    ...(typeof cursor === 'string' && cursor !== '' ? { cursor } : {}),
  };
}

/** Orders that a target may have. */
export const sorts = ['-created_at', 'created_at', 'name', '-name', 'last_name'] as const;

/** In an order of the target's, if it has one of that name; and in one while a cursor says where to go on, which is refused. */
function sortedFor({ cursor = 'none' }: Seen, random: Random): readonly Query[] {
  const sort = random.pick(sorts);
  const limit = random.pick([1, 2, 3]);
  const page: Query = random.int(1, 3) === 1 ? {} : { limit, offset: random.int(0, 3) };
  const fields: Query = random.int(1, 2) === 1 ? {} : { fields: random.pick(['city', 'city,state,zip']) };
  return [
    { sort, ...page, ...fields },
    { sort, cursor, ...random.pick<Query>([{}, { limit }, { limit, offset: random.int(0, 3) }]) },
  ];
}

const visited = [
  'GET /me',
  'GET /api-keys',
  'GET /companies',
  'GET /billing/summary',
  'GET /me/accounts',
  'GET /contacts',
  'GET /account/team',
  'GET /billing/credits/balance',
  'GET /me/team-accounts',
] as const satisfies readonly OperationId[];

const byId = ['GET /companies/{company_id}', 'GET /companies/{company_id}/notes'] as const;

type Ask = (operation: OperationId, call?: Call) => Promise<Reply>;

/** A page that ends with the last key: of as many as there are, or of that one. */
async function askToTheEnd(reply: Reply, random: Random, ask: Ask): Promise<void> {
  const total = at(reply.json, 'pagination', 'total');
  if (typeof total !== 'number' || total < 1 || total > 200) return;
  await ask('GET /api-keys', { query: random.int(1, 2) === 1 ? { limit: total } : { limit: 1, offset: total - 1 } });
}

/** How many pages after the first are followed. */
const furtherMax = 2;

/** The pages that follow, each with what the first was asked with. */
async function follow(operation: OperationId, query: Query, first: Reply, ask: Ask): Promise<void> {
  let seen = seenIn(first);
  for (let page = 0; page < furtherMax && seen.cursor !== undefined; page += 1)
    seen = seenIn(await ask(operation, { query: { ...query, cursor: seen.cursor } }));
}

/** Whatever went before, it is open to everybody; the duties of every reply judge it. */
export const askHealth = (api: Api): Promise<Reply> => api.as(anonymous).send('GET /health');

/** Returns the replies to what may be read, in an order drawn by the seed. */
export async function readSample(api: Api, random: Random, account?: string): Promise<readonly Reply[]> {
  const under: Call = account === undefined ? {} : { account };
  const replies: Reply[] = [];
  const seen = new Map<OperationId, Seen>();
  const ask: Ask = async (operation, call = {}) => {
    const reply = await api.send(operation, { ...under, ...call });
    replies.push(reply);
    return reply;
  };
  for (const operation of random.shuffled(visited)) {
    const query = queryFor(operation, seen.get('GET /companies') ?? {}, random);
    const reply = await ask(operation, { query });
    seen.set(operation, seenIn(reply));
    if (operation === 'GET /companies' || operation === 'GET /contacts') await follow(operation, query, reply, ask);
    if (operation === 'GET /api-keys') await askToTheEnd(reply, random, ask);
    if (operation !== 'GET /companies') continue;
    const [first, last] = [0, -1].map((place) => identifierOf('company', itemsOf(reply).at(place)));
    for (const [one, company] of [...byId.map((each) => [each, last] as const), [byId[0], first] as const])
      if (company !== undefined) await ask(one, { path: { company_id: company } });
  }
  await (random.int(1, 2) === 1 ? askHealth(api) : api.send('GET /health'));
  for (const operation of random.shuffled(byId))
    await api.send(operation, { ...under, path: { company_id: unknownId } });
  const list = random.pick(collections);
  for (const query of random.shuffled(sortedFor(seen.get(list) ?? {}, random)))
    await api.send(list, { ...under, query });
  return replies;
}
