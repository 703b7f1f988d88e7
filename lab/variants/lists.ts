// Unusual lists: records in random order, pages of a snapshot, long cursors, pages of varying length.
import type { Wrap } from '../mutants/mutant.ts';
import type { Json } from '../mutants/wrappers/json.ts';
import { limitOf, onPagination, pageOf, requery, whole, withQuery } from '../mutants/wrappers/listing.ts';
import { instead, refusal, rewritten, type Seen, see } from '../mutants/wrappers/mutator.ts';
import { ask, onRecords } from '../mutants/wrappers/records.ts';
import type { Handler } from '../reference/index.ts';
import type { Variant } from './variant.ts';

interface Style {
  /** The rank of a record; by default the order of the honest list. */
  readonly rank?: (record: Json) => number;
  /** Later pages show the list as it was when the first page was read. */
  readonly snapshot?: boolean;
  /** Makes a cursor of this many characters. */
  readonly cursorLength?: number;
  /** How many records a page has, at most the requested limit. */
  readonly pageLength?: (limit: number, page: number) => number;
  /** Records that the list shows besides. */
  readonly beside?: (path: string) => readonly Json[];
}

/** What a cursor stands for. */
interface Position {
  readonly list: string;
  readonly number: number;
  /** The last record delivered, and its rank. */
  readonly after: Json;
  readonly snapshot?: readonly Json[];
}

const cursorLists = ['GET /companies', 'GET /companies/{company_id}/notes', 'GET /contacts'];
const scatter = (id: number): number => (id * 48_271) % 2_147_483_647;
const idOf = (record: Json): unknown => record.id ?? record.note_id ?? record.contact_id ?? record.company_id;
/** Identifiers of contacts may be texts. */
const numberOf = (record: Json): number => Number(/\d+/.exec(String(idOf(record)))?.[0]);

class Lists {
  private readonly style: Style;
  private readonly positions = new Map<string, Position>();

  constructor(style: Style) {
    this.style = style;
  }

  /** The reply; undefined leaves it to the honest server, for example where a cursor was never issued. */
  async serve(seen: Seen, honest: Handler): Promise<Response | undefined> {
    const { searchParams: query, pathname } = seen.url;
    // A cursor is valid for one list and one caller.
    const list = `${pathname} ${seen.request.headers.get('authorization')}`;
    const cursor = query.get('cursor');
    const limit = limitOf(seen);
    const position = cursor === null ? undefined : this.positions.get(cursor);
    if (limit === undefined || query.has('sort') || (cursor !== null && position?.list !== list)) return undefined;
    const { response, json, records } = await whole(seen, honest);
    if (!response.ok) return response;
    const page = this.page(list, position, limit, [...records, ...(this.style.beside?.(pathname) ?? [])]);
    const pagination = { ...(json.pagination as Json), ...page.pagination, limit, cursor };
    return rewritten(response, { ...json, data: page.data, pagination });
  }

  private page(list: string, position: Position | undefined, limit: number, records: Json[]) {
    const { rank, snapshot, pageLength = (asked: number) => asked } = this.style;
    const all = position?.snapshot ?? (rank ? records.sort((one, other) => rank(one) - rank(other)) : records);
    const start = position === undefined ? 0 : placeAfter(position.after, all, rank);
    const number = position === undefined ? 0 : position.number + 1;
    const data = all.slice(start, start + pageLength(limit, number));
    const last = data.at(-1) ?? position?.after;
    const more = last !== undefined && start + data.length < all.length;
    const next = { list, number, after: last ?? {}, ...(snapshot ? { snapshot: all } : {}) };
    return { data, pagination: { total: all.length, has_more: more, next_cursor: more ? this.issue(next) : null } };
  }

  private issue(position: Position): string {
    const length = ((this.style.cursorLength ?? 32) * 3) / 4;
    const cursor = Buffer.from(`${this.positions.size}:`.padEnd(length, '>?')).toString('base64');
    this.positions.set(cursor, position);
    return cursor;
  }
}

/** Serves the cursor lists in another style, from what the honest server lists. */
const styled =
  (style: Style): Wrap =>
  (honest, clock) => {
    const lists = new Lists(style);
    return instead(cursorLists, (seen) => lists.serve(seen, honest))(honest, clock);
  };

/** The first position after a record, which may be gone by now. */
function placeAfter(after: Json, all: readonly Json[], rank: Style['rank']): number {
  const place = all.findIndex((one) => (rank ? rank(one) > rank(after) : idOf(one) === idOf(after)));
  if (rank) return place < 0 ? all.length : place;
  return place + 1;
}

const lagMs = 4_500;

type Changes = Map<string, number>;

/** The total of a list without what came lately, and with what went lately. */
async function lateTotal(seen: Seen, honest: Handler, fresh: readonly string[], gone: readonly string[]) {
  const { pathname } = seen.url;
  const { response, records } = await whole({ ...seen, url: new URL(pathname, seen.url) }, honest);
  // This reading is counted as well, and may be one too many.
  if (!response.ok) return undefined;
  const present = new Set(records.map((record) => `${pathname}/${idOf(record)}`));
  for (const path of gone) if (path.replace(/\/[^/]*$/, '') === pathname) present.add(path);
  for (const path of fresh) present.delete(path);
  return present.size;
}

/** Counts a record, or no longer counts a note, four and a half seconds after the list itself shows it. */
const totalsLate: Wrap = (honest, clock) => {
  const [made, deleted]: [Changes, Changes] = [new Map(), new Map()];
  const recent = (changes: Changes): string[] =>
    [...changes].filter(([, at]) => at > clock.now() - lagMs).map(([path]) => path);
  return async (request) => {
    const seen = await see(request);
    const { pathname } = seen.url;
    const [fresh, gone] = [recent(made), recent(deleted)];
    const response = await honest(request);
    if (!response.ok) return response;
    if (cursorLists.includes(seen.operation)) {
      const json = (await response.json()) as Json;
      const total = await lateTotal(seen, honest, fresh, gone);
      const late = total === undefined ? {} : { total };
      return rewritten(response, { ...json, pagination: { ...(json.pagination as Json), ...late } });
    }
    if (request.method === 'DELETE') deleted.set(pathname, clock.now());
    if (request.method === 'POST' && /\/(companies|contacts|notes)$/.test(pathname)) {
      const path = `${pathname}/${idOf(((await response.clone().json()) as Json).data as Json)}`;
      // A repetition makes no other.
      if (!made.has(path)) made.set(path, clock.now());
    }
    return response;
  };
};

/** Shows a note in its list four and a half seconds longer than it is there. */
const deletionsLate: Wrap = (honest, clock) => {
  const gone = new Map<string, { readonly list: string; readonly record: Json; readonly at: number }>();
  const noting = instead('DELETE /companies/{company_id}/notes/{note_id}', async (seen, inner) => {
    const path = seen.url.pathname;
    const list = path.replace(/\/[^/]*$/, '');
    const { data } = (await ask(inner, seen, 'GET', `${list}?limit=200`)) as { data?: readonly Json[] };
    const record = data?.find((one) => `${list}/${idOf(one)}` === path);
    const response = await inner(seen.request);
    if (response.ok && record) gone.set(path, { list, record, at: clock.now() });
    return response;
  })(honest, clock);
  const beside = (path: string) =>
    [...gone.values()].filter(({ list, at }) => list === path && at > clock.now() - lagMs).map(({ record }) => record);
  return styled({ rank: (record) => numberOf(record), beside })(noting, clock);
};

const teamParameters = ['limit', 'cursor', 'offset'];
const isPlacedTeam = ({ operation, url }: Seen): boolean =>
  operation === 'GET /account/team' && teamParameters.some((name) => url.searchParams.has(name));

/** Asks the honest server first, so that credentials and rate limits come before the refusal. */
const teamRefusing: Wrap = instead(isPlacedTeam, async (seen, honest) => {
  const served = await honest(await requery(seen, { limit: null, cursor: null, offset: null }));
  return served.ok ? refusal(422, 'UNKNOWN_PARAMETER', 'The team list takes no parameters') : served;
});

const choosing = ['GET /companies', 'GET /contacts'];
const shown = [
  ...choosing,
  'POST /companies',
  'POST /contacts',
  'GET /companies/{company_id}',
  'PATCH /companies/{company_id}',
];

/** Records carry their identifier in a link and an inner record as well, and `fields` keeps these in place of the plain one. */
const linked: Wrap = onRecords(shown, (record, { operation, url }) => {
  const kind = operation.includes('contacts') ? 'contact' : 'company';
  const plain = ['id', `${kind}_id`].find((name) => Object.hasOwn(record, name));
  if (plain === undefined) return record;
  const { [plain]: id, ...rest } = record;
  const chosen = url.searchParams.get('fields')?.split(',');
  const links = { links: { self: `/${kind}/${id}` }, ref: { kind, id } };
  return chosen === undefined || chosen.includes(plain) ? { ...record, ...links } : { ...rest, ...links };
});

const variants: readonly Variant[] = [
  {
    id: 'lists-in-no-order',
    why: 'The order of a list is open, and so is where new records appear.',
    wrap: styled({ rank: (record) => scatter(numberOf(record)) }),
  },
  {
    id: 'lists-of-a-snapshot',
    why: 'Pages may show the list as it was when its first page was read.',
    wrap: styled({ snapshot: true }),
  },
  {
    id: 'lists-with-long-cursors',
    why: 'Cursors are opaque; their length is not stated.',
    wrap: styled({ rank: (record) => -numberOf(record), cursorLength: 1_200 }),
  },
  {
    id: 'lists-with-pages-of-varying-length',
    why: 'Pages may be shorter than their limit.',
    wrap: styled({
      rank: (record) => numberOf(record),
      pageLength: (limit, number) => Math.min(limit, 1 + (number % 3) * 20),
    }),
  },
  {
    id: 'lists-with-empty-pages',
    why: 'The client goes on until has_more is false; nothing says that a page before the last holds a record.',
    wrap: styled({
      rank: (record) => numberOf(record),
      pageLength: (limit, number) => (number % 2 === 1 ? 0 : Math.ceil(limit / (1 + (number % 3)))),
    }),
  },
  {
    id: 'lists-of-the-team-refuse-parameters',
    why: 'The request of the team list is "none": a limit, cursor or offset there may be refused.',
    wrap: teamRefusing,
  },
  {
    id: 'lists-of-the-team-ignore-parameters',
    why: 'The request of the team list is "none": a limit, cursor or offset there may be ignored.',
    wrap: withQuery(isPlacedTeam, () => ({ limit: null, cursor: null, offset: null })),
  },
  {
    id: 'lists-with-an-offset-beside-the-cursor',
    why: 'Pagination may have further members, also such as the other strategy has.',
    wrap: onPagination(
      pageOf(cursorLists, (query) => !query.has('sort')),
      ({ limit }, { operation }) => ({
        offset: operation.endsWith('notes') ? null : 0,
        page: 1,
        per_page: limit,
      }),
    ),
  },
  {
    id: 'lists-with-late-totals',
    why: 'The totals of lists may lag behind a write for up to five seconds, also where the records are there at once.',
    wrap: totalsLate,
  },
  {
    id: 'lists-with-late-deletions',
    why: 'A list may lag behind a deletion for up to five seconds.',
    wrap: deletionsLate,
  },
  {
    id: 'lists-with-fields-keep-links',
    why: 'Fields restricts the returned fields; under which name a record carries its identifier, and may keep it, is not said.',
    wrap: linked,
  },
];

export default variants;
