// The oracle's bounds: what the document, or a ruling on it, leaves open makes no mutant, and its neighbour still does.
import { describe, expect, test } from 'vitest';
import { withLeanFetch } from '../lean-fetch.test-data.ts';
import { mutants } from '../mutants/index.ts';
import type { Wrap } from '../mutants/mutant.ts';
import { onPagination, pageOf } from '../mutants/wrappers/listing.ts';
import {
  altered,
  always,
  instead,
  onReply,
  onStatus,
  onSuccess,
  refusal,
  type Seen,
} from '../mutants/wrappers/mutator.ts';
import { bodyOf } from '../mutants/wrappers/records.ts';
import { isSession } from '../mutants/wrappers/tokens.ts';
import type { Choices } from '../reference/choices.ts';
import { pool } from './index.ts';
import { witnessOf } from './witness.ts';

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
const header = 'x-active-account';

describe('lists', () => {
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
});

const isForeign = ({ request }: Seen): boolean =>
  ['lakeshore', 'harbor-point', 'no-such-account', 'old-mill'].includes(request.headers.get(header) ?? '');
const ignoring = (when: (seen: Seen) => boolean): Wrap =>
  instead(when, async (seen, honest) => honest(await altered(seen, { headers: { [header]: null } })));

describe('X-Active-Account', () => {
  bounds('of others may be ignored, and opens nothing', [ignoring((seen) => isSession(seen) && isForeign(seen))], {
    'as COVENANT_JWT': mutant('account-header-opens-foreign-accounts'),
    'as MADE_KEY': mutant('account-header-moves-keys'),
  });
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
      '/notes': mutant('idempotency-edits-ignore-keys'),
    },
  );
});

const edit = 'PATCH /companies/{company_id}';
const isMalformed = ({ body }: Seen): boolean => body === undefined || typeof body !== 'object' || Array.isArray(body);

describe('refusals', () => {
  bounds('a company edit may be refused', [onStatus(edit, 200, 422)], {
    // With the header a key may be refused.
    'the status is 403': onStatus(
      ({ operation, request }) => operation === edit && !request.headers.has('x-active-account'),
      200,
      403,
    ),
  });

  bounds(
    'a status is open where none is named, between 400 and 422',
    [onStatus((seen) => seen.operation === creation && bodyOf(seen).text === null, 422, 400)],
    {
      'the status is 409': onStatus((seen) => seen.operation === creation && bodyOf(seen).text === null, 422, 409),
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
      onReply(always, (json, _, status) => (status >= 400 ? { ...json, request_id: 'the same' } : json)),
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
