// Wrong ways to keep accounts apart: records read, written, listed or paged through by another account.

import { highLimits, mutants, type Wrap } from '../mutant.ts';
import { impostor, type Pretend, refusedTooLate } from '../wrappers/impostor.ts';
import { altered, rewritten, type Seen, see } from '../wrappers/mutator.ts';
import { editNote as note } from '../wrappers/operations.ts';
import { isKey, tokenOf } from '../wrappers/tokens.ts';

interface Listed {
  readonly data: readonly unknown[];
  readonly pagination?: { readonly next_cursor?: string | null };
}
const jsonOf = async (response: Response): Promise<Listed> => (await response.clone().json()) as Listed;

/** With the token that created the company, where the caller does not find it. */
const asOwner: Pretend = (_, known, seen, status) => (status === 404 ? known.owner(seen) : undefined);
const onlySessions: Pretend = (token = '', ...rest) => (isKey(token) ? undefined : asOwner(token, ...rest));
const onlyKeys: Pretend = (token = '', ...rest) => (isKey(token) ? asOwner(token, ...rest) : undefined);

const authorization = ({ request }: Seen): string => request.headers.get('authorization') ?? '';

/** Adds the records of other callers to a list. */
const mixedIn =
  (list: string, when: (seen: Seen) => boolean): Wrap =>
  (honest) => {
    const made: { readonly by: string; readonly record: unknown }[] = [];
    return async (request) => {
      const seen = await see(request);
      const response = await honest(request);
      if (!response.ok) return response;
      const by = authorization(seen);
      if (seen.operation === `POST ${list}`) made.push({ by, record: (await jsonOf(response)).data });
      const foreign = made.filter((one) => one.by !== by);
      if (seen.operation !== `GET ${list}` || !when(seen) || foreign.length === 0) return response;
      const json = await jsonOf(response);
      const limit = Number(seen.url.searchParams.get('limit') ?? 50);
      const data = [...json.data, ...foreign.map(({ record }) => record)].slice(0, limit);
      return rewritten(response, { ...json, data });
    };
  };

/** A cursor continues the list of the caller that it was issued to. */
const cursorOfIssuer =
  (list: string): Wrap =>
  (honest) => {
    const issued = new Map<string, string>();
    return async (request) => {
      const seen = await see(request);
      if (seen.operation !== list) return honest(request);
      const issuer = issued.get(seen.url.searchParams.get('cursor') ?? '') ?? authorization(seen);
      const response = await honest(await altered(seen, { headers: { authorization: issuer } }));
      const cursor = (await jsonOf(response)).pagination?.next_cursor;
      if (typeof cursor === 'string') issued.set(cursor, issuer);
      return response;
    };
  };

const otherWorld = 'a session sees other contacts than a key of its account';

export default mutants(
  {
    'authentication-foreign-read': {
      'authentication-shows-notes-to-strangers': impostor(['GET /companies/{company_id}/notes'], onlyKeys),
      'authentication-shows-companies-to-foreign-sessions': impostor(['GET /companies/{company_id}'], onlySessions),
    },
    'authentication-foreign-write': {
      'authentication-lets-strangers-edit-notes': impostor([note], onlyKeys),
      'authentication-deletes-a-foreign-note-and-denies-it': {
        collateral: {
          'authentication-refused-effect': 'bad tokens have tried to delete the note as well',
          'envelope-valid-served': 'who deletes or edits the note later is refused',
        },
        wrap: refusedTooLate(['DELETE /companies/{company_id}/notes/{note_id}'], onlyKeys),
      },
      'authentication-edits-a-foreign-company-for-a-session': {
        collateral: {
          'companies-edit-others': 'a session edits a company that stands beside an edited one',
          'companies-edit-reply': 'the reply to the next edit shows what the session wrote',
          'companies-read-record': 'what was written last is compared with every reply that shows the company',
          'companies-list-record': 'what was written last is compared with every list that shows the company',
        },
        wrap: refusedTooLate(['PATCH /companies/{company_id}'], onlySessions),
      },
      'authentication-attaches-notes-to-foreign-companies': impostor(['POST /companies/{company_id}/notes'], onlyKeys),
      'authentication-puts-contacts-on-foreign-companies': impostor(
        ['POST /contacts'],
        (token, known, seen, status) => {
          const company = (seen.body as { company_id?: unknown } | undefined)?.company_id;
          const url = new URL(`${seen.url.origin}/companies/${company}`);
          return asOwner(token, known, { ...seen, url }, status);
        },
      ),
    },
    'authentication-foreign-list': {
      'authentication-lists-foreign-contacts-to-sessions': {
        collateral: {
          'pagination-total-exact': 'the foreign contacts are not counted',
          'pagination-traversal-complete': 'a page that says it is the last shows only some of the foreign contacts',
          'pagination-has-more-remains': 'the foreign contacts are not counted',
          'pagination-traversal-once': 'a foreign contact stands on more than one page',
          'pagination-sort-pages': 'the foreign contacts are in no order',
          'pagination-fields-restrict': 'foreign contacts come whole',
          'account-active-switch-effect': otherWorld,
          'account-header-selects': otherWorld,
          'account-header-wins': otherWorld,
        },
        wrap: mixedIn('/contacts', (seen) => !isKey(tokenOf(seen))),
      },
      'authentication-lists-foreign-companies-where-sorted': {
        collateral: {
          'companies-list-record': 'what is mixed in is of an earlier time',
          'pagination-sort-pages': 'what is mixed in stands on one page only',
          'pagination-stable-inserts': 'what is mixed in moves the pages behind it',
          'pagination-stable-edits': 'what is mixed in moves the pages behind it',
          'pagination-fields-restrict': 'what is mixed in has all its fields',
        },
        wrap: mixedIn(
          '/companies',
          ({ url }) => url.searchParams.get('sort') === '-created_at' && !url.searchParams.has('offset'),
        ),
      },
    },
    'authentication-foreign-cursor': {
      'authentication-follows-foreign-cursors-of-companies': cursorOfIssuer('GET /companies'),
      'authentication-follows-foreign-cursors-of-contacts': cursorOfIssuer('GET /contacts'),
    },
  },
  highLimits,
);
