// What holds of every kind of record that the run creates: where it is listed, how often, and that a refusal leaves nothing.
import type { JudgedId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { isNamedByRun } from '../client/ledger.ts';
import { dataOf, isObject, type Reply, textsIn, wasAccepted } from '../client/reply.ts';
import { lagMsMax } from '../expect/eventually.ts';
import { grouped } from '../runtime/grouped.ts';
import type { Judge, Rule } from './judge.ts';
import { countOf, type ListPage } from './pages.ts';
import { isValidRecord } from './refusal-rules.ts';
import { bodyOf, isShown, saysJson, tokenOf } from './request.ts';
import { recordsIn, type World } from './world.ts';
import { createdIn } from './writes.ts';

type Creation = 'POST /companies' | 'POST /contacts' | 'POST /api-keys';

/** The contract gives it to a run because its user may create neither companies nor contacts. */
export const restricted = 'COVENANT_API_KEY_RESTRICTED';

const shownBy: Readonly<Record<Creation, readonly (OperationId | undefined)[]>> = {
  'POST /companies': ['GET /companies', 'GET /companies/{company_id}'],
  'POST /contacts': ['GET /contacts'],
  'POST /api-keys': ['GET /api-keys'],
};

/** Texts that nothing but one write of this run carries. */
const marksIn = (value: unknown): readonly string[] => textsIn(value).filter(isNamedByRun);

const isRefused = ({ status, undocumented, mayReplay }: Reply): boolean =>
  [400, 403, 404, 422].includes(status) && !undocumented && !mayReplay;

/** What was refused is in no list, and in no read by its identifier, whoever sent it and whoever looks. */
export const refusedRule =
  <Id extends JudgedId>(creation: Creation, idOf: (refused: Reply) => Id): Rule<Id> =>
  (world, { expect, count }) => {
    const written = world.replies.filter(({ request }) => request.method !== 'GET');
    const refused = written.filter((one) => one.operation === creation && isRefused(one));
    // What is in doubt may have been accepted.
    const open = [...written.filter((one) => !refused.includes(one)), ...(world.history.suspect ?? [])];
    const others = new Set(open.flatMap((one) => marksIn(bodyOf(one))));
    const isOpen = (mark: string): boolean =>
      others.has(mark) || world.history.lost.some(({ body }) => body?.includes(mark));
    const sources = new Map(
      refused.flatMap((one) => marksIn(bodyOf(one)).flatMap((mark) => (isOpen(mark) ? [] : [[mark, one] as const]))),
    );
    // Of each requirement the first.
    const firsts = new Map([...sources.values()].toReversed().map((one) => [idOf(one), one] as const));
    const dueAt = ({ after }: Reply): readonly Id[] =>
      [...firsts].flatMap(([id, { id: at }]) => (at <= after ? id : []));
    for (const reply of world.replies) {
      if (!shownBy[creation].includes(reply.operation) || !wasAccepted(reply)) continue;
      for (const id of dueAt(reply)) count(id);
      const left = recordsIn(reply).flatMap((record) =>
        marksIn(record).flatMap((mark) => ({ record, source: sources.get(mark) })),
      );
      for (const { record, source } of left)
        if (source && source.id <= reply.after)
          expect(idOf(source), reply, false, 'a refused creation should leave nothing behind', {
            ...{ expected: 'no such record', actual: record, because: [source], operation: creation },
          });
    }
  };

/** Shorter texts a target may have of its own accord; in characters. */
const ownMax = 12;
const isTelling = (value: unknown): value is string => typeof value === 'string' && value.length > ownMax;

/** What a new record shows that it was not given, and another one was: nothing of it is its own. */
export const borrowedRule =
  <Id extends JudgedId>(creation: Creation, id: Id): Rule<Id> =>
  ({ replies }, { expect, count }) => {
    /** By member and text, the creation that was given it. */
    const givers = new Map<string, Reply>();
    for (const reply of replies.filter(({ operation }) => operation === creation)) {
      if (isCreated(reply) && givers.size > 0) count(id);
      const shown = notGiven(reply).flatMap((one) => ({ one, giver: givers.get(JSON.stringify(one)) }));
      for (const { one, giver } of shown.filter(({ giver }) => giver)) {
        const found = { expected: `no ${one[0]}, as none was given`, actual: one[1], because: giver ? [giver] : [] };
        expect(id, reply, false, 'a new record should show nothing that another one was given', found);
      }
      for (const given of Object.entries(bodyOf(reply) ?? {}).filter(([, text]) => isTelling(text)))
        givers.set(JSON.stringify(given), moreTelling(givers.get(JSON.stringify(given)), reply));
    }
  };

/** What was refused should have left nothing to borrow: a record that was made shows more. */
const moreTelling = (known: Reply | undefined, reply: Reply): Reply =>
  known === undefined || (wasAccepted(reply) && !wasAccepted(known)) ? reply : known;

const isCreated = (reply: Reply): boolean => isShown(reply) && !reply.mayReplay;

/** The texts that a new record shows under names that it was not given. */
function notGiven(reply: Reply): readonly (readonly [name: string, text: unknown])[] {
  const [data, sent] = [dataOf(reply), bodyOf(reply)];
  if (!isCreated(reply) || !isObject(data) || sent === undefined) return [];
  return Object.entries(data).filter(([name, text]) => !(name in sent) && isTelling(text));
}

/** Valid in everything that could be refused first. */
function isValid(reply: Reply): boolean {
  const { company_id, contact_type, is_primary: _, ...texts } = bodyOf(reply) ?? {};
  if (reply.undocumented || reply.mayReplay || !saysJson(reply)) return false;
  if (texts.phones !== undefined || texts.org_id !== undefined || !isValidRecord(texts)) return false;
  return reply.operation === 'POST /companies'
    ? texts.name !== undefined && texts.company_type !== undefined
    : Number.isInteger(company_id) && ['lender_contact', 'sponsor'].includes(String(contact_type));
}

/** Whether they may be let in, and how often, is judged by itself. */
const isOpen = ({ status }: Reply): boolean => [401, 409, 429].includes(status) || status >= 500;

/** What the restricted user may not create is mostly refused for want of the right: then it is so every time. */
export const forbiddenRule =
  <Id extends JudgedId>(creation: Creation, id: Id): Rule<Id> =>
  ({ replies, keys }, { expect }) => {
    const tries = replies.filter(
      (one) => one.operation === creation && keys.ownerOf(tokenOf(one)) === restricted && isValid(one),
    );
    for (const reply of tries) {
      // Of a company that it may not see it may be said that there is none.
      const same = tries.filter((one) => bodyOf(one)?.company_id === bodyOf(reply)?.company_id);
      const refused = same.filter(({ status }) => status === 403).length;
      if (isOpen(reply) || 2 * refused <= same.length) continue;
      const message = `what ${reply.credential} may not create should be refused for that`;
      expect(id, reply, reply.status === 403, message, { expected: 403, actual: reply.status });
    }
  };

type Listed = 'company' | 'contact';
const creationOf = { company: 'POST /companies', contact: 'POST /contacts' } as const;
const nameOf = { company: 'name', contact: 'last_name' } as const;

interface Created {
  readonly id: string;
  readonly reply: Reply;
  readonly view: string;
}

/** What a view has created, by requests that the document describes: companies by right, and contacts of such companies. */
function createdOf(kind: Listed, { replies, callers }: World): readonly Created[] {
  const companies = new Set<string>();
  return replies.flatMap((reply): Created[] => {
    const { operation, undocumented, mayReplay } = reply;
    const [view, id] = [callers.viewOf(reply), createdIn(reply)];
    if (undocumented || mayReplay || view === undefined || id === undefined) return [];
    if (operation === 'POST /companies' && !view.startsWith(restricted)) companies.add(`${view} ${id}`);
    const isOwn = companies.has(`${view} ${kind === 'company' ? id : bodyOf(reply)?.company_id}`);
    return operation === creationOf[kind] && isOwn ? [{ id: String(id), reply, view }] : [];
  });
}

/** The pages of a list that ends with this one. */
function pagesTo(page: ListPage): readonly ListPage[] {
  const { chain, hasMore, offset } = page;
  const pages = chain ?? (offset === 0 ? [page] : []);
  return !hasMore && pages.every(({ ids }) => ids !== undefined) ? pages : [];
}

/** They have as many records as each of them says there are. */
const isWhole = (pages: readonly ListPage[]): boolean => pages.every(({ total }) => total === countOf(pages));

interface Due {
  readonly due: readonly Created[];
  readonly shown: ReadonlySet<string>;
  readonly lacking: readonly Created[];
}

function dueIn(page: ListPage, created: readonly Created[], isDue: (one: Reply, list: Reply) => boolean): Due {
  const pages = pagesTo(page);
  const [first] = pages;
  const shown = new Set(pages.flatMap(({ ids }) => ids ?? []));
  const due = first ? created.filter(({ view, reply }) => view === page.view && isDue(reply, first.reply)) : [];
  const lacking = due.filter(({ id }) => !shown.has(id));
  if (isWhole(pages)) return { due, shown, lacking };
  // What is cut off may lack its end: only what was made between two that are shown is lacking in any case.
  const places = due.flatMap(({ id }, place) => (shown.has(id) ? [place] : []));
  const isBetween = (one: Created): boolean => {
    const place = due.indexOf(one);
    return place > (places[0] ?? due.length) && place < (places.at(-1) ?? 0);
  };
  return { due: [], shown, lacking: lacking.filter(isBetween) };
}

/** Lists of this kind lack a record of their reader's, if only for a moment: what they count is not judged. */
export const lacksOwn = (kind: Listed, world: World): boolean => {
  const created = createdOf(kind, world);
  const isThere = (one: Reply, list: Reply): boolean => one.id <= list.after;
  const isIncomplete = (page: ListPage): boolean =>
    isWhole(pagesTo(page)) && dueIn(page, created, isThere).lacking.length > 0;
  return world.pages.some((page) => page.kind === kind && isIncomplete(page));
};

/** A list has every record that its reader has made, and no more of a name than it was sent for. */
export const listedRule =
  <Id extends JudgedId>(kind: Listed, ids: { readonly contains: Id; readonly once: Id }): Rule<Id> =>
  (world, judge) => {
    const { expect, count } = judge;
    const created = createdOf(kind, world);
    const hasSettled = (one: Reply, list: Reply): boolean => one.receivedAt < list.sentAt - lagMsMax;
    for (const page of world.pages) {
      if (page.kind !== kind) continue;
      const { due, shown: listed, lacking: all } = dueIn(page, created, hasSettled);
      const [lacking] = all;
      if (lacking)
        expect(ids.contains, page.reply, false, 'a list should have every record that its reader has made', {
          expected: `${kind} ${lacking.id}`,
          actual: `${listed.size} others`,
          because: [lacking.reply],
        });
      else if (due.length > 0 || created.some(({ id, view }) => view === page.view && page.ids?.includes(id)))
        count(ids.contains);
    }
    judgeCopies(kind, ids.once, world, judge);
  };

/** No more records of a name than writes that may have left one. */
function judgeCopies<Id extends JudgedId>(kind: Listed, id: Id, world: World, { expect }: Judge<Id>): void {
  const { replies } = world;
  const path = kind === 'company' ? '/companies' : '/contacts';
  // What got no reply may have been carried out each time that it was sent.
  const lost = world.lost.filter(({ method, url }) => method === 'POST' && new URL(url).pathname.endsWith(path));
  const open = new Set(lost.map((request) => bodyOf({ request })?.[nameOf[kind]]));
  const written = replies.filter(({ request, status }) => request.method !== 'GET' && (status < 400 || status >= 500));
  const sent = grouped(written, (reply) => bodyOf(reply)?.[nameOf[kind]]);
  const shown = new Map<string, Set<string>>();
  for (const { items, ids, view, reply } of world.pages.filter((page) => page.kind === kind && page.ids))
    for (const [place, item] of items.entries()) {
      const name = item[nameOf[kind]];
      const isClear = typeof name === 'string' && isNamedByRun(name) && !open.has(name);
      const writes = isClear ? (sent.get(name) ?? []) : [];
      const all = (shown.get(`${view} ${name}`) ?? new Set()).add(ids?.[place] ?? '');
      shown.set(`${view} ${name}`, all);
      const found = { expected: writes.length, actual: [...all], because: writes.slice(0, 1) };
      const holds = all.size <= writes.length;
      if (writes.length > 0) expect(id, reply, holds, `one creation should make one ${kind}`, found);
    }
}
