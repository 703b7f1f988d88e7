// Wrong ways to treat an Idempotency-Key: forgotten, cut off, mistaken for another or for that of another account.

import { apiPath } from '../../lib/catalogue/operations.ts';
import type { Handler } from '../reference/index.ts';
import { badCredentials, because, mutants, type Wrap } from './mutant.ts';
import { fillingLast, isOk, keyOf, storing, withKeys } from './wrappers/idempotency.ts';
import type { Json } from './wrappers/mutator.ts';
import { altered, instead, isObject, lastSegment, refusal, rewritten, type Seen, see } from './wrappers/mutator.ts';
import {
  createNote as create,
  createCompany,
  createContact,
  editNote as edit,
  deleteNote as remove,
} from './wrappers/operations.ts';
import { ask } from './wrappers/records.ts';
import { isSession, tokenOf } from './wrappers/tokens.ts';

const caller = ({ request }: Seen): string | null => request.headers.get('authorization');
const textOf = ({ body }: Seen): string => String((body as Json | undefined)?.text);
const under = (seen: Seen, key: string | null): Promise<Request> =>
  altered(seen, { headers: { 'idempotency-key': key } });

/** Carries the write out under another key; undefined keeps the client's own, null drops it. */
const rekeyed = (operation: string, key: (seen: Seen) => string | null | undefined): Wrap =>
  instead(operation, async (seen, honest) => {
    const other = key(seen);
    return other === undefined ? undefined : honest(await under(seen, other));
  });

/** Remembers a key as long as `lasts` is true; after that a repeat is a new write. `others`: keys used at the same path since. */
const forgetting =
  (operation: string, lasts: (past: { age: number; others: number }) => boolean): Wrap =>
  (honest, clock) => {
    const usesOf = new Map<string, Map<string, { at: number; place: number }>>();
    return rekeyed(operation, (seen) => {
      const key = keyOf(seen);
      if (key === null) return undefined;
      const { pathname } = seen.url;
      const uses = usesOf.get(pathname) ?? new Map<string, { at: number; place: number }>();
      usesOf.set(pathname, uses);
      const first = uses.get(key) ?? { at: clock.now(), place: uses.size };
      uses.set(key, first);
      const past = { age: clock.now() - first.at, others: uses.size - 1 - first.place };
      return lasts(past) ? undefined : null;
    })(honest, clock);
  };

/** Changes the reply to a repeat of a finished request. */
const whereRepeated =
  (operation: string, answer: (seen: Seen, honest: Handler) => Promise<Response>): Wrap =>
  (honest, clock) => {
    const finished = new Set<string>();
    return instead(operation, async (seen, server) => {
      const key = keyOf(seen);
      if (key === null) return undefined;
      if (finished.has(key)) return answer(seen, server);
      const response = await server(seen.request);
      finished.add(key);
      return response;
    })(honest, clock);
  };

/** Replies with the identifier of another note. */
const anotherNote = async (seen: Seen, honest: Handler) => {
  const response = await honest(seen.request);
  const json = (await response.json()) as { data?: Json };
  return response.ok ? rewritten(response, { ...json, data: { ...json.data, id: 1 } }) : rewritten(response, json);
};

/** Treats writes of the same text as the same write, whatever their keys. */
const sameText =
  (concerns: (seen: Seen) => boolean): Wrap =>
  (honest, clock) => {
    const keys = new Map<string, string>();
    return rekeyed(create, (seen) => {
      if (!concerns(seen)) return undefined;
      const name = `${caller(seen)} ${seen.url.pathname} ${textOf(seen)}`;
      const key = keys.get(name) ?? keyOf(seen) ?? `invented-${keys.size}`;
      keys.set(name, key);
      return key;
    })(honest, clock);
  };

/** Takes a creation without a key for a repetition, if the same bytes were sent to the same path a moment ago. */
const sameBytes =
  (withinMs: number, sender: (seen: Seen) => string | null): Wrap =>
  (honest, clock) => {
    const latest = new Map<string, { readonly key: string; readonly at: number }>();
    let invented = 0;
    return instead(create, async (seen, server) => {
      if (keyOf(seen) !== null) return undefined;
      const name = `${sender(seen)} ${seen.url.pathname} ${await seen.request.clone().text()}`;
      const known = latest.get(name);
      const isRecent = known !== undefined && clock.now() - known.at <= withinMs;
      if (!isRecent) invented += 1;
      const { key, at } = isRecent ? known : { key: `invented-${invented}`, at: clock.now() };
      latest.set(name, { key, at });
      return server(await under(seen, key));
    })(honest, clock);
  };

/** Lets simultaneous requests with the same key pass, after the first `atOnce`. */
const racing = (atOnce: number): Wrap =>
  fillingLast([create], (seen, others) =>
    under(seen, others < atOnce ? keyOf(seen) : `${keyOf(seen)?.slice(0, -4)}${others}`),
  );

/** Replays in a new envelope, so that a lost write does not break the requirements of the envelope as well. */
const fresh = { reference: { choices: { replay: 'fresh-envelope' } } } as const;

/** Crashes on what comes under a key whose first request has not been answered yet. */
const crashingWhileBusy = (operation: string): Wrap =>
  fillingLast([operation], async () => refusal(500, 'INTERNAL_ERROR', 'An internal error occurred'));

const pathAndKey = (seen: Seen): string => `${seen.request.method} ${seen.url.pathname} ${keyOf(seen)}`;

/** Whoever sends a used key is answered with the record of who sent it first, and nothing is made. */
const sharedByAccounts = (operation: string): Wrap =>
  storing([operation], { under: pathAndKey, keeps: isOk, apart: tokenOf });

/** The account that a session acts on; keys have one only. */
const accountOf = async (seen: Seen, server: Handler): Promise<string> => {
  if (!isSession(seen)) return 'its own';
  const { data } = await ask(server, seen, 'GET', `${apiPath}/me`);
  return isObject(data) ? JSON.stringify(data.account) : 'none';
};

/** A used key is answered with the first record also where the user has gone to another account. */
const sharedByAccountsOfUser: Wrap = storing(withKeys, {
  under: (seen) => `${tokenOf(seen)} ${pathAndKey(seen)}`,
  keeps: isOk,
  apart: accountOf,
});

const lastGroup = /[^-]+$/;
const firstGroup = /^[^-]+/;
const withoutGroup = (group: RegExp): Wrap => rekeyed(create, (seen) => keyOf(seen)?.replace(group, 'x'));

export default mutants({
  'idempotency-create-replay': {
    'idempotency-repeat-is-written-and-answered-with-the-first': {
      also: ['idempotency-create-late', 'idempotency-create-deleted', 'idempotency-create-simultaneous'],
      wrap: (honest, clock) => {
        const asked = new Set<string>();
        return instead(create, async (seen, server) => {
          const key = keyOf(seen);
          if (key !== null && asked.has(key)) await server(await under(seen, null));
          if (key !== null) asked.add(key);
          return undefined;
        })(honest, clock);
      },
    },
  },
  'idempotency-create-answer': {
    'idempotency-repeat-is-answered-with-another-note': {
      collateral: {
        'envelope-valid-served': 'who deletes the note in the reply deletes another one, which is edited later',
        'notes-others-untouched': 'who deletes the note in the reply names one that is not there',
      },
      wrap: whereRepeated(create, anotherNote),
    },
    'idempotency-repeat-is-refused-as-invalid': whereRepeated(create, async (seen, honest) => {
      const response = await honest(seen.request);
      return response.ok ? refusal(422, 'INVALID', 'Idempotency-Key was used') : response;
    }),
  },
  'idempotency-create-late': {
    'idempotency-eight-keys-are-remembered': {
      also: ['idempotency-create-answer'],
      collateral: { 'idempotency-create-replay': 'others may make notes between a creation and its repetition' },
      wrap: forgetting(create, ({ others }) => others < 6),
    },
    'idempotency-keys-live-four-seconds': {
      also: ['idempotency-create-answer'],
      wrap: forgetting(create, ({ age }) => age < 4000),
    },
  },
  'idempotency-create-deleted': {
    'idempotency-deleted-notes-come-back': (honest, clock) => {
      const gone = new Set<string>();
      const notes = new Map<string, string>();
      const noting: typeof honest = async (request) => {
        const seen = await see(request);
        const response = await honest(request);
        if (seen.operation === remove && response.ok) gone.add(lastSegment(seen));
        if (seen.operation === create && response.ok) {
          const { data } = (await response.clone().json()) as { data: Json };
          notes.set(keyOf(seen) ?? '', String(data.id));
        }
        return response;
      };
      return rekeyed(create, (seen) => (gone.has(notes.get(keyOf(seen) ?? '') ?? '') ? null : undefined))(
        noting,
        clock,
      );
    },
  },
  'idempotency-create-simultaneous': {
    'idempotency-simultaneous-repeats-pass': racing(1),
    'idempotency-the-fifth-at-once-passes': racing(4),
  },
  'idempotency-edit-answer': {
    'idempotency-repeated-edit-is-not-found': {
      collateral: because('a bad token is tried under a used key, and the key is looked at first', ...badCredentials),
      wrap: whereRepeated(edit, async () => refusal(404, 'NOT_FOUND', 'nothing to edit')),
    },
    'idempotency-repeated-edit-is-answered-with-another-note': whereRepeated(edit, anotherNote),
  },
  'idempotency-edit-overtaken': {
    'idempotency-edits-ignore-keys': rekeyed(edit, () => null),
    'idempotency-edits-remember-the-last-key-only': forgetting(edit, ({ others }) => others === 0),
  },
  'idempotency-key-other': {
    'idempotency-same-text-is-the-same-note': {
      also: ['idempotency-key-similar', 'idempotency-key-none'],
      collateral: {
        'envelope-valid-served': 'of two notes that are one the second is gone once the first was deleted',
        'notes-create-id': 'two notes of one text are made there, too',
        'notes-create-once': 'two notes of one text are counted there, too',
        'pagination-total-exact': 'two notes of the list that is paged through have one text',
      },
      ...fresh,
      wrap: sameText(() => true),
    },
  },
  'idempotency-key-none': {
    'idempotency-same-text-without-key-is-the-same-note': { ...fresh, wrap: sameText((seen) => keyOf(seen) === null) },
    'idempotency-same-bytes-in-three-seconds-are-the-same-note': { ...fresh, wrap: sameBytes(3_000, () => 'anybody') },
    'idempotency-same-bytes-of-one-token-in-three-seconds-are-the-same-note': {
      ...fresh,
      wrap: sameBytes(3_000, caller),
    },
  },
  'idempotency-key-similar': {
    'idempotency-keys-lose-their-last-group': {
      ...fresh,
      collateral: { 'envelope-valid-served': 'a note under a key like an earlier one is refused' },
      wrap: withoutGroup(lastGroup),
    },
    'idempotency-keys-lose-their-first-group': { ...fresh, wrap: withoutGroup(firstGroup) },
  },
  'idempotency-key-edit-other': {
    'idempotency-edit-back-is-taken-for-the-earlier-one': {
      ...fresh,
      collateral: {
        'notes-edit-effect': 'the list shows the text before the edit',
        'notes-edit-reply': 'an edit is answered with another one',
        'notes-text-characters': 'the list shows the text before the edit',
        'envelope-valid-served': 'an edit is answered with another one',
        'notes-unknown-company': 'an edit is answered with another one',
        'notes-deleted-unknown': 'an edit is answered with another one',
        'notes-unknown-note': 'an edit is answered with another one',
      },
      wrap: rekeyed(edit, (seen) => `text-${encodeURIComponent(String(textOf(seen)))}`),
    },
  },
  'idempotency-company-create': {
    'idempotency-companies-ignore-keys': rekeyed('POST /companies', () => null),
  },
  'idempotency-contact-create': {
    'idempotency-contacts-ignore-keys': rekeyed('POST /contacts', () => null),
  },
}).concat(
  mutants(
    {
      // API key, paragraph 1: a key reaches nothing of other accounts, whatever it sends.
      'authentication-foreign-read': {
        'idempotency-keys-of-companies-are-shared-by-accounts': sharedByAccounts(createCompany),
        'idempotency-keys-of-contacts-are-shared-by-accounts': {
          notFound: 'No contact is created under the key of another account: one more would stay behind.',
          wrap: sharedByAccounts(createContact),
        },
        'idempotency-keys-of-a-user-are-shared-by-its-accounts': {
          notFound: 'No session sends a key again in its other account.',
          wrap: sharedByAccountsOfUser,
        },
      },
      'idempotency-create-answer': {
        // Common request headers: "it should retry with the same Idempotency-Key to prevent a duplicate operation".
        'idempotency-repeat-of-a-creation-in-progress-crashes': crashingWhileBusy(create),
      },
      'idempotency-edit-answer': {
        'idempotency-repeat-of-an-edit-in-progress-crashes': crashingWhileBusy(edit),
      },
    },
    // The stores ask who sends a request.
    { reference: { tiers: { business: { read: 3000 } } } },
  ),
);
