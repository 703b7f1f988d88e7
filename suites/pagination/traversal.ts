// Case of whole traversals, with and without writes meanwhile: notes, companies, contacts, and the team.
import {
  type Api,
  type Company,
  type Context,
  conforms,
  idempotencyKeyOf,
  type JsonObject,
  lagMsMax,
  type MadeKey,
  type Note,
  type Reply,
  type Traversal,
  type Way,
} from '../../lib/index.ts';
import { isRevoked, revokeKey } from '../shared/keys.ts';
import { keyOrNone } from '../shared/optional-headers.ts';
import { fullRecord } from '../shared/sent-records.ts';
import { noteTexts } from '../shared/tricky-texts.ts';
import { timestampGapMs } from '../shared/waits.ts';
import {
  ask,
  follow,
  identitiesOf,
  type kinds,
  type List,
  notes,
  pagesFor,
  paginationOf,
  readCollection,
  readWhole,
  traversalIds,
} from './lists.ts';
import { observedIds, observeLists, observeOrder, observeTeam } from './observed.ts';
import { pageDuties } from './pages.ts';

const stableIds = ['pagination-stable-inserts', 'pagination-stable-edits', 'pagination-stable-deletes'] as const;
type Work = Context<(typeof observedIds)[number] | 'pagination-list-lag', never>;

export const traversal = conforms(
  [...traversalIds, ...stableIds, 'pagination-list-empty', 'pagination-list-lag', ...observedIds],
  {
    needs: ['spare', 'spareCompany'],
    writes: [13, 24, 36],
    reads: [48, 106, 135],
    forgets: true,
    leaves: { companies: 1, contacts: 1 },
    feeds: pageDuties,
    visits: notes,
  },
  async ({ spare, spareCompany, ...context }) => {
    const { clock, effort, random, make } = context;
    const api = context.api.as(spare);
    const further = effort === 'quick' ? undefined : await make.furtherKey(api);
    const peer = further ? api.as(further.credential) : api;
    const companies = { operation: 'GET /companies', api } as const;
    // The reader is the writer itself, or another key.
    const contacts = { operation: 'GET /contacts', api: random.pick([peer, api]) } as const;
    let company: Company | undefined;
    let written: Reply | undefined;
    if (effort !== 'quick') {
      for (const list of [companies, contacts]) await readCollection(list, random);
      // Wait until these reads are older than lists may lag: the rules use them later.
      await clock.sleep(lagMsMax + 1);
      await readAmid(companies, context, async () => {
        company = await make.company(api);
      });
      await readAmid(contacts, context, async () => {
        ({ reply: written } = await make.contact(peer, (company ?? spareCompany).id, { is_primary: true }));
      });
    }
    company ??= await make.company(api);
    await traverseNotes(api, peer, company, context);
    if (effort !== 'quick') await editCompanies(companies, [spareCompany, company], context);
    // One reader reads both lists at once: the target must not mix them up.
    await Promise.all([companies, contacts].map((list) => readCollection(list, random, peer)));
    // Pages of the default length, where there is more than one.
    if (effort !== 'quick') for (const list of [companies, contacts]) await follow(list, { pagesMax: defaultPagesMax });
    await observeTeam(context.api, context);
    if (further) await revoke(api, further, written);
  },
);

const defaultPagesMax = 4;

type Listed = List & { readonly operation: keyof typeof kinds };
type Change = (delivered: readonly string[]) => Promise<unknown>;

/** One change between each two pages, of several the last while the next page is read; each knows what was delivered. */
function followAmid(
  list: Listed,
  way: Parameters<typeof follow>[1],
  changes: readonly Change[],
): Promise<Traversal | undefined> {
  const delivered: string[] = [];
  return follow(list, {
    ...way,
    between: async ({ items }, gap) => {
      delivered.push(...identitiesOf(list.operation, items));
      const change = async () => changes[gap - 1]?.(delivered);
      if (gap > 1 && gap === changes.length) return change;
      await change();
      return undefined;
    },
  });
}

/** A record is made between two pages, with or without `fields`. */
async function readAmid(list: Listed, { random }: Work, insert: Change): Promise<void> {
  const whole = await readWhole(list);
  if (!whole?.complete) {
    await insert([]);
    return;
  }
  const way = pagesFor(whole.items.length, random);
  const read = (query: Way['query'] = {}) => followAmid(list, { ...way, query }, [insert]);
  // The target may refuse that name.
  const fields = identifierNameIn(list, whole.items[0]);
  await ((random.int(1, 2) === 1 ? await read({ fields }) : undefined) ?? read());
  await readWhole(list);
}

/** The member that identifies a record. */
function identifierNameIn({ operation }: Listed, item: JsonObject = {}): string {
  const [id] = identitiesOf(operation, [item]);
  return Object.keys(item).find((name) => String(item[name]) === id) ?? 'id';
}

/** Lists up to this length have one record per page, so that few are delivered before the edit. */
const singly = 15;

/** Edits one of two companies that is still to come, and in another traversal one that was delivered. */
async function editCompanies(list: Listed, own: readonly Company[], { clock, random }: Work): Promise<void> {
  const whole = await readWhole(list);
  const order = identitiesOf('GET /companies', whole?.items ?? []);
  const places = own.map(({ id }) => order.indexOf(String(id))).filter((place) => place >= 0);
  // The first page ends with one of them, and the other comes later.
  const limit = order.length <= singly ? 1 : Math.min(200, Math.min(...places) + 1);
  if (!whole?.complete || places.length === 0 || order.length > 8 * Math.max(limit, 2)) return;
  for (const isAhead of [true, false]) {
    await clock.sleep(timestampGapMs);
    let isEdited = false;
    const edit: Change = async (delivered) => {
      const one = own.find(({ id }) => delivered.includes(String(id)) !== isAhead);
      if (one === undefined || isEdited) return;
      isEdited = true;
      const body = { ...fullRecord(String(one.sent.name), random.pick(['first', 'second'])), ...one.sent };
      await list.api.send('PATCH /companies/{company_id}', { path: { company_id: one.id }, body });
    };
    await followAmid(list, { limit, pagesMax: 2 * order.length + 10 }, isAhead ? [edit] : order.map(() => edit));
  }
}

/**
 * Revokes the key, because an account has a maximum. Its write under an Idempotency-Key is repeated with the revoked
 * key: the rules judge that it is refused.
 */
async function revoke(live: Api, { id, credential }: MadeKey, written: Reply | undefined): Promise<void> {
  const key = written && idempotencyKeyOf(written);
  if (!isRevoked(await revokeKey(live, id)) || key === undefined) return;
  const text = written?.request.body ?? '';
  await live.as({ ...credential, accounts: [] }).send('POST /contacts', { text, key, exactly: true });
}

/** Number of notes; each costs two writes. */
const counts = { quick: 4, standard: 6, thorough: 12 } as const;

/** Limits around the number of records: one, half, one less, all, and some drawn. */
function limitsFor(count: number, { effort, random }: Work): readonly number[] {
  if (effort === 'thorough') return Array.from({ length: count + 1 }, (_, index) => index + 1);
  const drawn = effort === 'quick' ? [] : [random.int(2, count - 2)];
  return [...new Set([1, count / 2, count - 1, count, ...drawn])];
}

/** Traverses the notes of a company that only this case changes. */
async function traverseNotes(api: Api, peer: Api, company: Company, context: Work): Promise<void> {
  const { make, clock, effort, random } = context;
  const list = { operation: notes, api, path: { company_id: company.id } } as const;
  const count = counts[effort];
  const pagesMax = 2 * count + 10;
  await ask(list);
  const texts = noteTexts(random);
  // Two consecutive notes are equal: a target that confuses them shows one note too few.
  const makeNote = (place: number) => make.note(api, company.id, texts[(place === 3 ? 2 : place) % texts.length]);
  const made = [await makeNote(0)];
  await follow(list, { limit: 1, pagesMax });
  while (made.length < count) made.push(await makeNote(made.length));
  const soon = await follow(list, { pagesMax });
  await clock.sleep(lagMsMax + 1);
  const whole = await follow(list, { pagesMax });
  context.observe('pagination-list-lag', lagOf(made, soon, whole));
  const limits = limitsFor(count, context);
  const walks: (Traversal | undefined)[] = [whole];
  for (let pair = 0; pair < limits.length; pair += 2) {
    const both = limits
      .slice(pair, pair + 2)
      .map((limit, index) => follow({ ...list, api: index === 0 ? api : peer }, { limit, pagesMax }));
    walks.push(...(await Promise.all(both)));
  }
  const order = identitiesOf(notes, whole?.items ?? []);
  await observeLists(list, walks, order, context);
  await changeNotes({ list, peer, company, made, order }, context);
}

function lagOf(made: readonly Note[], soon: Traversal | undefined, whole: Traversal | undefined): string {
  const isRight = (seen: Traversal | undefined): boolean =>
    seen?.items.length === made.length && seen.replies.every((one) => paginationOf(one).total === made.length);
  return isRight(soon) ? 'at once' : isRight(whole) ? 'within five seconds' : 'not within five seconds';
}

interface Notes {
  readonly list: Listed;
  /** Another caller that reads the same list and writes nothing. */
  readonly peer: Api;
  readonly company: Company;
  readonly made: readonly Note[];
  readonly order: readonly string[];
}

/** Three traversals: notes are made during the first, edited during the second, deleted during the third. */
async function changeNotes({ list, peer, company, made, order }: Notes, context: Work): Promise<void> {
  const { make, clock, effort, random } = context;
  const { api } = list;
  const pagesMax = 2 * order.length + 20;
  const traverseWith = (...changes: readonly Change[]) => followAmid(list, { limit: 2, pagesMax }, changes);
  const add = () => make.note(api, company.id);
  const byPeer = { ...list, api: peer };
  if (peer !== api) await follow(byPeer, { pagesMax });
  const inserts = await traverseWith(add, ...(effort === 'quick' ? [] : [add]));
  observeOrder(made, order, inserts, context);
  await clock.sleep(lagMsMax + timestampGapMs);
  const present = identitiesOf(notes, (await follow(byPeer, { pagesMax }))?.items ?? []);
  const at = (id: string | undefined) => ({ company_id: company.id, note_id: id ?? '' });
  const edit = (id: string | undefined) =>
    api.send('PATCH /companies/{company_id}/notes/{note_id}', {
      path: at(id),
      body: { text: make.noteText('edited note') },
      ...keyOrNone(random),
    });
  // A note that is still to come, and one that was delivered.
  await traverseWith(
    (delivered) => edit(present.findLast((id) => !delivered.includes(id))),
    (delivered) => edit(present.find((id) => delivered.includes(id))),
  );
  const remove = async (id: string | undefined) =>
    id === undefined ? undefined : api.send('DELETE /companies/{company_id}/notes/{note_id}', { path: at(id) });
  // At the borders of pages: the last one before, the first one after, and one while the next page is read.
  await traverseWith(
    (delivered) => remove(delivered.at(-1)),
    (delivered) => remove(present[present.findLastIndex((id) => delivered.includes(id)) + 1]),
    (delivered) => remove(delivered.at(-1)),
  );
  const limit = Math.max(1, Math.ceil((present.length - 3) / 2));
  await follow(list, { limit, pagesMax });
  context.atEnd(async () => {
    await follow(list, { limit, pagesMax });
    if (effort !== 'quick') await follow(list, { pagesMax });
  });
}
