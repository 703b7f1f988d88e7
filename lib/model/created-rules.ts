// Rules for every kind of record that the run creates: the lists contain it, and only once.
import type { JudgedId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { isNamedByRun, nameMember } from '../client/ledger.ts';
import { dataOf, identifierOf, isObject, type Reply, wasAccepted } from '../client/reply.ts';
import { lagMsMax } from '../expect/eventually.ts';
import { grouped } from '../runtime/grouped.ts';
import type { Judge, Rule } from './judge.ts';
import { kindShown } from './marks.ts';
import { countOf, type ListPage } from './pages.ts';
import { isValidRecord, placeOf } from './refusal-rules.ts';
import { bodyOf, isShown, saysJson, saysNothing, tokenOf } from './request.ts';
import { recordsIn, type World } from './world.ts';
import { createdIn } from './writes.ts';

/** The configured key whose user may create neither companies nor contacts. */
export const restricted = 'COVENANT_API_KEY_RESTRICTED';

/** A target may produce texts up to this length itself; in characters. */
const ownMax = 12;
const isDistinctive = (value: unknown): value is string => typeof value === 'string' && value.length > ownMax;

/** A new record must not show a text that only another creation was given. */
export const borrowedRule =
  <Id extends JudgedId>(creation: OperationId, id: Id): Rule<Id> =>
  ({ replies }, { expect, count }) => {
    /** The creation that sent each pair of member and text. */
    const senders = new Map<string, Reply>();
    for (const reply of replies.filter(({ operation }) => operation === creation)) {
      if (isCreated(reply) && senders.size > 0) count(id, reply);
      const shown = notGiven(reply).flatMap((one) => ({ one, giver: senders.get(JSON.stringify(one)) }));
      for (const { one, giver } of shown.filter(({ giver }) => giver)) {
        const found = { expected: `no ${one[0]}, as none was given`, actual: one[1], because: giver ? [giver] : [] };
        expect(id, reply, false, 'a new record should show nothing that another one was given', found);
      }
      for (const given of Object.entries(bodyOf(reply) ?? {}).filter(([, text]) => isDistinctive(text)))
        senders.set(JSON.stringify(given), preferAccepted(senders.get(JSON.stringify(given)), reply));
    }
  };

/** Prefers an accepted creation: the text of a refused one should not be stored at all. */
const preferAccepted = (known: Reply | undefined, reply: Reply): Reply =>
  known === undefined || (wasAccepted(reply) && !wasAccepted(known)) ? reply : known;

const isCreated = (reply: Reply): boolean => isShown(reply) && !reply.mayReplay;

/** Long texts of a new record in members that the request did not send. */
function notGiven(reply: Reply): readonly (readonly [name: string, text: unknown])[] {
  const [data, sent] = [dataOf(reply), bodyOf(reply)];
  if (!isCreated(reply) || !isObject(data) || sent === undefined) return [];
  return Object.entries(data).filter(([name, text]) => !(name in sent) && isDistinctive(text));
}

/** Whether nothing but the missing permission can refuse the creation. */
function isValid(reply: Reply): boolean {
  const { company_id, contact_type, is_primary: _, ...texts } = bodyOf(reply) ?? {};
  if (reply.undocumented || reply.mayReplay || !saysJson(reply)) return false;
  if (texts.phones !== undefined || texts.org_id !== undefined || !isValidRecord(texts)) return false;
  return reply.operation === 'POST /companies'
    ? texts.name !== undefined && texts.company_type !== undefined
    : Number.isInteger(company_id) && ['lender_contact', 'sponsor'].includes(String(contact_type));
}

/** Statuses that other requirements judge. */
const isJudgedElsewhere = (reply: Reply): boolean => reply.status === 409 || saysNothing(reply);
/** No target refuses these for their values. */
const usual = ['name', 'company_type', 'website', 'city', 'last_name', 'contact_type', 'company_id', 'is_primary'];

/** As is configured, every creation of the restricted user is refused with 403. */
export const forbiddenRule =
  <Id extends JudgedId>(creation: OperationId, id: Id): Rule<Id> =>
  ({ replies, keys }, { expect }) => {
    const own = replies.filter((one) => keys.ownerOf(tokenOf(one)) === restricted);
    const reads = own.filter((one) => kindShown(one) === 'company' && wasAccepted(one));
    const taken = new Set(replies.filter(wasAccepted).flatMap(placeOf));
    const seen = new Set<unknown>(reads.flatMap(recordsIn).map((record) => identifierOf('company', record)));
    for (const reply of own.filter((one) => one.operation === creation && !isJudgedElsewhere(one))) {
      if (reply.undocumented || reply.mayReplay) continue;
      const body = bodyOf(reply) ?? {};
      // A contact of a company that the user cannot see may be refused for that, and so may an unusual body or type.
      const [place] = placeOf(reply);
      const isPlace = place === undefined || (seen.has(body.company_id) && taken.has(place));
      const isUsual = isValid(reply) && Object.keys(body).every((name) => usual.includes(name));
      if (!wasAccepted(reply) && reply.status !== 403 && !(isPlace && isUsual)) continue;
      const message = `what ${reply.credential} may not create should be refused for that`;
      expect(id, reply, reply.status === 403, message, { expected: 403 });
    }
  };

type Listed = 'company' | 'contact';
const creationOf = { company: 'POST /companies', contact: 'POST /contacts' } as const;

interface Created {
  readonly id: string;
  readonly reply: Reply;
  readonly view: string;
}

/** Records created by documented requests: companies, not by the restricted key, and their contacts. */
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

/** All pages of the list that ends with this page. */
function pagesTo(page: ListPage): readonly ListPage[] {
  const { chain, hasMore, offset } = page;
  const pages = chain ?? (offset === 0 ? [page] : []);
  return !hasMore && pages.every(({ ids }) => ids !== undefined) ? pages : [];
}

/** Whether the number of records equals the `total` of every page. */
const isWhole = (pages: readonly ListPage[]): boolean => pages.every(({ total }) => total === countOf(pages));

/** Those of the created records that the list should show, what it shows, and what it lacks of them. */
function dueIn(page: ListPage, created: readonly Created[], isDue: (one: Reply, list: Reply) => boolean) {
  const pages = pagesTo(page);
  const [first] = pages;
  const shown = new Set(pages.flatMap(({ ids }) => ids ?? []));
  const due = first ? created.filter(({ view, reply }) => view === page.view && isDue(reply, first.reply)) : [];
  const lacking = due.filter(({ id }) => !shown.has(id));
  if (isWhole(pages)) return { due, shown, lacking };
  // An incomplete list may lack its end: only a record between two shown ones is certainly missing.
  const places = due.flatMap(({ id }, place) => (shown.has(id) ? [place] : []));
  const isBetween = (one: Created): boolean => {
    const place = due.indexOf(one);
    return place > (places[0] ?? due.length) && place < (places.at(-1) ?? 0);
  };
  return { due: [], shown, lacking: lacking.filter(isBetween) };
}

/** Whether a list of this kind lacks a record of its reader, even briefly. Then its `total` is not judged. */
export const lacksOwn = (kind: Listed, world: World): boolean => {
  const created = createdOf(kind, world);
  const isThere = (one: Reply, list: Reply): boolean => one.id <= list.after;
  const isIncomplete = (page: ListPage): boolean =>
    isWhole(pagesTo(page)) && dueIn(page, created, isThere).lacking.length > 0;
  return world.pages.some((page) => page.kind === kind && isIncomplete(page));
};

/** A list contains every record that its reader created, and no more records of a name than were sent. */
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
        count(ids.contains, page.reply);
    }
    judgeCopies(kind, ids.once, world, judge);
  };

/** No more records of a name than creations that may have made one. */
function judgeCopies<Id extends JudgedId>(kind: Listed, id: Id, world: World, { expect }: Judge<Id>): void {
  // Also of a company whose number counts as another account's.
  const { replies } = world.history;
  const path = kind === 'company' ? '/companies' : '/contacts';
  // A request without a reply may have been carried out each time that it was sent.
  const lost = world.lost.filter(({ method, url }) => method === 'POST' && new URL(url).pathname.endsWith(path));
  const open = new Set(lost.map((request) => bodyOf({ request })?.[nameMember[kind]]));
  const written = replies.filter(({ request, status }) => request.method !== 'GET' && (status < 400 || status >= 500));
  const sent = grouped(written, (reply) => bodyOf(reply)?.[nameMember[kind]]);
  const shown = new Map<string, Set<string>>();
  for (const { items, ids, view, reply } of world.pages.filter((page) => page.kind === kind && page.ids))
    for (const [place, item] of items.entries()) {
      const name = item[nameMember[kind]];
      const isClear = typeof name === 'string' && isNamedByRun(name) && !open.has(name);
      const writes = isClear ? (sent.get(name) ?? []) : [];
      const all = (shown.get(`${view} ${name}`) ?? new Set()).add(ids?.[place] ?? '');
      shown.set(`${view} ${name}`, all);
      const found = { expected: writes.length, actual: [...all], because: writes.slice(0, 1) };
      const holds = all.size <= writes.length;
      if (writes.length > 0) expect(id, reply, holds, `one creation should make one ${kind}`, found);
    }
}
