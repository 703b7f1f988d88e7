// What a caller reads, one request after the other: what it may read, and what it asks for in vain.
import { type Call, identifierOf, itemsOf, type OperationId, type Random, type Reply } from '../../lib/index.ts';
import { collections, protectedReads, readsById } from '../shared/groups.ts';
import { unknownIds } from '../shared/unknown.ts';
import type { Caller } from './caller.ts';

/** In which two nodes have taken turns once, in milliseconds. */
export const nodeMs = 1000;

type Ask = readonly [OperationId, Call];

/** What every caller asks for; a company that it was shown, and one of nothing. */
function questions(shown: number | string | undefined, random: Random): readonly Ask[] {
  const [nothing] = unknownIds(random, [Number(shown ?? 0)]);
  const known = [nothing, ...(shown === undefined ? [] : [shown])];
  return random.shuffled([
    ...protectedReads.map((operation): Ask => [operation, {}]),
    ...readsById.flatMap((operation) => known.map((company_id): Ask => [operation, { path: { company_id } }])),
    ...collections.map((operation): Ask => [operation, { query: { sort: '-created_at', cursor: random.uuid() } }]),
  ]);
}

/** One request after the other; what is answered the duties of every reply and the rules judge. */
export async function callOn({ api, under }: Caller, random: Random, whole = true): Promise<readonly Reply[]> {
  const companies = await api.send('GET /companies', { ...under, query: { limit: 1 } });
  const replies: Reply[] = [];
  const all = questions(identifierOf('company', itemsOf(companies)[0]), random);
  // Again and again only what needs nothing to be named.
  for (const [operation, call] of all.filter(([, { path, query }]) => whole || !(path ?? query)))
    replies.push(await api.send(operation, { ...under, ...call }));
  return replies;
}
