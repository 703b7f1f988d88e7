// Rules over pages of keys: offset, limit, has_more and total are right, and pages together show every key once.
import {
  areSame,
  at,
  bodyOf,
  createdIn,
  dataOf,
  grouped,
  identifierOf,
  isObject,
  isSession,
  isShown,
  itemsOf,
  type JsonObject,
  type Judge,
  lagMsMax,
  queryOf,
  type Reply,
  type Rule,
  rangeAskedOf,
  tokenOf,
  usualTexts,
  type World,
  wasAccepted,
  wordOf,
} from '../../lib/index.ts';
import { labelMax } from '../shared/keys.ts';

export const keyPages: Rule = (world, judge) => {
  const areOnOneAccount = onOneAccount(world);
  const changes = world.replies.filter(isChange);
  const isUndisturbed = (reply: Reply): boolean =>
    !changes.some(
      (one) =>
        one.receivedAt >= reply.sentAt - lagMsMax &&
        one.after < reply.id &&
        areOnOneAccount(one.credential, reply.credential),
    );
  const pages = world.replies.flatMap((reply) => pageOf(reply, world) ?? []);
  const areDisturbed = isDisturbed(pages, world);
  const isAtRest = ({ reply }: Page): boolean => !areDisturbed && isUndisturbed(reply);
  const first = new Map<string, Shown>();
  for (const page of pages) {
    const isReported = judgeReport(page, judge);
    if (!(isReported && isAtRest(page)) || judgeCount(page, world, judge)) judgeLeast(page, pages, judge);
    judgeRecords(page, first, judge);
  }
  for (const own of grouped(pages, ({ view, reply }) => `${view} ${tokenOf(reply)}`).values()) {
    judgeTraversals(own, isAtRest, judge);
    judgeRefusedCreations(own, world, judge);
  }
};

const operation = 'GET /api-keys';

interface Page {
  readonly reply: Reply;
  readonly view: string;
  readonly asked: { readonly offset: number; readonly limit: number };
  readonly pagination: JsonObject;
  readonly items: readonly JsonObject[];
}

/** Undefined if the request has parameters or values outside the document. */
function pageOf(reply: Reply, { callers }: World): Page | undefined {
  if (reply.operation !== operation || !isShown(reply)) return undefined;
  const [pagination, query, view] = [at(reply.json, 'pagination'), queryOf(reply), callers.viewOf(reply)];
  const asked = rangeAskedOf(reply);
  const { offset, limit } = asked;
  const isKnown = [...query.keys()].every((name) => name === 'limit' || name === 'offset');
  const isInRange = Number.isInteger(limit) && limit >= 1 && limit <= 200 && Number.isInteger(offset) && offset >= 0;
  if (!isObject(pagination) || !isKnown || !isInRange || view === undefined) return undefined;
  return { reply, view, asked, pagination, items: itemsOf(reply) };
}

/** The offset is reported as requested, unless it is beyond the end. Returns whether the limit is, too. */
function judgeReport({ reply, asked, pagination }: Page, { expect }: Judge): boolean {
  const { total, offset, limit } = pagination;
  if (typeof total === 'number' && asked.offset > total) return true;
  const found = { expected: asked.offset, actual: offset };
  const message = 'the list should report its offset';
  const id = 'api-keys-list-pagination';
  const isRight = !Number.isInteger(offset) || expect(id, reply, offset === asked.offset, message, found);
  return isRight && (!Number.isInteger(limit) || limit === asked.limit);
}

/** Judges has_more and total while no key came or went. */
function judgeCount({ reply, asked, pagination, items }: Page, { keys }: World, { expect }: Judge): boolean {
  const { total, has_more } = pagination;
  if (typeof total !== 'number' || typeof has_more !== 'boolean') return true;
  const remains = asked.offset + asked.limit < total;
  const message = 'has_more should say whether keys remain behind the page';
  const more = { expected: remains, actual: has_more };
  if (!expect('api-keys-list-has-more', reply, has_more === remains, message, more)) return false;
  const isLast = !has_more && (asked.offset === 0 || items.length > 0) && items.length <= asked.limit;
  const counted = asked.offset + items.length;
  const found = { expected: counted, actual: total };
  // A surplus of at most the number of revoked keys means that these are still counted.
  const owner = keys.ownerOf(tokenOf(reply));
  const revokedCount = keys.all.filter(
    (key) => key.owner === owner && key.revoked && key.revoked.id <= reply.after,
  ).length;
  const countsRevoked = asked.offset === 0 && total > counted && total <= counted + revokedCount;
  const id = countsRevoked ? 'api-keys-revoked-unlisted' : 'api-keys-list-total';
  return !isLast || expect(id, reply, total === counted, 'total should be the number of keys', found);
}

/** One page with all keys of the caller. */
const isWhole = ({ asked, pagination, items }: Page): boolean =>
  asked.offset === 0 && pagination.has_more === false && pagination.total === items.length;
const keysOn = ({ items }: Page): readonly string[] =>
  items.map((item) => `${identifierOf('key', item)} ${String(item.key_prefix)}`);

/** total counts every key that whole lists showed before, longer ago than lists may lag, and after. */
function judgeLeast({ reply, pagination }: Page, pages: readonly Page[], { expect }: Judge): void {
  // A session may have switched accounts meanwhile.
  if (isSession(reply.credential) || typeof pagination.total !== 'number') return;
  const whole = pages.filter((one) => one.reply.credential === reply.credential && isWhole(one));
  const before = whole.findLast((one) => one.reply.receivedAt < reply.sentAt - lagMsMax);
  const after = whole.find((one) => one.reply.after >= reply.id);
  if (before === undefined || after === undefined) return;
  const later = new Set(keysOn(after));
  const least = new Set(keysOn(before).filter((key) => later.has(key))).size;
  expect('api-keys-list-total', reply, pagination.total >= least, 'total should count every key', {
    expected: `${least} or more`,
    actual: pagination.total,
    because: [before.reply, after.reply],
  });
}

/** Pages of the same limit that follow one another, from the first to one with has_more false. */
function traversalsIn(pages: readonly Page[]): readonly (readonly Page[])[] {
  const under = new Map<number, Page[]>();
  for (const page of pages) {
    const { offset, limit } = page.asked;
    const former = under.get(limit) ?? [];
    if (offset === 0) under.set(limit, [page]);
    else if (offset === former.length * limit) former.push(page);
  }
  const isToTheEnd = (some: readonly Page[]): boolean => some.length > 1 && some.at(-1)?.pagination.has_more === false;
  return [...under.values()].filter(isToTheEnd);
}

/** Between two equal whole lists, a traversal shows each key once, and a page those at its offset, or as many. */
function judgeTraversals(pages: readonly Page[], isAtRest: (page: Page) => boolean, { expect }: Judge): void {
  const whole = pages.filter(isWhole);
  const traversals = traversalsIn(pages);
  // If traversals with several limits are in the order of the list, single pages are too.
  const isOrdered = traversals.length > 1 && [...traversals, ...whole.map((one) => [one])].every(hasOneOrder(whole));
  const judge = (
    some: readonly Page[],
    isRight: (shown: readonly string[], all: readonly string[]) => boolean,
  ): void => {
    const [first, last] = [some.at(0)?.reply, some.at(-1)?.reply];
    const before = whole.findLast(({ reply }) => first && reply.id <= first.after);
    const after = whole.find(({ reply }) => last && reply.after >= last.id);
    if (last === undefined || before === undefined || after === undefined) return;
    const [all, shown] = [keysOn(before), some.flatMap(keysOn)];
    if (all.join() !== keysOn(after).join()) return;
    const holds = isRight(shown, all);
    // Created and revoked keys may explain a difference; a single page may be in another order.
    const isExact =
      (some.length > 1 || isOrdered) && some.every(({ asked, pagination }) => pagination.limit === asked.limit);
    if (!holds && !(isExact && [before, ...some, after].every(isAtRest))) return;
    expect('api-keys-list-offset-pages', last, holds, 'pages should show every key once, at its place', {
      expected: all,
      actual: shown,
      because: [before.reply, ...some.slice(0, -1).map(({ reply }) => reply), after.reply],
    });
  };
  for (const one of traversals) judge(one, (shown, all) => [...shown].sort().join() === [...all].sort().join());
  for (const page of pages) {
    const { offset, limit } = page.asked;
    const due = (all: readonly string[]): readonly string[] => all.slice(offset, offset + limit);
    // It may be short.
    judge(
      [page],
      (shown, all) => shown.length <= limit && (!isOrdered || shown.every((key) => due(all).includes(key))),
    );
  }
}

/** Whether the keys that the pages share with each list are in the same order in both. */
const hasOneOrder =
  (lists: readonly Page[]) =>
  (pages: readonly Page[]): boolean => {
    const shown = pages.flatMap(keysOn);
    return lists.every((list) => {
      const all = keysOn(list);
      const both = shown.filter((key) => all.includes(key));
      return both.join() === all.filter((key) => shown.includes(key)).join();
    });
  };

const usual = new Set<string>(usualTexts);
/** Minimum length of a label that was cut off. */
const cutMin = 200;

/** A creation refused for its label leaves no new key behind, other than those that the run made. */
function judgeRefusedCreations(pages: readonly Page[], { replies }: World, { expect }: Judge): void {
  const creations = replies.filter((one) => one.operation === 'POST /api-keys');
  const made = new Set(creations.map(createdIn));
  for (const refused of creations.filter((one) => [400, 422].includes(one.status) && !one.undocumented)) {
    const label = bodyOf(refused)?.label;
    const before = pages.findLast((page) => isWhole(page) && page.reply.id <= refused.after);
    const isLong = typeof label === 'string' && label.length > labelMax;
    if (before === undefined || (label && typeof label === 'string' && !isLong) || !bodyOf(refused)) continue;
    const known = new Set(keysOn(before));
    // Labels that others may use prove nothing.
    const names = ['', String(label), wordOf(label ?? '')].filter((name) => !usual.has(name));
    const isOfIt = (text: string): boolean => (isLong ? text.startsWith(label.slice(0, cutMin)) : names.includes(text));
    const isLeft = (item: JsonObject, place: number, keys: readonly string[]): boolean =>
      !known.has(keys[place] ?? '') && !made.has(identifierOf('key', item)) && isOfIt(wordOf(item.label ?? ''));
    for (const page of pages.filter(({ reply }) => reply.after >= refused.id)) {
      const keys = keysOn(page);
      const left = page.items.find((item, place) => isLeft(item, place, keys));
      const found = { expected: 'no further key', actual: left, because: [refused] };
      const message = 'a refused creation should leave no key behind';
      expect('api-keys-create-refused-effect', page.reply, left === undefined, message, found);
    }
  }
}

interface Shown {
  readonly item: JsonObject;
  readonly reply: Reply;
}

/** key_prefix and created_at of a key never change; its label may, in the web app. */
function judgeRecords({ reply, items, view }: Page, first: Map<string, Shown>, { expect }: Judge): void {
  for (const item of items) {
    const id = identifierOf('key', item);
    const place = `${view} ${id}`;
    const known = first.get(place);
    if (id === undefined || known === undefined) {
      first.set(place, { item, reply });
      continue;
    }
    // A list of all accounts may show two keys with the same number.
    if (['key_prefix', 'label'].every((name) => known.item[name] !== item[name])) continue;
    for (const name of ['key_prefix', 'created_at']) {
      const found = { expected: known.item[name], actual: item[name], because: [known.reply] };
      const holds = areSame(name, known.item[name], item[name]);
      expect('api-keys-list-record', reply, holds, `a key should keep its ${name}`, found);
    }
  }
}

/** Creations, unless refused at the first try, and all revocations: one may be refused because another succeeded. */
const isChange = ({ operation: asked, status, mayReplay }: Reply): boolean =>
  asked === 'DELETE /api-keys/{key_id}' ||
  (asked === 'POST /api-keys' && ([400, 401, 403, 422].includes(status) ? mayReplay === true : true));

/**
 * Whether two credentials are on one account: by the configuration, or because one is shown a key created by the other.
 */
function onOneAccount({ replies, callers }: World): (one: string, other: string) => boolean {
  const accountOf = (credential: string): string => callers.ownerOf(credential).replace(/_(RESTRICTED|SIBLING)$/, '');
  const makers = new Map<unknown, string>();
  const shared = new Set<string>();
  for (const reply of replies) {
    if (!wasAccepted(reply)) continue;
    const account = accountOf(reply.credential);
    if (reply.operation === 'POST /api-keys') makers.set(at(dataOf(reply), 'key_prefix'), account);
    if (reply.operation === operation)
      for (const { key_prefix: prefix } of itemsOf(reply)) shared.add(`${makers.get(prefix)} ${account}`);
  }
  return (one, other) => {
    const [first, second] = [accountOf(one), accountOf(other)];
    return first === second || shared.has(`${first} ${second}`) || shared.has(`${second} ${first}`);
  };
}

/** Whether others create or revoke keys meanwhile, so that totals may lag: their keys come and go in whole lists. */
function isDisturbed(pages: readonly Page[], { replies }: World): boolean {
  const made = new Set(replies.filter((one) => one.operation === 'POST /api-keys').map(createdIn));
  const seen = new Map<string, string>();
  // Only whole lists count: a page with has_more false may leave keys out.
  return pages.filter(isWhole).some(({ view, items }) => {
    const others = items.flatMap((item) => identifierOf('key', item) ?? []).filter((id) => !made.has(id));
    const shown = others.map(String).sort().join();
    const before = seen.get(view) ?? shown;
    seen.set(view, shown);
    return before !== shown;
  });
}
