// Reads of everything that a caller may read, with all kinds of queries; rules judge the replies.
import {
  type Api,
  anonymous,
  at,
  type Call,
  defined,
  identifierOf,
  itemsOf,
  listNotes,
  type OperationId,
  type Random,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { collections, plainReads, protectedReads, readsById } from '../shared/groups.ts';

export interface Caller {
  readonly api: Api;
  /** Headers of each of its calls. */
  readonly under?: Call;
}

export type Query = NonNullable<Call['query']>;
type Path = NonNullable<Call['path']>;

/** Values of `fields`. */
const fieldsOf = {
  'GET /companies': ['name', 'id', 'city', 'name,company_type', 'city,name,company_type', 'name,website,linkedin_url'],
  'GET /contacts': ['last_name', 'id', 'phones', 'first_name,last_name', 'email,title,last_name', 'city,department'],
} as const;
/** Values of `sort` that a target may have. */
const sorts = ['-created_at', 'created_at', 'name', '-name', 'last_name'] as const;
const limits = [undefined, 1, 2, 3, 5, 10, 200] as const;

/** An identifier that no record has: far above any that is in use, and still a valid integer. */
export const unknownId = (random: Random): number => random.int(2 ** 30 + 1, 2 ** 31 - 1);

/** Half of the time the total, one less, or half of it, where the total is known. */
function limitFor(total: number, random: Random): number | undefined {
  const [exact] = random.shuffled([total, total - 1, Math.floor(total / 2)].filter((one) => one > 0 && one <= 200));
  return exact !== undefined && random.int(1, 2) === 1 ? exact : random.pick(limits);
}

/** Each query with which the operation may be read, by name. */
function queriesOf(operation: OperationId, total: number, random: Random): Readonly<Record<string, Query>> {
  if (!plainReads.includes(operation) && operation !== listNotes) return { '': {} };
  const limit = limitFor(total, random);
  if (operation === listNotes) return { '': {}, 'with a limit': { limit } };
  const offset = random.int(0, Math.max(0, total - 1));
  if (operation === 'GET /api-keys')
    return { '': {}, 'with a limit': { limit }, 'with an offset': { offset }, 'of a slice': { limit, offset } };
  if (operation !== 'GET /companies' && operation !== 'GET /contacts') return { '': {} };
  const fields = random.pick(fieldsOf[operation]);
  const sort = random.pick(sorts);
  const few = random.pick([1, 2, 3, 5, 200]);
  return {
    '': {},
    'with a limit': { limit },
    'with fields': { fields },
    'with fields and a limit': { fields, limit: few },
    'in an order': { sort, offset: random.int(0, 3), limit: few },
    'in an order with fields': { sort, fields },
    'in an order behind a cursor': { sort, cursor: 'none' },
  };
}

/** A read that may be sent; `what` is its operation, with the variant after a colon. */
interface Read {
  readonly what: string;
  readonly operation: OperationId;
  readonly call: Call;
}

/** Reads, and remembers the total and the next page of each list. */
export class Reader {
  private readonly random: Random;
  /** What the last page reported, by caller and list. */
  private readonly seen = new Map<string, { readonly total: number; readonly next?: Query }>();

  constructor(random: Random) {
    this.random = random;
  }

  /** The reads of one operation that the caller may send. */
  readsOf(caller: Caller, operation: OperationId, path: Path = {}): readonly Read[] {
    const { total = 0, next } = this.seen.get(nameOf(caller, operation, path)) ?? {};
    const queries = { ...queriesOf(operation, total, this.random), ...(next ? { 'the next page': next } : {}) };
    return Object.entries(queries).map(([how, query]) => ({
      what: how === '' ? operation : `${operation}: ${how}`,
      operation,
      call: { path, query },
    }));
  }

  /** All reads of the caller, including those of the company and of one that does not exist. */
  all(caller: Caller, company?: number | string): readonly Read[] {
    const plain = plainReads.flatMap((operation) => this.readsOf(caller, operation));
    if (company === undefined) return plain;
    const nothing = unknownId(this.random);
    return [
      ...plain,
      ...readsById.flatMap((operation): readonly Read[] => [
        ...this.readsOf(caller, operation, { company_id: company }),
        { what: `${operation}: of nothing`, operation, call: { path: { company_id: nothing } } },
      ]),
    ];
  }

  async read(caller: Caller, { operation, call }: Pick<Read, 'operation' | 'call'>): Promise<Reply> {
    const reply = await caller.api.send(operation, { ...caller.under, ...call });
    const { query = {}, path = {} } = call;
    const { total, next_cursor: cursor } = (at(reply.json, 'pagination') ?? {}) as Readonly<Record<string, unknown>>;
    const isPaged = typeof cursor === 'string' && cursor !== '' && !('sort' in query) && !('offset' in query);
    this.seen.set(nameOf(caller, operation, path), {
      total: Number.isInteger(total) ? Number(total) : 0,
      ...(isPaged ? { next: { ...query, cursor } } : {}),
    });
    return reply;
  }

  /** Reads the first page and those that follow; resolves to the last. */
  async pages(caller: Caller, first: Pick<Read, 'operation' | 'call'>, most: number): Promise<Reply> {
    const { operation, call } = first;
    let last = await this.read(caller, first);
    for (let page = 1; page < most; page += 1) {
      const { next } = this.seen.get(nameOf(caller, operation, call.path ?? {})) ?? {};
      if (next === undefined) break;
      last = await this.read(caller, { operation, call: { ...call, query: next } });
    }
    return last;
  }
}

const nameOf = ({ api, under }: Caller, operation: OperationId, path: Path): string =>
  [api.credential.name, under?.account, operation, path.company_id].join(' ');

/** Sends the next reads, one by default, in an order drawn by the seed; a quick run reads nothing. */
export function readsAfterWriteBy(
  api: Api,
  { random, effort }: Pick<Tools, 'random' | 'effort'>,
  under: Call = {},
): (count?: number) => Promise<void> {
  const caller = { api, under };
  const reader = new Reader(random);
  let rest: Read[] = [];
  return async (count = 1) => {
    for (let read = 0; effort !== 'quick' && read < count; read += 1) {
      if (rest.length === 0) rest = random.shuffled(reader.all(caller));
      const next = rest.pop();
      if (next) await reader.read(caller, next);
    }
  };
}

/** GET /health needs no authentication, whatever was sent before. */
export const askHealth = (api: Api): Promise<Reply> => api.as(anonymous).send('GET /health');

/**
 * Reads every operation in random ways and order, then unknown identifiers and sorted lists. `pages`: maximum of each
 * list.
 */
export async function readSample(api: Api, random: Random, account?: string, pages = 3): Promise<void> {
  const caller: Caller = { api, under: defined({ account }) };
  const reader = new Reader(random);
  const isSorted = ({ call: { query } }: Read): boolean => query?.sort !== undefined;
  const waysOf = (operation: OperationId, path?: Path) =>
    random.shuffled(reader.readsOf(caller, operation, path).filter((one) => !isSorted(one)));
  const readOne = async (operation: OperationId, path?: Path) => {
    const [first] = waysOf(operation, path);
    return first && reader.pages(caller, first, pages);
  };
  for (const operation of random.shuffled(protectedReads)) {
    const last = await readOne(operation);
    // Again: its total is known now, so the limit can match it.
    if (operation === 'GET /api-keys') await readOne(operation);
    if (operation !== 'GET /companies' || last === undefined) continue;
    const [first, second = first] = random.shuffled(itemsOf(last)).map((item) => identifierOf('company', item));
    if (first === undefined || second === undefined) continue;
    for (const read of random.shuffled(readsById)) await readOne(read, { company_id: first });
    await readOne('GET /companies/{company_id}', { company_id: second });
  }
  await (random.int(1, 2) === 1 ? askHealth(api) : api.send('GET /health'));
  for (const operation of random.shuffled(readsById))
    await reader.read(caller, { operation, call: { path: { company_id: unknownId(random) } } });
  const sorted = random.shuffled(reader.readsOf(caller, random.pick(collections)).filter(isSorted));
  for (const one of sorted.slice(0, 2)) await reader.read(caller, one);
}

/** Time in which each of two nodes has answered once, in milliseconds. */
export const nodeMs = 1000;

/** Sends all reads in turn; if `whole`, also reads by identifier, of unknown records, and a cursor with sort. */
export async function callOn({ api, under }: Caller, random: Random, whole = true): Promise<void> {
  const asked: (readonly [OperationId, Call])[] = protectedReads.map((operation) => [operation, {}]);
  if (whole) {
    const [first] = itemsOf(await api.send('GET /companies', { ...under, query: { limit: 1 } }));
    for (const company_id of [identifierOf('company', first), unknownId(random)])
      if (company_id !== undefined) asked.push(...readsById.map((id) => [id, { path: { company_id } }] as const));
    const query = { sort: '-created_at', cursor: random.uuid() };
    asked.push(...collections.map((operation) => [operation, { query }] as const));
  }
  for (const [operation, call] of random.shuffled(asked)) await api.send(operation, { ...under, ...call });
}
