// Whole lists of companies and contacts: each has what its reader has made, and nothing that was refused.
import {
  dataOf,
  identifierOf,
  type JudgedId,
  lagMsMax,
  type OperationId,
  type RecordKind,
  type Reply,
  type Story,
  textsIn,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { countOf, type Page, pagesOf } from './pages.ts';
import { sentBody } from './sent.ts';
import { type Viewers, viewersOf } from './viewers.ts';

export const belongingIds = [
  'companies-create-once',
  'companies-list-contains',
  'contacts-create-once',
  'contacts-list-contains',
  'companies-create-refused-effect',
  'contacts-create-refused-effect',
  'contacts-phone-refused-effect',
] as const satisfies readonly JudgedId[];

/** The contract gives it to a run because it may not create companies. */
const restricted = 'COVENANT_API_KEY_RESTRICTED';

type Shared = Extract<RecordKind, 'company' | 'contact'>;

const creationOf: Readonly<Record<Shared, OperationId>> = { company: 'POST /companies', contact: 'POST /contacts' };
const containing: Readonly<Record<Shared, JudgedId>> = {
  company: 'companies-list-contains',
  contact: 'contacts-list-contains',
};

interface Born {
  readonly id: string;
  readonly reply: Reply;
  readonly viewer: string;
}

/** What a viewer has made, by requests that the document describes: companies by right, and contacts of such companies. */
function bornOf(kind: Shared, replies: readonly Reply[], viewers: Viewers): readonly Born[] {
  const own = kind === 'contact' ? bornOf('company', replies, viewers) : [];
  const isOwn = (reply: Reply): boolean =>
    own.some(({ id, viewer }) => id === `${sentBody(reply)?.company_id}` && viewer === viewers.of(reply));
  return replies.flatMap((reply): Born[] => {
    const { operation, undocumented, mayReplay } = reply;
    if (operation !== creationOf[kind] || !wasAccepted(reply) || undocumented || mayReplay) return [];
    if (kind === 'contact' ? !isOwn(reply) : viewers.of(reply)?.startsWith(restricted)) return [];
    const id = identifierOf(kind, dataOf(reply));
    const viewer = viewers.of(reply);
    return id === undefined || viewer === undefined ? [] : [{ id: String(id), reply, viewer }];
  });
}

/** The pages of a list that ends with this one, where they have as many records as each of them says there are. */
function wholeOf(page: Page): readonly Page[] {
  const { chain, hasMore, total, offset } = page;
  const pages = chain ?? (offset === 0 ? [page] : []);
  const isWhole = !hasMore && pages.every((one) => one.ids !== undefined && one.total === total);
  return isWhole && countOf(pages) === total ? pages : [];
}

/** A list that was asked for then has had its time to show it. */
const hasSettled = (made: Reply, list: Reply): boolean => made.receivedAt < list.sentAt - lagMsMax;
/** It was there when the list was asked for, if only just. */
const wasThere = (made: Reply, list: Reply): boolean => made.id <= list.after;

function missingIn(kind: Shared, page: Page, born: readonly Born[], isDue = hasSettled): readonly Wrong[] {
  const pages = wholeOf(page);
  const [first] = pages;
  if (first === undefined) return [];
  const shown = new Set(pages.flatMap(({ ids }) => ids ?? []));
  const missing = born.find(
    ({ id, viewer, reply }) => viewer === page.viewer && isDue(reply, first.reply) && !shown.has(id),
  );
  if (missing === undefined) return [];
  const message = 'a list should have every record that its reader has made';
  const replies = [missing.reply, page.reply];
  return [
    wrong(containing[kind], page.operation, message, {
      expected: `${kind} ${missing.id}`,
      actual: `${shown.size} others`,
      replies,
    }),
  ];
}

/** The name of the run in a text: nobody else writes such. */
const ofRun = /Covenant [\da-f]{6} .*\d/i;

/** What was refused, by the text that it alone has. */
function refusedOf(kind: Shared, replies: readonly Reply[]): ReadonlyMap<string, Reply> {
  const marks = (reply: Reply): readonly string[] => textsIn(sentBody(reply)).filter((text) => ofRun.test(text));
  const written = replies.filter(({ request, status }) => request.method !== 'GET' && (status < 400 || status >= 500));
  const kept = new Set(written.flatMap(marks));
  const refused = replies.filter(
    (one) => one.operation === creationOf[kind] && [400, 403, 404, 422].includes(one.status) && !one.mayReplay,
  );
  return new Map(
    refused.flatMap((reply) =>
      marks(reply).flatMap((text): [string, Reply][] => (kept.has(text) ? [] : [[text, reply]])),
    ),
  );
}

/** Phones that are all that is left to be wrong. */
function effectOf(kind: Shared, refused: Reply): JudgedId {
  if (kind === 'company') return 'companies-create-refused-effect';
  const { contact_type: type, company_id: company, phones } = sentBody(refused) ?? {};
  const isOfPhones =
    phones !== undefined && typeof company === 'number' && /^(lender_contact|sponsor)$/.test(String(type));
  return isOfPhones && refused.status !== 403 ? 'contacts-phone-refused-effect' : 'contacts-create-refused-effect';
}

function tracesIn(kind: Shared, page: Page, refused: ReadonlyMap<string, Reply>): readonly Wrong[] {
  for (const item of page.items) {
    const creation = textsIn(item)
      .flatMap((text) => refused.get(text) ?? [])
      .find(({ id }) => id <= page.reply.after);
    if (creation === undefined) continue;
    const found = { expected: `no such ${kind}`, actual: item, replies: [creation, page.reply] };
    return [wrong(effectOf(kind, creation), page.operation, 'what was refused should not be in the list', found)];
  }
  return [];
}

const nameOf: Readonly<Record<Shared, string>> = { company: 'name', contact: 'last_name' };

/** The writes that may have left a record of a name, by the name. */
function writesByName(kind: Shared, replies: readonly Reply[]): ReadonlyMap<unknown, readonly Reply[]> {
  const isWrite = ({ request, status }: Reply): boolean => request.method !== 'GET' && (status < 400 || status >= 500);
  const sent = new Map<unknown, Reply[]>();
  for (const reply of replies.filter(isWrite)) {
    const name = sentBody(reply)?.[nameOf[kind]];
    sent.set(name, [...(sent.get(name) ?? []), reply]);
  }
  return sent;
}

/** More records of one name than it was ever sent for. */
function copiesIn(kind: Shared, pages: readonly Page[], replies: readonly Reply[]): readonly Wrong[] {
  const sent = writesByName(kind, replies);
  const shown = new Map<string, Set<string>>();
  return pages.flatMap((page) =>
    page.items.flatMap((item, place): Wrong[] => {
      const [name, id] = [item[nameOf[kind]], page.ids?.[place]];
      const writes = typeof name === 'string' && ofRun.test(name) ? (sent.get(name) ?? []) : [];
      if (writes.length === 0 || id === undefined) return [];
      const ids = (shown.get(`${page.viewer} ${name}`) ?? new Set()).add(id);
      shown.set(`${page.viewer} ${name}`, ids);
      if (ids.size <= writes.length) return [];
      const found = { expected: writes.length, actual: [...ids], replies: [...writes.slice(0, 1), page.reply] };
      const once = kind === 'company' ? 'companies-create-once' : 'contacts-create-once';
      return [wrong(once, page.operation, `one creation should make one ${kind}`, found)];
    }),
  );
}

/** Whose lists lack a record of their reader's, if only for a moment. */
export function lackingKinds({ replies }: Story): ReadonlySet<RecordKind> {
  const viewers = viewersOf(replies);
  const pages = pagesOf(replies);
  const lacks = (kind: Shared): boolean => {
    const born = bornOf(kind, replies, viewers);
    return pages.some((page) => page.kind === kind && missingIn(kind, page, born, wasThere).length > 0);
  };
  return new Set((['company', 'contact'] as const).filter(lacks));
}

export function judgeBelonging({ replies, lost }: Story): readonly Wrong[] {
  const viewers = viewersOf(replies);
  const pages = pagesOf(replies);
  return (['company', 'contact'] as const).flatMap((kind) => {
    const list = creationOf[kind].replace('POST ', '');
    // What became of a creation without a reply is not known, nor which of its tries was refused.
    const isLost = lost.some(({ method, url }) => method === 'POST' && new URL(url).pathname.endsWith(list));
    const born = bornOf(kind, replies, viewers);
    const refused = isLost ? new Map() : refusedOf(kind, replies);
    const shown = pages.filter((page) => page.kind === kind);
    return [
      ...(isLost ? [] : copiesIn(kind, shown, replies)),
      ...shown.flatMap((page) => [...missingIn(kind, page, born), ...tracesIn(kind, page, refused)]),
    ];
  });
}
