// Lists to their ends, by one caller: with some of the members only, in orders, and asked for with limits that none may have.
import type { Api, Call, OperationId, Random } from '../../lib/index.ts';
import { collections } from '../shared/groups.ts';
import { limitFor, type Query, type Seen, seenIn, sorts } from './sample-reads.ts';

type Ask = (operation: OperationId, query: Query, more?: Call) => Promise<Seen>;

/** Members that texts of any kind stand in. */
const fieldsOf = {
  'GET /companies': ['city', 'address,city', 'name,website,linkedin_url', 'id,city,state,zip'],
  'GET /contacts': ['city', 'title,department', 'first_name,address,address2', 'id,last_name,email,is_primary'],
} as const;

const pagesMax = 16;
const walks = 2;
const orders = 3;
const outside = [0, -1, 201, 100_000] as const;

/** Page after page, each with what the first was asked with. */
export async function walk(operation: OperationId, query: Query, ask: Ask): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    ({ cursor } = await ask(operation, cursor === undefined ? query : { ...query, cursor }));
    if (cursor === undefined) return;
  }
}

/** Some orders, each as a whole and in slices of it: what stands where the rules hold against each other. */
async function sorted(operation: OperationId, total: number, random: Random, ask: Ask): Promise<void> {
  const offset = () => random.int(0, Math.max(0, total - 1));
  for (const sort of random.shuffled(sorts).slice(0, orders)) {
    await ask(operation, { sort, limit: 200 });
    await ask(operation, { sort, limit: random.int(1, 12), offset: offset() });
    await ask(operation, { sort, offset: offset() });
  }
}

/** On pages that end with the last key, and right before it. */
async function keysToTheEnd(ask: Ask): Promise<void> {
  const { total = 0 } = await ask('GET /api-keys', { limit: 200 });
  for (const limit of [total, total - 1]) if (limit > 0 && limit < 200) await ask('GET /api-keys', { limit });
  if (total > 1) await ask('GET /api-keys', { limit: 1, offset: total - 2 });
}

/** What they show the rules judge. */
export async function readAll(api: Api, random: Random, account?: string): Promise<void> {
  const under: Call = account === undefined ? {} : { account };
  const ask: Ask = async (operation, query, more = {}) =>
    seenIn(await api.send(operation, { ...under, ...more, query }));
  for (const operation of random.shuffled(collections)) {
    const seen = await ask(operation, { limit: 200 });
    const few = () => limitFor(seen, random, 2) ?? 7;
    for (const fields of random.shuffled(fieldsOf[operation]).slice(0, walks))
      await walk(operation, { fields, limit: few() }, ask);
    await sorted(operation, seen.total ?? 0, random, ask);
  }
  await keysToTheEnd(ask);
  // By nobody else in its place.
  for (const operation of [...collections, 'GET /api-keys'] as const)
    for (const limit of outside) await ask(operation, { limit }, { undocumented: true, exactly: true });
}
