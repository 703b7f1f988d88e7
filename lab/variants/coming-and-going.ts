// Contacts that a colleague adds and takes away again in the web page, while the run goes on: the interface itself deletes none.

import type { Wrap } from '../mutants/mutant.ts';
import { isSorted, limitOf, pageOf, requery } from '../mutants/wrappers/listing.ts';
import type { Json } from '../mutants/wrappers/mutator.ts';
import { instead, rewritten, type Seen } from '../mutants/wrappers/mutator.ts';
import { contacts } from '../mutants/wrappers/operations.ts';
import type { Handler, ReferenceOptions } from '../reference/index.ts';
import { type Colleague, work } from './population.ts';
import { idOf, numberOf, styled } from './styled-lists.ts';
import { together, variants } from './variant.ts';

/** Requests of the suite between two steps of the colleague. */
const pause = 13;
/** The steps that are repeated: so many contacts come, one a step, and then go. */
const atOnce = 3;

/** The colleague: their company, their contacts that are there, and all that they took away. */
class Page {
  private readonly present: unknown[] = [];
  private readonly gone = new Set<unknown>();
  private company: unknown;
  private steps = 0;

  isThere = (record: Json): boolean => !this.gone.has(idOf(record));

  async step(colleague: Colleague): Promise<void> {
    const comes = this.steps % (2 * atOnce) < atOnce;
    this.steps += 1;
    if (!comes) this.gone.add(this.present.shift());
    else await this.add(colleague);
  }

  private async add(colleague: Colleague): Promise<void> {
    const name = 'Someone else’s company';
    this.company ??= await this.made(colleague, '/companies', { name, company_type: 'sponsor' });
    const contact = { contact_type: 'sponsor', company_id: this.company, last_name: `Else ${this.steps}` };
    const id = await this.made(colleague, '/contacts', contact);
    if (id !== undefined) this.present.push(id);
  }

  private async made(colleague: Colleague, path: string, body: Json): Promise<unknown> {
    const { data } = await work(colleague, 'POST', path, body);
    return data === undefined ? undefined : idOf(data as Json);
  }
}

/** A sorted list in the order of the honest server, as far as its records are there. */
const sorted = (isThere: (record: Json) => boolean): Wrap =>
  instead(pageOf(contacts, isSorted), async (seen, honest) => {
    const limit = limitOf(seen);
    const offset = Number(seen.url.searchParams.get('offset') ?? 0);
    if (limit === undefined || !Number.isSafeInteger(offset) || offset < 0) return undefined;
    const { response, records } = await allSorted(seen, honest);
    if (!response.ok) return response;
    const left = records.filter(isThere);
    const total = left.length;
    const pagination = { total, limit, offset, has_more: offset + limit < total };
    const json = (await response.json()) as Json;
    return rewritten(response, { ...json, data: left.slice(offset, offset + limit), pagination });
  });

async function allSorted(seen: Seen, honest: Handler): Promise<{ response: Response; records: readonly Json[] }> {
  const records: Json[] = [];
  for (;;) {
    const response = await honest(await requery(seen, { limit: '200', offset: String(records.length) }));
    if (!response.ok) return { response, records };
    const { data, pagination } = (await response.clone().json()) as { data: Json[]; pagination: Json };
    records.push(...data);
    if (pagination.has_more !== true) return { response, records };
  }
}

/** A colleague in the account of the first caller works in the web page during the run. */
const comingAndGoing =
  (rank: (record: Json) => number): Wrap =>
  (honest, clock) => {
    const page = new Page();
    const isThere = page.isThere;
    const asShown = (path: string, records: readonly Json[]): readonly Json[] =>
      path.endsWith('/contacts') ? records.filter(isThere) : records;
    const shown = together([sorted(isThere), styled({ rank, asShown })])(honest, clock);
    let authorization: string | undefined;
    let requests = 0;
    return async (request) => {
      const response = await shown(request);
      authorization ??= request.headers.get('authorization') ?? undefined;
      requests += 1;
      if (authorization !== undefined && requests % pause === 0)
        await page.step({ honest, origin: new URL(request.url).origin, authorization });
      return response;
    };
  };

const why =
  'Other people may add and remove contacts by other ways than this interface: lists and totals rise and fall, and each is right at its time.';
/** Numbers that are out of range are refused, so that every list that is served is served here. */
const reference = (listOrder: 'newest' | 'oldest'): ReferenceOptions => ({
  tiers: { business: { write: 600 } },
  choices: { listOrder, limitOutOfRange: 'refuse' },
});

export default variants({
  'population-contacts-come-and-go': {
    why,
    reference: reference('newest'),
    wrap: comingAndGoing((record) => -numberOf(record)),
  },
  'population-contacts-come-and-go-oldest-first': {
    why,
    reference: reference('oldest'),
    wrap: comingAndGoing(numberOf),
  },
});
