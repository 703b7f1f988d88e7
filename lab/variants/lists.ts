// Unusual lists: records in random order, pages of a snapshot, long cursors, pages of varying length.
import type { Wrap } from '../mutants/mutant.ts';
import { onPagination, pageOf, requery, whole, withQuery } from '../mutants/wrappers/listing.ts';
import type { Json } from '../mutants/wrappers/mutator.ts';
import { instead, refusal, rewritten, type Seen, see } from '../mutants/wrappers/mutator.ts';
import { ask, onRecords } from '../mutants/wrappers/records.ts';
import type { Handler } from '../reference/index.ts';
import { cursorLists, idOf, numberOf, styled } from './styled-lists.ts';
import { variants } from './variant.ts';

const scatter = (id: number): number => (id * 48_271) % 2_147_483_647;

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

const afterNothing = Buffer.from('after the empty page').toString('base64');

/** The first page is empty; its cursor leads to everything. */
const teamAfterNothing: Wrap = instead('GET /account/team', async (seen, honest) => {
  const response = await honest(await requery(seen, { limit: null, cursor: null, offset: null, sort: null }));
  if (!response.ok) return response;
  const cursor = seen.url.searchParams.get('cursor') === afterNothing ? afterNothing : null;
  const json = (await response.json()) as Json;
  const { total, limit } = json.pagination as Json;
  const rest = cursor === null ? { has_more: true, next_cursor: afterNothing } : { has_more: false, next_cursor: null };
  const data = cursor === null ? [] : json.data;
  return rewritten(response, { ...json, data, pagination: { total, limit, cursor, ...rest } });
});

/** Scans keys in strides and filters afterwards: this many pages without records follow each page with some. */
const sparse = (empty: number): Wrap =>
  styled({
    rank: (record) => numberOf(record),
    pageLength: (limit, number) => (number % (empty + 1) === 0 ? limit : 0),
  });

const noEnd = 'a traversal reads a bounded number of pages, and the records that changed are beyond them';

/** A cursor beside it is refused by the honest server. */
const isOnlySorted = ({ operation, url }: Seen): boolean =>
  cursorLists.includes(operation) && url.searchParams.has('sort') && !url.searchParams.has('cursor');

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

export default variants({
  'lists-in-no-order': {
    why: 'The order of a list is open, and so is where new records appear.',
    wrap: styled({ rank: (record) => scatter(numberOf(record)) }),
  },
  'lists-of-a-snapshot': {
    why: 'Pages may show the list as it was when its first page was read.',
    wrap: styled({ snapshot: true }),
  },
  'lists-with-long-cursors': {
    why: 'Cursors are opaque; their length is not stated.',
    wrap: styled({ rank: (record) => -numberOf(record), cursorLength: 1_200 }),
  },
  'lists-with-pages-of-varying-length': {
    why: 'Pages may be shorter than their limit.',
    wrap: styled({
      rank: (record) => numberOf(record),
      pageLength: (limit, number) => Math.min(limit, 1 + (number % 3) * 20),
    }),
  },
  'lists-with-empty-pages': {
    why: 'The client goes on until has_more is false; nothing says that a page before the last holds a record.',
    wrap: styled({
      rank: (record) => numberOf(record),
      pageLength: (limit, number) => (number % 2 === 1 ? 0 : Math.ceil(limit / (1 + (number % 3)))),
    }),
  },
  'lists-with-sparse-pages': {
    why: 'A store may scan keys in strides and filter afterwards: several pages in a row are empty while records remain.',
    wrap: sparse(5),
  },
  'lists-with-very-sparse-pages': {
    why: 'How many pages in a row are empty while records remain is not said.',
    wrap: sparse(100),
    untested: {
      'pagination-stable-inserts': noEnd,
      'pagination-stable-edits': noEnd,
      'pagination-stable-deletes': noEnd,
    },
  },
  'lists-with-cursors-for-one-use': {
    why: 'The client passes next_cursor to get the next page; that the same cursor gives the page a second time is not said.',
    wrap: styled({ rank: (record) => numberOf(record), usedOnce: true }),
  },
  'lists-of-the-team-refuse-parameters': {
    why: 'The request of the team list is "none": a limit, cursor or offset there may be refused.',
    wrap: teamRefusing,
  },
  'lists-of-the-team-ignore-parameters': {
    why: 'The request of the team list is "none": a limit, cursor or offset there may be ignored.',
    wrap: withQuery(isPlacedTeam, () => ({ limit: null, cursor: null, offset: null })),
  },
  'lists-of-the-team-begin-with-nothing': {
    why: 'The row of the team list names no parameters, and a page may be empty while has_more is true.',
    wrap: teamAfterNothing,
  },
  'lists-with-sort-ignored': {
    why: 'The accepted values of sort are not shown: one that means nothing may be ignored, and the list is in cursor mode.',
    wrap: withQuery(isOnlySorted, () => ({ sort: null, offset: null })),
  },
  'lists-with-an-offset-beside-the-cursor': {
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
  'lists-with-late-totals': {
    why: 'The totals of lists may lag behind a write for up to five seconds, also where the records are there at once.',
    wrap: totalsLate,
  },
  'lists-with-late-deletions': {
    why: 'A list may lag behind a deletion for up to five seconds.',
    wrap: deletionsLate,
  },
  'lists-with-fields-keep-links': {
    why: 'Fields restricts the returned fields; under which name a record carries its identifier, and may keep it, is not said.',
    wrap: linked,
  },
});
