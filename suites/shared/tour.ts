// A walk through whatever one caller may read, and through reads that are refused to everybody: the duties of every reply judge it.
import {
  type Api,
  type Call,
  identifierOf,
  itemsOf,
  type OperationId,
  type Random,
  type Reply,
} from '../../lib/index.ts';

/** An identifier of nothing. */
const unknownId = 2_147_483_003;

/** Members that the document names. */
const fieldsOf = {
  'GET /companies': ['name', 'name,company_type', 'city,name,company_type'],
  'GET /contacts': ['last_name', 'first_name,last_name', 'email,title,last_name'],
} as const;

type Query = NonNullable<Call['query']>;
const ofKeys: readonly [Query, ...Query[]] = [{}, { limit: 2 }, { limit: 200, offset: 0 }, { offset: 1 }];
const ofRecords: readonly [Query, ...Query[]] = [{}, { limit: 1 }, { limit: 3 }, { limit: 10 }, { limit: 200 }];

/** Each list in some of the ways in which it may be asked for. */
function queryFor(operation: OperationId, random: Random): Query {
  if (operation === 'GET /api-keys') return random.pick(ofKeys);
  if (operation !== 'GET /companies' && operation !== 'GET /contacts') return {};
  const query = random.pick(ofRecords);
  return random.int(1, 3) === 1 ? { ...query, fields: random.pick(fieldsOf[operation]) } : query;
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

const refused: readonly (readonly [OperationId, Call])[] = [
  ['GET /companies/{company_id}', { path: { company_id: unknownId } }],
  ['GET /companies/{company_id}/notes', { path: { company_id: unknownId } }],
  ['GET /contacts', { query: { cursor: 'none', sort: '-created_at' } }],
];

/** Returns the replies to what may be read, in an order drawn by the seed. */
export async function tour(api: Api, random: Random, account?: string): Promise<readonly Reply[]> {
  const under: Call = account === undefined ? {} : { account };
  const replies: Reply[] = [];
  const ask = async (operation: OperationId, call: Call = {}) => {
    const reply = await api.send(operation, { ...under, ...call });
    replies.push(reply);
    return reply;
  };
  for (const operation of random.shuffled(visited)) {
    const reply = await ask(operation, { query: queryFor(operation, random) });
    const company = operation === 'GET /companies' ? identifierOf('company', itemsOf(reply).at(-1)) : undefined;
    if (company === undefined) continue;
    for (const one of ['GET /companies/{company_id}', 'GET /companies/{company_id}/notes'] as const)
      await ask(one, { path: { company_id: company } });
  }
  for (const [operation, call] of random.shuffled(refused)) await api.send(operation, { ...under, ...call });
  return replies;
}
