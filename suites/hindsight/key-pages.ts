// Every page of keys by itself: it reports what it was asked for, has_more says what total says, and no key changes.
import {
  at,
  dataOf,
  identifierOf,
  isObject,
  itemsOf,
  type JsonObject,
  type JudgedId,
  lagMsMax,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { type Families, familiesOf } from './families.ts';
import { wrong } from './judgement.ts';
import { areSame } from './members.ts';
import { isSession, queryOf } from './sent.ts';
import { viewersOf } from './viewers.ts';

export const keyPageIds = [
  'api-keys-list-pagination',
  'api-keys-list-has-more',
  'api-keys-list-total',
  'api-keys-list-record',
  'pagination-limit-bounds',
  'pagination-limit-default',
  'pagination-limit-reported',
] as const satisfies readonly JudgedId[];

const operation = 'GET /api-keys';
const limitDefault = 50;

interface Page {
  readonly reply: Reply;
  readonly asked: { readonly offset: number; readonly limit: number };
  readonly pagination: JsonObject;
  readonly items: readonly JsonObject[];
}

/** Undefined where it was asked for in a way that the document does not know. */
function pageOf(reply: Reply): Page | undefined {
  const pagination = at(reply.json, 'pagination');
  const query = queryOf(reply);
  const limit = Number(query.get('limit') ?? limitDefault);
  const offset = Number(query.get('offset') ?? 0);
  const isKnown = [...query.keys()].every((name) => name === 'limit' || name === 'offset');
  const isInRange = Number.isInteger(limit) && limit >= 1 && limit <= 200 && Number.isInteger(offset) && offset >= 0;
  if (!isObject(pagination) || !isKnown || !isInRange || reply.undocumented) return undefined;
  return { reply, asked: { offset, limit }, pagination, items: itemsOf(reply) };
}

/** Which requirement a limit breaks that is not in effect. */
function limitId({ asked, reply }: Page): JudgedId {
  if (!queryOf(reply).has('limit')) return 'pagination-limit-default';
  return asked.limit === 1 || asked.limit === 200 ? 'pagination-limit-bounds' : 'pagination-limit-reported';
}

/** An offset beyond the end may be reported as it is in effect. */
function ofReport(page: Page): readonly Wrong[] {
  const { reply, asked, pagination } = page;
  const { total } = pagination;
  const isBeyond = typeof total === 'number' && asked.offset > total;
  return (['offset', 'limit'] as const)
    .filter((name) => Number.isInteger(pagination[name]) && pagination[name] !== asked[name] && !isBeyond)
    .map((name) =>
      wrong(
        name === 'limit' ? limitId(page) : 'api-keys-list-pagination',
        operation,
        `the list should report its ${name}`,
        {
          expected: asked[name],
          actual: pagination[name],
          replies: [reply],
        },
      ),
    );
}

/** Where no key came or went meanwhile. */
function ofCount({ reply, asked, pagination, items }: Page): readonly Wrong[] {
  const { total, has_more } = pagination;
  if (typeof total !== 'number' || typeof has_more !== 'boolean') return [];
  const remains = asked.offset + asked.limit < total;
  if (has_more !== remains)
    return [
      wrong('api-keys-list-has-more', operation, 'has_more should say whether keys remain behind the page', {
        expected: remains,
        actual: has_more,
        replies: [reply],
      }),
    ];
  const isLast = !has_more && (asked.offset === 0 || items.length > 0) && items.length <= asked.limit;
  const counted = asked.offset + items.length;
  return isLast && total !== counted
    ? [
        wrong('api-keys-list-total', operation, 'total should be the number of keys', {
          expected: counted,
          actual: total,
          replies: [reply],
        }),
      ]
    : [];
}

/** All keys that a caller is shown, on one page. */
const isWhole = ({ asked, pagination, items }: Page): boolean =>
  asked.offset === 0 && pagination.has_more === false && pagination.total === items.length;
const keysOn = ({ items }: Page): readonly string[] =>
  items.map((item) => `${identifierOf('key', item)} ${String(item.key_prefix)}`);

/** What a whole list has shown for longer than lists may lag, and one after it shows again, counts all the time. */
function ofLeast(page: Page, pages: readonly Page[]): readonly Wrong[] {
  const { reply, pagination } = page;
  // A session may be in another account meanwhile.
  if (isSession(reply.credential) || typeof pagination.total !== 'number') return [];
  const whole = pages.filter((one) => one.reply.credential === reply.credential && isWhole(one));
  const before = whole.findLast((one) => one.reply.receivedAt < reply.sentAt - lagMsMax);
  const after = whole.find((one) => one.reply.after >= reply.id);
  if (before === undefined || after === undefined) return [];
  const later = new Set(keysOn(after));
  const least = new Set(keysOn(before).filter((key) => later.has(key))).size;
  if (pagination.total >= least) return [];
  return [
    wrong('api-keys-list-total', operation, 'total should count every key', {
      expected: `${least} or more`,
      actual: pagination.total,
      replies: [before.reply, reply, after.reply],
    }),
  ];
}

/** What a key is shown with does not change: its label may, by somebody at the web app. */
const lasting = ['key_prefix', 'created_at'];

class Shown {
  private readonly first = new Map<string, { readonly item: JsonObject; readonly reply: Reply }>();

  judge({ reply, items }: Page, viewer: string): readonly Wrong[] {
    return items.flatMap((item): readonly Wrong[] => {
      const id = identifierOf('key', item);
      const place = `${viewer} ${id}`;
      const known = this.first.get(place);
      if (id === undefined || known === undefined) {
        this.first.set(place, { item, reply });
        return [];
      }
      // Where the keys of all accounts are listed, each account may have numbered its own.
      if (['key_prefix', 'label'].every((name) => known.item[name] !== item[name])) return [];
      return lasting
        .filter((name) => !areSame(name, known.item[name], item[name]))
        .map((name) =>
          wrong('api-keys-list-record', operation, `a key should keep its ${name}`, {
            expected: known.item[name],
            actual: item[name],
            replies: [known.reply, reply],
          }),
        );
    });
  }
}

/** No key for want of a right or a label, at the first try: a deletion may be refused because another one was carried out. */
const isRefused = ({ operation: asked, status, mayReplay }: Reply): boolean =>
  asked === 'POST /api-keys' && [400, 401, 403, 422].includes(status) && !mayReplay;

/** Those that the contract puts on one account, and those of which one was shown a key that the other has made. */
function neighbours(replies: readonly Reply[], families: Families): (one: string, other: string) => boolean {
  const accountOf = (credential: string): string => families.rootOf(credential).replace(/_(RESTRICTED|SIBLING)$/, '');
  const makers = new Map<unknown, string>();
  const shared = new Set<string>();
  for (const reply of replies) {
    const account = accountOf(reply.credential);
    if (reply.operation === 'POST /api-keys' && wasAccepted(reply))
      makers.set(at(reply.json, 'data', 'key_prefix'), account);
    if (reply.operation === operation && wasAccepted(reply))
      for (const { key_prefix: prefix } of itemsOf(reply)) shared.add(`${makers.get(prefix)} ${account}`);
  }
  return (one, other) => {
    const [first, second] = [accountOf(one), accountOf(other)];
    return first === second || shared.has(`${first} ${second}`) || shared.has(`${second} ${first}`);
  };
}

/** Whether others change lists of keys meanwhile, whose totals may lag then: what the run has not made comes or goes. */
function isDisturbed(pages: readonly (readonly [viewer: string, page: Page])[], replies: readonly Reply[]): boolean {
  const creations = replies.filter((one) => one.operation === 'POST /api-keys' && wasAccepted(one));
  const made = new Set(creations.map((one) => identifierOf('key', dataOf(one))));
  const seen = new Map<string, string>();
  // A page that only says that it is the last shows nothing of the keys that it leaves out.
  const whole = pages.filter(([, page]) => isWhole(page));
  return whole.some(([viewer, { items }]) => {
    const others = items.map((item) => identifierOf('key', item)).filter((id) => !made.has(id));
    const shown = others.map(String).sort().join();
    const before = seen.get(viewer) ?? shown;
    seen.set(viewer, shown);
    return before !== shown;
  });
}

export function judgeKeyPages({ replies }: Story): readonly Wrong[] {
  const families = familiesOf(replies);
  const viewers = viewersOf(replies);
  const isNear = neighbours(replies, families);
  const shown = new Shown();
  const changes = replies.filter(
    (one) => (one.operation === 'POST /api-keys' || one.operation === 'DELETE /api-keys/{key_id}') && !isRefused(one),
  );
  const isCalm = (reply: Reply): boolean =>
    !changes.some(
      (one) =>
        one.receivedAt >= reply.sentAt - lagMsMax && one.after < reply.id && isNear(one.credential, reply.credential),
    );
  const pages = replies.flatMap((reply): (readonly [string, Page])[] => {
    if (reply.operation !== operation || !wasAccepted(reply)) return [];
    const page = pageOf(reply);
    const viewer = viewers.of(reply);
    return page === undefined || viewer === undefined ? [] : [[viewer, page]];
  });
  const areDisturbed = isDisturbed(pages, replies);
  const all = pages.map(([, page]) => page);
  return pages.flatMap(([viewer, page]): readonly Wrong[] => {
    const reported = ofReport(page);
    const isAtRest = !areDisturbed && isCalm(page.reply);
    const counted = reported.length === 0 && isAtRest ? ofCount(page) : [];
    const least = counted.length === 0 ? ofLeast(page, all) : [];
    return [...reported, ...counted, ...least, ...shown.judge(page, viewer)];
  });
}
