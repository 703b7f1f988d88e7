// Accounts that are right for the session that switches, and wrong under a header, in other places, or some seconds later.
import { apiPath } from '../../../lib/catalogue/operations.ts';
import { highLimits, mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, always, instead, repetitionOf, rewritten, type Seen, see } from '../wrappers/mutator.ts';
import { createContact } from '../wrappers/operations.ts';
import { bodyOf, noting } from '../wrappers/records.ts';
import { isSession, opening, tokenOf } from '../wrappers/tokens.ts';
import { type Account, accountsOf, askOnce } from './active.ts';

const accounts = 'GET /me/accounts';
const switching = 'PATCH /me/active-account';
const header = 'x-active-account';

/** Sends a session to one of its accounts. */
const sentTo = async (seen: Seen, slug: string | undefined): Promise<Request> =>
  altered(seen, { headers: { [header]: slug ?? null } });

/** A switch reaches the billing three seconds later. */
const lateAtBilling: Wrap = (honest, clock) => {
  const switches = new Map<string, { readonly from: string; readonly at: number }>();
  const noting = instead(switching, async (seen, inner) => {
    const { data } = (await askOnce(inner, seen, 'GET', '/me')) as { data?: { account?: Account | null } };
    const response = await inner(seen.request.clone());
    const from = data?.account?.slug;
    if (response.ok && from && isSession(seen)) switches.set(tokenOf(seen), { from, at: clock.now() });
    return response;
  })(honest, clock);
  return instead(['GET /billing/summary', 'GET /billing/credits/balance'], async (seen, inner) => {
    const latest = switches.get(tokenOf(seen));
    if (!latest || seen.request.headers.has(header) || clock.now() - latest.at >= 3_000) return undefined;
    return inner(await sentTo(seen, latest.from));
  })(noting, clock);
};

/** The credits of a session are those of its first account, whichever is active; its summary is right. */
const creditsOfFirst: Wrap = instead('GET /billing/credits/balance', async (seen, honest) => {
  const response = await honest(seen.request.clone());
  if (!response.ok || !isSession(seen)) return response;
  const [first] = await accountsOf(honest, seen);
  return honest(await sentTo(seen, first?.slug));
});

/** A stored preference lapses after fifteen seconds, and the first account is active again. */
const droppingPreference: Wrap = (honest, clock) => {
  const stored = new Map<string, number>();
  const noted = noting(switching, (_, seen) => {
    if (isSession(seen)) stored.set(tokenOf(seen), clock.now());
  })(honest, clock);
  return async (request) => {
    const seen = await see(request);
    const at = stored.get(tokenOf(seen));
    if (at !== undefined && clock.now() - at >= 15_000) {
      stored.delete(tokenOf(seen));
      const [first] = await accountsOf(noted, seen);
      await askOnce(noted, seen, 'PATCH', '/me/active-account', { slug: first?.slug });
      stored.delete(tokenOf(seen));
    }
    return noted(request);
  };
};

/** Under X-Active-Account the list of accounts shows that one only. */
const onlyTheNamed: Wrap = instead(accounts, async (seen, honest) => {
  const named = seen.request.headers.get(header);
  const response = await honest(seen.request.clone());
  if (!response.ok || named === null || !isSession(seen)) return response;
  const json = (await response.clone().json()) as { data: Account[] };
  return rewritten(response, { ...json, data: json.data.filter(({ id, slug }) => [slug, String(id)].includes(named)) });
});

/** A slug of others in capitals opens their account: the membership was checked for the value as it was sent. */
const foreignInCapitals: Wrap = (honest, clock) => {
  let neighbour: string | undefined;
  return instead(always, async (seen, inner) => {
    const response = await inner(seen.request.clone());
    const token = tokenOf(seen);
    if (response.ok && seen.operation === 'GET /me' && !isSession(seen)) {
      const { data } = (await response.clone().json()) as { data: { account?: Account } };
      if (data.account?.slug === 'lakeshore') neighbour = token;
    }
    const named = seen.request.headers.get(header);
    if (!isSession(seen) || neighbour === undefined || named !== 'LAKESHORE') return response;
    return inner(await altered(seen, { headers: { authorization: `Bearer ${neighbour}`, [header]: null } }));
  })(honest, clock);
};

/** A session that names an account of others sees the billing that was read last, whoever read it. */
const billingReadLast: Wrap = (honest, clock) => {
  const read = new Map<string, Json>();
  return instead(['GET /billing/summary', 'GET /billing/credits/balance'], async (seen, inner) => {
    const response = await inner(seen.request.clone());
    const json = (await response.clone().json()) as Json;
    if (response.ok && !isSession(seen)) read.set(seen.operation, json);
    const last = read.get(seen.operation);
    const isForeign = response.status >= 400 && response.status !== 401 && response.status !== 429;
    if (!isForeign || last === undefined || !seen.request.headers.has(header) || !isSession(seen)) return response;
    const { request_id, timestamp = new Date(Date.UTC(2026, 2, 2, 9)).toISOString() } = json;
    return rewritten(response, { request_id, timestamp, data: last.data }, 200);
  })(honest, clock);
};

/** No company has this number. */
const noCompany = 2 ** 40;

/** The company of a contact is looked up in the account that the session has stored, whichever the header names. */
const companySoughtInStored: Wrap = (honest, clock) => {
  const done = new Set<string>();
  return instead(createContact, async (seen, inner) => {
    const { company_id, ...body } = bodyOf(seen);
    const name = repetitionOf(seen);
    const isRepeat = name !== undefined && done.has(name);
    const isSought = isSession(seen) && seen.request.headers.has(header) && Number.isSafeInteger(company_id);
    if (isRepeat || !isSought) return undefined;
    const url = new URL(`${apiPath}/companies/${company_id}`, seen.url).href;
    const bare = { [header]: null, 'idempotency-key': null };
    const found = await inner(await altered(seen, { url, method: 'GET', headers: bare }));
    // What else is wrong with the contact is decided by the honest server.
    const isMissed = found.status === 404;
    const response = await inner(
      await altered(seen, { body: isMissed ? { ...body, company_id: noCompany } : bodyOf(seen) }),
    );
    if (name !== undefined && response.ok) done.add(name);
    return response;
  })(honest, clock);
};

export default mutants(
  {
    'envelope-valid-served': {
      // Authentication, rule 9: "for JWT sessions it comes from the X-Active-Account header or from the stored preference".
      'account-header-does-not-choose-where-the-company-of-a-contact-is-sought': companySoughtInStored,
    },
    'account-active-switch-effect': {
      // States: "A user has one active account at a time; PATCH me/active-account changes it".
      'account-switch-reaches-billing-after-three-seconds': {
        collateral: {
          'account-header-selects': 'of two views of an account it is unknown which is the wrong one',
          'api-keys-made-identity': 'of two views of an account it is unknown which is the wrong one',
        },
        wrap: lateAtBilling,
      },
      'account-switch-lapses-after-fifteen-seconds': {
        notFound: 'The document sets no time after which a preference may lapse, and a run does not wait for it.',
        wrap: droppingPreference,
      },
    },
    'account-accounts-complete': {
      // Account and team, row GET /me/accounts: "every account on which the user has an active membership".
      'account-accounts-lists-the-named-one-only': onlyTheNamed,
    },
    'account-header-selects': {
      // Billing, row GET /billing/credits/balance: "credit balance of the active account".
      'account-credits-of-sessions-stay-with-the-first': {
        collateral: {
          'account-active-switch-effect': 'no switch reaches the credits either',
          'account-header-wins': 'the header does not choose there, whatever is stored',
          'account-header-temporary': 'the first account may be the one that a header has named before',
        },
        wrap: creditsOfFirst,
      },
    },
    'account-header-foreign': {
      // PATCH /me/active-account: "the user must have an active membership on it"; Authentication, rule 3.
      'account-header-of-others-shows-the-billing-read-last': billingReadLast,
      'account-header-in-capitals-opens-foreign-accounts': {
        notFound: 'A run sends the slug of others as it is, and the document does not say whether capitals matter.',
        wrap: foreignInCapitals,
      },
    },
  },
  highLimits,
).concat(
  mutants(
    {
      'billing-summary-scope': {
        // Billing: "403 when scope billing:read is missing".
        'billing-asks-sessions-that-name-their-account-for-no-scope': {
          notFound: 'A session without the scope is not sent there with X-Active-Account.',
          wrap: opening('GET /billing/summary', ({ seen }) => isSession(seen) && seen.request.headers.has(header)),
        },
      },
    },
    { reference: { undecided: true } },
  ),
);
