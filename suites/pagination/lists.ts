// The lists that paginate: how each is asked, and how its records are recognised.
import {
  type Api,
  at,
  type Call,
  dataOf,
  eventuallySeen,
  expectSuccess,
  identifierOf,
  isObject,
  type JsonObject,
  NotTested,
  type Reply,
  type Tools,
} from '../../lib/index.ts';

export const notes = 'GET /companies/{company_id}/notes';
/** The lists whose rows name the parameter limit. */
export const limited = ['GET /api-keys', 'GET /companies', notes, 'GET /contacts'] as const;
export const listIds = ['GET /account/team', ...limited] as const;
export type ListId = (typeof listIds)[number];

/** One list of one account. */
export interface List {
  readonly operation: ListId;
  readonly api: Api;
  readonly path?: Readonly<Record<string, number>>;
  /** The X-Active-Account beside it. */
  readonly account?: string;
}

const kinds = {
  'GET /api-keys': 'key',
  'GET /companies': 'company',
  [notes]: 'note',
  'GET /contacts': 'contact',
} as const;
type KindOf<Id extends keyof typeof kinds> = (typeof kinds)[Id];
export const kindOf = <Id extends keyof typeof kinds>(operation: Id): KindOf<Id> => kinds[operation];

/** Of a team member nothing is shown; one without any of these is recognised by all that it is. */
const memberNames = ['id', 'user_id', 'member_id', 'email'] as const;

/** By what a record of the list is recognised: its identifier, or all of it. */
export function identity(operation: ListId, record: JsonObject): string {
  const id =
    operation === 'GET /account/team'
      ? memberNames.map((name) => record[name]).find((value) => value !== undefined)
      : identifierOf(kindOf(operation), record);
  return id === undefined ? JSON.stringify(record) : String(id);
}

export const ask = (
  { api, operation, path, account }: List,
  query: Call['query'] = {},
  more: Partial<Call> = {},
): Promise<Reply> =>
  api.send(operation, { ...more, query, ...(path ? { path } : {}), ...(account ? { account } : {}) });

/** A page that is served; rejects with a Mismatch where it is refused. */
export async function served(list: List, query: Call['query'] = {}, more: Partial<Call> = {}): Promise<Reply> {
  const reply = await ask(list, query, more);
  expectSuccess(reply);
  return reply;
}

export const paginationOf = (reply: Reply): JsonObject => {
  const pagination = at(reply.json, 'pagination');
  return isObject(pagination) ? pagination : {};
};

export const nextCursorOf = (reply: Reply): string | undefined => {
  const cursor = paginationOf(reply).next_cursor;
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
};

export const identitiesOf = (operation: ListId, reply: Reply): string[] => {
  const data = dataOf(reply);
  return Array.isArray(data) ? data.filter(isObject).map((record) => identity(operation, record)) : [];
};

/** A cursor that the list issued for pages of one record; where it has one page only, another record is made. */
export async function cursorOf(list: List, another: () => Promise<unknown>, clock: Tools['clock']): Promise<string> {
  for (let records = 0; records <= 2; records += 1) {
    if (records > 0) await another();
    const changedAt = records > 0 ? clock.now() : -Infinity;
    const first = await eventuallySeen(
      clock,
      changedAt,
      () => served(list, { limit: 1 }),
      (reply) => nextCursorOf(reply) !== undefined,
    );
    const cursor = nextCursorOf(first);
    if (cursor !== undefined) return cursor;
  }
  throw new NotTested(`${list.operation} issues no cursor`);
}
