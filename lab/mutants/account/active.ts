// Wrong ways to switch the active account, and to choose it by X-Active-Account.
import { apiPath } from '../../../lib/catalogue/operations.ts';
import type { VirtualClock } from '../../../lib/runtime/virtual-clock.ts';
import type { Handler } from '../../reference/index.ts';
import { mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, always, instead, onStatus, refusal, rewritten, type Seen, see } from '../wrappers/mutator.ts';
import { createKey } from '../wrappers/operations.ts';
import { ask, bodyOf, lenient, onBody } from '../wrappers/records.ts';
import { isSession, knowingKeys, speakingFor, tokenOf } from '../wrappers/tokens.ts';

const change = 'PATCH /me/active-account';
const validate = 'POST /auth/validate-api-key';
const header = 'x-active-account';
const billing = ['GET /billing/summary', 'GET /billing/credits/balance'];

export type Account = { readonly id: number; readonly slug: string };

/** Sends a request of the wrapper's own, without the X-Active-Account of the request seen. */
export async function askOnce(honest: Handler, seen: Seen, method: string, path: string, body?: Json): Promise<Json> {
  const request = await altered(seen, { headers: { [header]: null } });
  return ask(honest, { ...seen, request }, method, `${apiPath}${path}`, body);
}

/** The accounts of the session; empty where the session is refused. */
export const accountsOf = async (honest: Handler, seen: Seen): Promise<Account[]> =>
  ((await askOnce(honest, seen, 'GET', '/me/accounts')).data as Account[] | undefined) ?? [];
const prefer = (honest: Handler, seen: Seen, slug: string | undefined) =>
  askOnce(honest, seen, 'PATCH', '/me/active-account', { slug });

/** Replies as if it had switched, and does not. */
const idle: Wrap = instead(change, async (seen, honest) => {
  const account = (await accountsOf(honest, seen)).find(({ slug }) => slug === bodyOf(seen).slug);
  if (account === undefined) return undefined;
  const { data: _, ...envelope } = await askOnce(honest, seen, 'GET', '/me');
  return Response.json({ ...envelope, data: { ...account, is_active: true } });
});

/** Uses the first account of a session for some operations, whichever is active. */
const stuck = (operations: readonly string[]): Wrap =>
  instead(
    (seen) => isSession(seen) && operations.includes(seen.operation) && !seen.request.headers.has(header),
    async (seen, honest) => {
      const [first] = await accountsOf(honest, seen);
      return honest(await altered(seen, { headers: { [header]: first?.slug ?? null } }));
    },
  );

/** Changes the active account when it refuses a switch. */
const movedByRefusal = (when: (seen: Seen) => boolean, place: number): Wrap =>
  instead(change, async (seen, honest) => {
    const response = await honest(seen.request.clone());
    if (response.status < 400 || !isSession(seen) || !when(seen)) return response;
    const own = await accountsOf(honest, seen);
    await prefer(honest, seen, own.at(place)?.slug);
    return response;
  });

/** Accepts the beginning of a slug as the slug. */
const completing: Wrap = instead(change, async (seen, honest) => {
  const { slug } = bodyOf(seen);
  if (typeof slug !== 'string' || slug === '' || !isSession(seen)) return undefined;
  const meant = (await accountsOf(honest, seen)).find((one) => one.slug.startsWith(slug));
  return meant && honest(await altered(seen, { body: { slug: meant.slug } }));
});

/** Replies to refused switches with 200 and the active account. */
const pretending = (when: (seen: Seen) => boolean): Wrap =>
  instead(change, async (seen, honest) => {
    const response = await honest(seen.request.clone());
    if (response.status < 400 || !isSession(seen) || !when(seen)) return response;
    const { data, ...envelope } = await askOnce(honest, seen, 'GET', '/me');
    return Response.json({ ...envelope, data: (data as Json).account });
  });

const slugIs = (test: (slug: unknown) => boolean) => (seen: Seen) => 'slug' in bodyOf(seen) && test(bodyOf(seen).slug);
const hasNoSlug = (seen: Seen): boolean => !('slug' in bodyOf(seen));
const foreignSlug = 'lakeshore';
const isUnknown = (slug: unknown): boolean => typeof slug === 'string' && slug !== '' && slug !== foreignSlug;

/** Keys follow the session that created them: their requests are carried out with its token. */
const keysFollowing = (when: (seen: Seen) => boolean, keepsHeader: boolean): Wrap =>
  knowingKeys(async ({ seen, honest, own }) => {
    if (own === undefined || own.maker.split('.').length !== 3 || !when(seen)) return undefined;
    return honest(await speakingFor(seen, own.maker, keepsHeader ? {} : { [header]: null }));
  });

/** Validation reports the active account of the session that created a key, once the key was used. */
const validationFollowing: Wrap = knowingKeys(async ({ seen, honest, keys }) => {
  const key = seen.operation === validate ? keys.get(String(bodyOf(seen).api_key)) : undefined;
  if (key === undefined || key.maker.split('.').length !== 3 || key.uses === 0) return undefined;
  const response = await honest(seen.request.clone());
  const json = (await response.json()) as { data: Json };
  const session = await see(await speakingFor(seen, key.maker));
  const { data } = (await askOnce(honest, session, 'GET', '/me')) as { data: { account: Json } };
  const current = json.data.valid === true ? { ...json.data, account_id: data.account.id } : json.data;
  return rewritten(response, { ...json, data: current });
});

const chooses = (seen: Seen): boolean => isSession(seen) && seen.request.headers.has(header);

/** Ignores the header. */
const ignoringHeader = (when: (seen: Seen) => boolean): Wrap =>
  instead(
    (seen) => chooses(seen) && when(seen),
    async (seen, honest) => honest(await altered(seen, { headers: { [header]: null } })),
  );

/** Ignores the header on the first two requests after a switch. */
const ignoringHeaderAfterSwitch: Wrap = (honest) => {
  let ignoredRequests = 0;
  return async (request) => {
    const seen = await see(request);
    if (ignoredRequests > 0 && chooses(seen)) {
      ignoredRequests -= 1;
      return honest(await altered(seen, { headers: { [header]: null } }));
    }
    const response = await honest(request);
    if (seen.operation === change && response.ok) ignoredRequests = 2;
    return response;
  };
};

/** Makes the account of one request the preference for all that follow. */
const remembering = (when: (seen: Seen) => boolean): Wrap =>
  instead(
    (seen) => chooses(seen) && when(seen),
    async (seen, honest) => {
      const named = seen.request.headers.get(header);
      const chosen = (await accountsOf(honest, seen)).find(({ id, slug }) => slug === named || String(id) === named);
      if (chosen) await prefer(honest, seen, chosen.slug);
      return undefined;
    },
  );

/** Lets any session use the account of a key seen before, by naming that account in the header. */
const opened = (when: (seen: Seen) => boolean, byName: 'slug' | 'id'): Wrap => {
  return (honest: Handler, _: VirtualClock) => {
    const openers = new Map<string, string>();
    return async (request) => {
      const seen = await see(request);
      const response = await honest(request.clone());
      if (seen.operation === 'GET /me' && !isSession(seen) && response.ok) {
        const { data } = (await response.clone().json()) as { data: { account: Json } };
        openers.set(String(data.account[byName]), tokenOf(seen));
      }
      const opener = openers.get(seen.request.headers.get(header) ?? '');
      // Only to a session that lives: what it does to bad tokens is a matter of other mutants.
      const refused = response.status >= 400 && response.status !== 401;
      const opens = opener !== undefined && isSession(seen) && refused && when(seen);
      return opens && opener !== undefined ? honest(await speakingFor(seen, opener)) : response;
    };
  };
};

/** Refuses a foreign account once, and then opens it. */
const openedAtLength =
  (when: (seen: Seen) => boolean): Wrap =>
  (honest, clock) => {
    const refused = new Set<string | null>();
    const again = (seen: Seen): boolean => {
      const named = seen.request.headers.get(header);
      const isAgain = when(seen) && refused.has(named);
      if (when(seen)) refused.add(named);
      return isAgain;
    };
    return opened(again, 'slug')(honest, clock);
  };

const reading = ({ request }: Seen): boolean => request.method === 'GET';
const on = (operation: string) => (seen: Seen) => seen.operation === operation;

/** A session has another account stored when it writes under the header. */
const landedElsewhere = {
  'envelope-valid-served': 'the record is on another account than the one it was made on',
  'companies-list-contains': 'the company is on another account than the one it was made on',
  'contacts-list-contains': 'the contact is on another account than the one it was made on',
} as const;

export default mutants({
  'account-active-switch-effect': {
    'account-switch-does-nothing': {
      collateral: { 'rate-limits-every-operation': 'what does nothing is counted as a read' },
      wrap: idle,
    },
    'account-switch-does-not-reach-new-keys': stuck([createKey]),
    'account-switch-does-not-reach-billing': stuck(billing),
    'account-switch-does-not-reach-credits': stuck(['GET /billing/credits/balance']),
  },
  'account-active-missing-slug': {
    'account-switch-without-slug-takes-the-first': lenient(
      change,
      (body) => !('slug' in body),
      () => ({ slug: 'summit-west' }),
    ),
    'account-switch-without-slug-is-unprocessable': instead(
      (seen) => seen.operation === change && hasNoSlug(seen),
      () => refusal(422, 'INVALID', 'slug is required'),
    ),
  },
  'account-active-invalid-slug': {
    'account-switch-takes-null-for-no-change': pretending(slugIs((slug) => slug === null)),
    'account-switch-reads-the-first-of-a-list': onBody(change, (body) =>
      Array.isArray(body.slug) ? { slug: 'summit-west' } : body,
    ),
  },
  'account-active-unknown-slug': {
    'account-switch-to-unknown-is-forbidden': instead(
      (seen) => seen.operation === change && isSession(seen) && slugIs((slug) => /^covenant-/.test(String(slug)))(seen),
      () => refusal(403, 'FORBIDDEN', 'No such account'),
    ),
    'account-switch-completes-slugs': completing,
    'account-switch-to-unknown-is-malformed': {
      collateral: { 'account-active-foreign-slug': 'both are answered with 404' },
      wrap: onStatus(change, 404, 400),
    },
  },
  'account-active-foreign-slug': {
    'account-switch-to-foreign-is-forbidden': instead(
      (seen) => seen.operation === change && bodyOf(seen).slug === foreignSlug,
      () => refusal(403, 'FORBIDDEN', 'Not a member'),
    ),
    'account-switch-to-foreign-pretends-success': pretending(slugIs((slug) => slug === foreignSlug)),
  },
  'account-active-refused-effect': {
    'account-switch-refused-falls-back-to-the-first': movedByRefusal(slugIs(isUnknown), 0),
    'account-switch-refused-as-foreign-goes-elsewhere': movedByRefusal(
      slugIs((slug) => slug === foreignSlug),
      1,
    ),
    'account-switch-refused-without-slug-falls-back': movedByRefusal(hasNoSlug, 0),
  },
  'account-active-key-unmoved': {
    'account-switch-moves-keys': {
      collateral: {
        'account-header-selects': 'the key that the session is compared with has moved',
        'account-header-wins': 'the key that the session is compared with has moved',
        'api-keys-revoked-at-once': 'its requests are carried out with the token of the session',
      },
      wrap: keysFollowing(reading, false),
    },
    'account-switch-moves-keys-at-validation': {
      collateral: { 'public-validate-facts': 'two validations of one key name two accounts' },
      wrap: validationFollowing,
    },
  },
  'account-header-selects': {
    'account-header-is-ignored': ignoringHeader(always),
    'account-header-is-ignored-on-writes': {
      collateral: landedElsewhere,
      wrap: ignoringHeader((seen) => !reading(seen)),
    },
    'account-header-is-ignored-for-credits': {
      also: ['account-header-wins'],
      wrap: ignoringHeader(on('GET /billing/credits/balance')),
    },
  },
  'account-header-wins': {
    'account-header-loses-to-a-fresh-switch': {
      collateral: {
        ...landedElsewhere,
        'account-header-selects': 'right after a switch the header does not choose either',
      },
      wrap: ignoringHeaderAfterSwitch,
    },
  },
  'account-header-temporary': {
    'account-header-becomes-the-preference': {
      collateral: {
        'envelope-valid-served': 'the session is elsewhere than its records',
        'account-active-refused-effect':
          'a read under the header moves the session between a switch and the look behind it',
        'companies-list-contains': 'a list of the session is read where the header has moved it',
        'pagination-list-empty': 'a list without notes is asked for where the header has moved the session',
        'pagination-total-exact': 'a list of the session is followed from one account into another',
        'pagination-has-more-remains': 'a list of the session is followed from one account into another',
      },
      wrap: remembering(always),
    },
    'account-header-of-a-write-becomes-the-preference': remembering(on(createKey)),
  },
  'account-header-key-unmoved': {
    'account-header-moves-keys': keysFollowing((seen) => reading(seen) && seen.request.headers.has(header), true),
    'account-header-moves-keys-when-they-write': keysFollowing(
      (seen) => seen.operation === createKey && seen.request.headers.has(header),
      true,
    ),
  },
  'account-header-foreign': {
    'account-header-opens-foreign-accounts': opened(reading, 'slug'),
    'account-header-opens-foreign-teams': opened(on('GET /account/team'), 'slug'),
    'account-header-opens-foreign-companies': opened(on('GET /companies'), 'slug'),
    'account-header-opens-foreign-accounts-by-id': opened(reading, 'id'),
    'account-header-opens-foreign-credits-after-a-refusal': openedAtLength(on('GET /billing/credits/balance')),
    'account-header-makes-keys-of-foreign-accounts': {
      collateral: { 'api-keys-made-identity': 'the key that it makes belongs to the foreign account' },
      wrap: opened(on(createKey), 'slug'),
    },
  },
});
