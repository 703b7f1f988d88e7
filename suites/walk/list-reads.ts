// Lists in whatever way they may be asked for: page after page, by offset, in an order, with some of the members only.
import { type Call, listNotes, type Random } from '../../lib/index.ts';
import type { collections } from '../shared/groups.ts';
import type { Caller } from './caller.ts';
import { fieldsOf, limitFor, type Query, type Seen, seenIn, sorts } from './sample-reads.ts';

type Listed = (typeof collections)[number] | typeof listNotes | 'GET /api-keys';

/** What each caller was shown of each list last. */
export class NextPages {
  private readonly random: Random;
  private readonly seen = new Map<string, Seen>();
  /** What the last page was asked for that has another one behind it. */
  private readonly open = new Map<string, Query>();

  constructor(random: Random) {
    this.random = random;
  }

  /** A first page, or the one behind the page that was read last. */
  async read({ api, under }: Caller, operation: Listed, path: NonNullable<Call['path']>): Promise<void> {
    const name = [api.credential.name, under?.account, operation, path.company_id].join(' ');
    const next = this.open.get(name);
    const goesOn = next !== undefined && this.random.int(1, 4) > 1;
    const query = goesOn ? next : this.queryFor(operation, this.seen.get(name) ?? {});
    const seen = seenIn(await api.send(operation, { ...under, path, query }));
    this.seen.set(name, seen);
    this.open.delete(name);
    if (seen.cursor !== undefined && !('sort' in query)) this.open.set(name, { ...query, cursor: seen.cursor });
  }

  private queryFor(operation: Listed, seen: Seen): Query {
    const { random } = this;
    const limit = random.int(1, 3) === 1 ? undefined : limitFor(seen, random, 2);
    const query: Query = limit === undefined ? {} : { limit };
    if (operation === listNotes) return query;
    const { total = 1 } = seen;
    const offset = { offset: random.int(0, Math.max(0, total - 1)) };
    if (operation === 'GET /api-keys') return random.int(1, 2) === 1 ? query : { ...query, ...offset };
    if (random.int(1, 4) === 1) return { ...query, sort: random.pick(sorts), offset: random.int(0, 3) };
    return random.int(1, 3) === 1 ? { ...query, fields: random.pick(fieldsOf[operation]) } : query;
  }
}
