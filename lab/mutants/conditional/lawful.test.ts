// The oracle's bounds: what the document, or a ruling on it, leaves open makes no mutant, and its neighbour still does.
import { describe, expect, test } from 'vitest';
import { apiPath } from '../../../lib/catalogue/operations.ts';
import { withLeanFetch } from '../../lean-fetch.test-data.ts';
import { pool } from '../../matrix/conditional.ts';
import type { Choices } from '../../reference/choices.ts';
import { mutants } from '../index.ts';
import type { Wrap } from '../mutant.ts';
import { onPagination, pageOf, queried, requery } from '../wrappers/listing.ts';
import { altered, instead, onReply, onStatus, onSuccess, refusal, type Seen } from '../wrappers/mutator.ts';
import { ask, bodyOf, refusingDone } from '../wrappers/records.ts';
import { isSession } from '../wrappers/tokens.ts';
import { witnessOf } from './oracle/witness.ts';

withLeanFetch();

const counts = async (wrap: Wrap): Promise<string | undefined> =>
  (await witnessOf({ reference: {}, honest: {}, wrap }))?.words;

/** `lawful` makes no mutant, `wrong` makes one with these words. */
const bounds = (name: string, lawful: readonly Wrap[], wrong: Readonly<Record<string, Wrap>>): void => {
  test(name, async () => {
    for (const wrap of lawful) expect(await counts(wrap)).toBeUndefined();
    for (const [words, wrap] of Object.entries(wrong)) expect(await counts(wrap)).toContain(words);
  });
};

const mutant = (id: string): Wrap => {
  const found = [...mutants, ...pool.flat()].find((one) => one.id === id);
  if (found?.wrap === undefined) throw new Error(`there is no mutant ${id}`);
  return found.wrap;
};

const no = (status: number) => () => refusal(status, 'NO', 'It is refused');
const lists = ['GET /companies', 'GET /contacts', 'GET /companies/{company_id}/notes'];
const isList = pageOf(lists);
const header = 'x-active-account';

/** Answers later pages that are asked for with another limit than their cursor's page. */
const onOtherLimit =
  (answer: (seen: Seen, limit: string | null) => Promise<Request> | undefined): Wrap =>
  (honest, clock) => {
    const limits = new Map<string, string | null>();
    const noting = onSuccess(isList, (json, seen) => {
      limits.set(String((json.pagination as { next_cursor: unknown }).next_cursor), queried(seen, 'limit'));
      return json;
    });
    return instead(isList, async (seen, inner) => {
      const limit = limits.get(queried(seen, 'cursor') ?? '');
      if (limit === undefined || limit === queried(seen, 'limit')) return undefined;
      const request = answer(seen, limit);
      return request === undefined ? no(400)() : inner(await request);
    })(noting(honest, clock), clock);
  };

const isOutOfBounds = pageOf(lists, (query) => query.has('limit') && !(Number(query.get('limit')) % 201 > 0));

describe('lists', () => {
  bounds(
    'a later page under another limit may be refused, or keep the limit of its cursor',
    [onOtherLimit(() => undefined), onOtherLimit((seen, limit) => requery(seen, { limit }))],
    {
      'the status is 400': instead(
        pageOf(lists, (query) => query.has('cursor') && query.has('limit')),
        no(400),
      ),
      'pagination.total': onPagination(
        pageOf(lists, (query) => query.has('cursor')),
        ({ total }) => ({
          total: Number(total) + 1,
        }),
      ),
    },
  );

  bounds(
    'cursors are open on later pages and behind the last one',
    [
      onPagination(
        pageOf(lists, (query) => query.has('cursor')),
        () => ({ cursor: 'YW5vdGhlcg' }),
      ),
      onPagination(pageOf(lists), ({ has_more }) => (has_more === true ? {} : { next_cursor: 'ZW5k' })),
    ],
    {
      'pagination.cursor': onPagination(
        pageOf(lists, (query) => !query.has('cursor')),
        () => ({ cursor: 'Zmlyc3Q' }),
      ),
      'pagination.next_cursor': onPagination(pageOf(lists), ({ has_more }) => (has_more ? { next_cursor: null } : {})),
    },
  );

  bounds(
    'a sort may be refused, but not on later pages',
    [
      instead(
        pageOf(lists, (query) => query.has('sort') && !query.has('cursor')),
        no(422),
      ),
    ],
    {
      'the status is 400': instead(
        pageOf(lists, (query) => Number(query.get('offset')) > 0),
        no(400),
      ),
    },
  );

  bounds('a limit out of bounds may be clamped, but not be in effect', [], {
    'pagination.limit': (honest, clock) =>
      onPagination(isOutOfBounds, (_, seen) => ({ limit: Number(queried(seen, 'limit')) }))(
        instead(isOutOfBounds, async (seen, inner) => inner(await requery(seen, { limit: '50' })))(honest, clock),
        clock,
      ),
  });
});

const isForeign = ({ request }: Seen): boolean =>
  ['lakeshore', 'harbor-point', 'no-such-account', 'old-mill'].includes(request.headers.get(header) ?? '');
const ignoring = (when: (seen: Seen) => boolean): Wrap =>
  instead(when, async (seen, honest) => honest(await altered(seen, { headers: { [header]: null } })));

/** Refuses whoever names another account than the one that the caller acts on. */
const refusingOthers: Wrap = instead(
  ({ request }) => request.headers.has(header),
  async (seen, honest) => {
    const { data } = await ask(honest, seen, 'GET', `${apiPath}/me`);
    const slug = (data as { account: { slug: string } } | undefined)?.account.slug;
    return slug === undefined || slug === seen.request.headers.get(header) ? undefined : no(403)();
  },
);

describe('X-Active-Account', () => {
  bounds(
    'of others may be ignored or refused, and opens nothing',
    [ignoring((seen) => isSession(seen) && isForeign(seen)), refusingOthers],
    {
      'as the session': mutant('account-header-opens-foreign-accounts'),
      'with X-Active-Account': mutant('account-header-moves-keys'),
    },
  );
});

const creation = 'POST /companies/{company_id}/notes';
/** Answers what repeats a finished request. */
const onRepeat =
  (operation: string, answer: (response: Response) => Response | Promise<Response>): Wrap =>
  (honest, clock) => {
    const finished = new Set<string>();
    return instead(operation, async (seen, inner) => {
      const key = seen.request.headers.get('idempotency-key');
      const response = await inner(seen.request.clone());
      if (key === null || !response.ok) return response;
      const isRepeat = finished.has(`${seen.url.pathname} ${key}`);
      finished.add(`${seen.url.pathname} ${key}`);
      return isRepeat ? answer(response) : response;
    })(honest, clock);
  };
const as200 = async (response: Response): Promise<Response> =>
  new Response(await response.text(), { status: 200, headers: response.headers });

describe('repeats under an Idempotency-Key', () => {
  bounds('of notes are answered with a success or 409', [onRepeat(creation, as200), onRepeat(creation, no(409))], {
    'the status is 422': onRepeat(creation, no(422)),
    'the status is 200': onStatus(creation, 201, 200),
  });

  bounds(
    'of other records may be carried out again or refused',
    [
      mutant('idempotency-companies-ignore-keys'),
      mutant('idempotency-contacts-ignore-keys'),
      onRepeat('POST /contacts', no(422)),
    ],
    {
      'the status is 500': onRepeat('POST /contacts', no(500)),
      'data.id is 1': onRepeat('POST /companies', () =>
        Response.json({ request_id: 'r', timestamp: '2026-03-02T09:00:30Z', data: { id: 1 } }, { status: 201 }),
      ),
      '/notes': mutant('idempotency-edits-ignore-keys'),
    },
  );
});

const edit = 'PATCH /companies/{company_id}';
const isMalformed = ({ body }: Seen): boolean => body === undefined || typeof body !== 'object' || Array.isArray(body);

describe('refusals', () => {
  bounds('a company edit may be refused, and then has done nothing', [instead(edit, no(422))], {
    'the status is 403': instead(edit, no(403)),
    'instead of': refusingDone(edit, 422),
  });

  bounds(
    'a status is open where none is named, between 400 and 422',
    [onStatus((seen) => seen.operation === creation && bodyOf(seen).text === null, 422, 400)],
    {
      'the status is 409': onStatus((seen) => seen.operation === creation && bodyOf(seen).text === null, 422, 409),
      'the status is 400': onStatus((seen) => seen.operation === creation && bodyOf(seen).text === '  ', 422, 400),
    },
  );

  bounds(
    'a body that cannot be read needs the envelope only',
    [instead((seen) => seen.operation === 'POST /contacts' && isMalformed(seen), no(500))],
    { 'the reply is not a JSON object': mutant('errors-malformed-contact-is-a-page') },
  );

  bounds(
    'numbers and labels of errors are open, those of successes are not',
    [
      onReply(
        () => true,
        (json, _, status) => (status >= 400 ? { ...json, request_id: 'the same' } : json),
      ),
      mutant('envelope-labels-refusals-as-html'),
    ],
    { request_id: onSuccess('GET /me', (json) => ({ ...json, request_id: 'the same' })) },
  );
});

test.each([
  'api-keys-lists-secrets-without-their-prefix',
  'api-keys-lists-secrets-of-unused-keys-in-base64',
  'api-keys-lists-last-use-in-words',
])('what a list of keys may not show is seen: %s', async (id) => {
  expect(await counts(mutant(id))).toContain('GET /api-keys');
});

test('a clock that stands still is seen by the third reply', async () => {
  expect(await counts(mutant('envelope-of-get-companies-timestamp-frozen'))).toContain('for the third time');
});

test.each<Partial<Choices>>([
  { absent: 'omitted' },
  { absent: 'defaults' },
  { outerSpace: 'trimmed' },
  { limitOutOfRange: 'clamp' },
  { firstPageCursor: 'absent' },
  { lastPageCursor: 'absent' },
  { sortSupported: false },
  { refusal: 400 },
  { noteEmptyOnCreate: 400 },
  { checkOrder: 'body-first' },
  { foreignActiveAccount: 404 },
  { restrictedMayCreateKeys: false },
  { foreignKeyDeletion: 'not-deleted' },
  { invalidKeyDetails: 'null' },
  { replay: 'conflict' },
  { replay: 'fresh-envelope' },
  { idempotentCreates: false },
])('finds no difference where a server chooses otherwise: %j', async (choices) => {
  expect(await witnessOf({ reference: { choices }, honest: {}, wrap: (honest) => honest })).toBeUndefined();
});
