// Every page of keys by itself: it reports what it was asked for, has_more says what total says, and no key changes.
import {
  areSame,
  at,
  createdIn,
  dataOf,
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
  type World,
  wasAccepted,
} from '../../lib/index.ts';

export const pageIds = [
  'api-keys-list-pagination',
  'api-keys-list-has-more',
  'api-keys-list-total',
  'api-keys-list-record',
  'pagination-limit-bounds',
  'pagination-limit-default',
  'pagination-limit-reported',
] as const;
type Id = (typeof pageIds)[number];

export const keyPages: Rule<Id> = (world, judge) => {
  const isNear = neighbours(world);
  const changes = world.replies.filter(isChange);
  const isCalm = (reply: Reply): boolean =>
    !changes.some(
      (one) =>
        one.receivedAt >= reply.sentAt - lagMsMax && one.after < reply.id && isNear(one.credential, reply.credential),
    );
  const pages = world.replies.flatMap((reply) => pageOf(reply, world) ?? []);
  const areDisturbed = isDisturbed(pages, world);
  const first = new Map<string, Shown>();
  for (const page of pages) {
    const isReported = judgeReport(page, judge);
    const isAtRest = isReported && !areDisturbed && isCalm(page.reply);
    if (!isAtRest || judgeCount(page, judge)) judgeLeast(page, pages, judge);
    judgeRecords(page, first, judge);
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

/** Undefined where it was asked for in a way that the document does not know. */
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

/** Which requirement a limit breaks that is not in effect. */
function limitId({ asked, reply }: Page): Id {
  if (!queryOf(reply).has('limit')) return 'pagination-limit-default';
  return asked.limit === 1 || asked.limit === 200 ? 'pagination-limit-bounds' : 'pagination-limit-reported';
}

/** An offset beyond the end may be reported as it is in effect. */
function judgeReport(page: Page, { expect }: Judge<Id>): boolean {
  const { reply, asked, pagination } = page;
  if (typeof pagination.total === 'number' && asked.offset > pagination.total) return true;
  const names = (['offset', 'limit'] as const).filter((name) => Number.isInteger(pagination[name]));
  return names
    .map((name) => {
      const id = name === 'limit' ? limitId(page) : 'api-keys-list-pagination';
      const found = { expected: asked[name], actual: pagination[name] };
      return expect(id, reply, pagination[name] === asked[name], `the list should report its ${name}`, found);
    })
    .every((holds) => holds);
}

/** Where no key came or went meanwhile. */
function judgeCount({ reply, asked, pagination, items }: Page, { expect }: Judge<Id>): boolean {
  const { total, has_more } = pagination;
  if (typeof total !== 'number' || typeof has_more !== 'boolean') return true;
  const remains = asked.offset + asked.limit < total;
  const message = 'has_more should say whether keys remain behind the page';
  const more = { expected: remains, actual: has_more };
  if (!expect('api-keys-list-has-more', reply, has_more === remains, message, more)) return false;
  const isLast = !has_more && (asked.offset === 0 || items.length > 0) && items.length <= asked.limit;
  const counted = asked.offset + items.length;
  const found = { expected: counted, actual: total };
  return (
    !isLast || expect('api-keys-list-total', reply, total === counted, 'total should be the number of keys', found)
  );
}

/** All keys that a caller is shown, on one page. */
const isWhole = ({ asked, pagination, items }: Page): boolean =>
  asked.offset === 0 && pagination.has_more === false && pagination.total === items.length;
const keysOn = ({ items }: Page): readonly string[] =>
  items.map((item) => `${identifierOf('key', item)} ${String(item.key_prefix)}`);

/** What a whole list has shown for longer than lists may lag, and one after it shows again, counts all the time. */
function judgeLeast({ reply, pagination }: Page, pages: readonly Page[], { expect }: Judge<Id>): void {
  // A session may be in another account meanwhile.
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

interface Shown {
  readonly item: JsonObject;
  readonly reply: Reply;
}

/** What a key is shown with does not change: its label may, by somebody at the web app. */
function judgeRecords({ reply, items, view }: Page, first: Map<string, Shown>, { expect }: Judge<Id>): void {
  for (const item of items) {
    const id = identifierOf('key', item);
    const place = `${view} ${id}`;
    const known = first.get(place);
    if (id === undefined || known === undefined) {
      first.set(place, { item, reply });
      continue;
    }
    // Where the keys of all accounts are listed, each account may have numbered its own.
    if (['key_prefix', 'label'].every((name) => known.item[name] !== item[name])) continue;
    for (const name of ['key_prefix', 'created_at']) {
      const found = { expected: known.item[name], actual: item[name], because: [known.reply] };
      const holds = areSame(name, known.item[name], item[name]);
      expect('api-keys-list-record', reply, holds, `a key should keep its ${name}`, found);
    }
  }
}

/** No key for want of a right or a label, at the first try: a deletion may be refused because another one was carried out. */
const isChange = ({ operation: asked, status, mayReplay }: Reply): boolean =>
  asked === 'DELETE /api-keys/{key_id}' ||
  (asked === 'POST /api-keys' && ([400, 401, 403, 422].includes(status) ? mayReplay === true : true));

/** Those that the contract puts on one account, and those of which one was shown a key that the other has made. */
function neighbours({ replies, callers }: World): (one: string, other: string) => boolean {
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

/** Whether others change lists of keys meanwhile, whose totals may lag then: what the run has not made comes or goes. */
function isDisturbed(pages: readonly Page[], { replies }: World): boolean {
  const made = new Set(replies.filter((one) => one.operation === 'POST /api-keys').map(createdIn));
  const seen = new Map<string, string>();
  // A page that only says that it is the last shows nothing of the keys that it leaves out.
  return pages.filter(isWhole).some(({ view, items }) => {
    const others = items.flatMap((item) => identifierOf('key', item) ?? []).filter((id) => !made.has(id));
    const shown = others.map(String).sort().join();
    const before = seen.get(view) ?? shown;
    seen.set(view, shown);
    return before !== shown;
  });
}
