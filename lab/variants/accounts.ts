// Unusual profiles, account lists and validations: the same facts in other shapes.
import type { Wrap } from '../mutants/mutant.ts';
import { altered, instead, isObject, type Json, onSuccess, refusal, see } from '../mutants/wrappers/mutator.ts';
import { onRecords } from '../mutants/wrappers/records.ts';
import { billing, onCredits } from './billing.ts';
import { together, variants } from './variant.ts';

const accountLists = ['GET /me/accounts', 'GET /me/team-accounts', 'PATCH /me/active-account'];

/** Changes `data` of GET /me. */
const me = (change: (data: Json) => Json): Wrap =>
  onSuccess('GET /me', (json) => ({ ...json, data: change(json.data as Json) }));

const limits = (show: (limits: Record<string, number>) => unknown): Wrap =>
  me((data) => {
    const numbers = (data.platform as Json).rate_limits as Record<string, number>;
    return { ...data, platform: { rate_limits: show(numbers) } };
  });

const perMinute = (limits: Record<string, number>, name: string): number => limits[`${name}_per_minute`] ?? 0;

/** `account` under other names, its slug under a name that ends in slug. */
const asWorkspace = ({ id, slug, name }: Json): Json => ({
  workspaceId: id,
  workspace_id: id,
  workspaceSlug: slug,
  title: name,
});

/** Changes accounts wherever they are shown. */
const everyAccount = (change: (account: Json) => Json): Wrap =>
  together([
    onRecords(accountLists, change),
    me(({ account, accounts, ...data }) => ({
      ...data,
      account: account === null ? null : change(account as Json),
      accounts: (accounts as Json[]).map(change),
    })),
  ]);

/** Before the account's own slug and after it. */
const amongSlugs = (account: Json): Json => ({
  plan_slug: 'business',
  parent: { id: 77, slug: 'summit-holdings' },
  role: { slug: 'admin', name: 'Administrator' },
  ...account,
  plan: { slug: 'business' },
  region: { slug: 'us-east' },
});

const referenceMark = 'acct-';

/** The header takes the reference, which the account's record shows beside its identifier. */
const headerByReference: Wrap = (honest, clock) => {
  const shown = everyAccount((account) => ({ ...account, public_ref: `${referenceMark}${account.id}` }))(honest, clock);
  return async (request) => {
    const value = request.headers.get('x-active-account');
    if (value === null) return shown(request);
    const account = value.startsWith(referenceMark) ? value.slice(referenceMark.length) : 'unknown';
    const seen = await see(request);
    return shown(await altered(seen, { headers: { 'x-active-account': account } }));
  };
};

/** GET /me shows the user alone where the honest server finds no account under the header. */
const profileWithoutAccounts: Wrap = (honest, clock) => {
  const alone = me((data) => ({ ...data, account: null, accounts: [] }))(honest, clock);
  return instead('GET /me', async (seen) => {
    const response = await honest(seen.request.clone());
    return response.status === 403 ? alone(await altered(seen, { headers: { 'x-active-account': null } })) : response;
  })(honest, clock);
};

const keyWithHeaderRefused: Wrap = (honest) => async (request) => {
  const { headers } = await see(request).then((seen) => seen.request);
  const isKey = headers.get('authorization')?.includes('svc_sk_') === true;
  return isKey && headers.has('x-active-account')
    ? refusal(400, 'BAD_REQUEST', 'X-Active-Account is for sessions')
    : honest(request);
};

/** Requests of any kind between two credits that are used up. */
const perCredit = 3;

/** Work that no request shows uses up credits. */
const creditsFall: Wrap = (honest, clock) => {
  let requests = 0;
  const less = (credits: Json): Json => ({
    ...credits,
    balance: Math.max(0, Number(credits.balance) - Math.floor(requests / perCredit)),
  });
  const shown = onCredits(less)(honest, clock);
  return (request) => {
    requests += 1;
    return shown(request);
  };
};

const creditsAtFirst = 5_000;
/** Requests and seconds between two credits where they are seldom spent. */
const perCreditSeldom = 40;

/** Each account begins with the same credits, and others spend one of them now and then, in each at a pace of its own. */
const creditsAlike =
  (fastest: number, shown?: (data: Json) => Json): Wrap =>
  (honest, clock) => {
    const start = clock.now();
    let requests = 0;
    const balance = (account: number): number => {
      const pace = fastest * (1 + (account % 3));
      const ticks = requests + Math.floor((clock.now() - start) / 1_000);
      return Math.max(0, creditsAtFirst - Math.floor((ticks + (account % pace)) / pace));
    };
    const billed = onCredits((credits, account) => ({ ...credits, balance: balance(account) }), shown)(honest, clock);
    return (request) => {
      requests += 1;
      return billed(request);
    };
  };

/** Of an account only what all accounts have: their plan, and how many credits. */
const withoutAccount = ({ account_id: _, subscription, ...data }: Json): Json =>
  isObject(subscription) ? { ...data, subscription: { plan: subscription.plan, status: subscription.status } } : data;

const noLimitsWithoutAccount: Wrap = me(({ platform, ...data }) => ({
  ...data,
  platform: data.account === null ? { ...(platform as Json), rate_limits: null } : platform,
}));
const noLimits = 'Limits are per account, and their shape is open: a session that has no account may be shown null.';

export default variants({
  'accounts-with-attributes': {
    why: 'The fields of accounts are not shown: the slug may stand apart from the identifier.',
    wrap: everyAccount(({ id, ...attributes }) => ({ type: 'account', id, attributes })),
  },
  'accounts-billed-in-lists': {
    why: 'Of billing no field is shown: data may be an array.',
    wrap: onSuccess(billing, ({ data, ...json }) => ({
      ...json,
      data: [data],
    })),
  },
  'accounts-scopes-as-text': {
    why: 'Where and how GET /me reports the scopes is open.',
    wrap: me(({ scopes, ...data }) => ({ ...data, token: { scope: (scopes as string[]).join(' ') } })),
  },
  'accounts-scopes-as-records': {
    why: 'Where and how GET /me reports the scopes is open.',
    wrap: me(({ scopes, ...data }) => ({
      ...data,
      grants: (scopes as string[]).map((name) => ({ name, granted: true })),
    })),
  },
  'accounts-named-workspaces': {
    why: 'An account slug may have any name that ends in slug.',
    wrap: (honest, clock) =>
      onRecords(accountLists, asWorkspace)(
        me(({ accounts, account, ...data }) => ({
          ...data,
          workspace: account === null ? null : asWorkspace(account as Json),
          all: { workspaces: (accounts as Json[]).map(asWorkspace) },
        }))(honest, clock),
        clock,
      ),
  },
  'accounts-profile-lists-all-scopes': {
    why: 'GET /me may also list the scopes that exist.',
    wrap: me((data) => ({ ...data, known_scopes: ['account:read', 'billing:read', 'deals:read'] })),
  },
  'accounts-team-members-nested': {
    why: 'The record of a team member is not shown.',
    wrap: onRecords(['GET /account/team'], ({ email, ...member }) => ({
      person: { contact: { email } },
      seat: member,
    })),
  },
  'accounts-identifiers-as-text': {
    why: 'The types of user_id and account_id are open.',
    wrap: (honest, clock) =>
      onSuccess('POST /auth/validate-api-key', (json) => {
        const data = json.data as Json;
        if (data.valid !== true) return json;
        return { ...json, data: { ...data, user_id: `usr_${data.user_id}`, account_id: `acct_${data.account_id}` } };
      })(
        onRecords(accountLists, (account) => ({ ...account, id: `acct_${account.id}` }))(
          me((data) => ({
            ...data,
            account: data.account ? { ...(data.account as Json), id: `acct_${(data.account as Json).id}` } : null,
          }))(honest, clock),
          clock,
        ),
        clock,
      ),
  },
  'accounts-scopes-as-names': {
    why: 'Where and how GET /me reports the scopes is open.',
    wrap: me(({ scopes, ...data }) => ({
      ...data,
      permissions: Object.fromEntries((scopes as string[]).map((name) => [name, true])),
    })),
  },
  'accounts-listed-by-slug-only': {
    why: 'The record of an account is not shown beyond its slug.',
    wrap: onRecords(accountLists, ({ slug }) => ({ slug })),
  },
  'accounts-billing-without-numbers': {
    why: 'The fields of the billing records are not shown.',
    wrap: onRecords(billing, (data) => ({
      lines: Object.entries(data).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    })),
  },
  'accounts-credits-fall': {
    why: 'What uses up credits is not shown: the balance may fall between two reads without any write.',
    wrap: creditsFall,
  },
  'accounts-credits-alike-and-falling': {
    why: 'Accounts may have equally many credits, and what uses them up is not shown: one shows what another showed before.',
    wrap: creditsAlike(perCredit),
  },
  'accounts-credits-alike-and-nothing-else': {
    why: 'The fields of the billing records are not shown: they may hold the plan and the credits, and not whose they are.',
    wrap: creditsAlike(perCredit, withoutAccount),
  },
  'accounts-credits-alike-and-seldom-spent': {
    why: 'The fields of the billing records are not shown, and how often others spend a credit is open.',
    wrap: creditsAlike(perCreditSeldom, withoutAccount),
  },
  'accounts-limits-by-method': {
    why: 'The shape of platform.rate_limits is open.',
    wrap: limits((of) => ({
      GET: { max: perMinute(of, 'read'), window: '1m' },
      'POST, PATCH, DELETE': { max: perMinute(of, 'write'), window: '1m' },
      validate_api_key: { max: perMinute(of, 'validate'), window: '1m' },
    })),
  },
  'accounts-limits-under-other-names': {
    why: 'The shape of platform.rate_limits is open, and so are the names in it.',
    wrap: limits((of) => ({
      get: perMinute(of, 'read'),
      mutations: perMinute(of, 'write'),
      key_validation: perMinute(of, 'validate'),
    })),
  },
  'accounts-limits-as-sentence': {
    why: 'The shape of platform.rate_limits is open.',
    wrap: limits((of) =>
      ['read', 'write', 'validate'].map((name) => `${perMinute(of, name)} ${name} requests per minute`).join('; '),
    ),
  },
  'accounts-limits-configured': {
    why: 'Limits that cannot be read from GET /me come from the configuration.',
    wrap: limits(() => ({ plan: 'see your contract' })),
    target: { limits: { read: 40, write: 10, validate: 10 } },
  },
  'accounts-header-with-key-refused': {
    why: 'X-Active-Account is for sessions; with a key it has no effect, and the status is open.',
    wrap: keyWithHeaderRefused,
  },
  'accounts-among-other-slugs': {
    why: 'The record of an account may show the slugs of its plan, its parent and the role of the user, too.',
    wrap: everyAccount(amongSlugs),
  },
  'accounts-header-by-reference': {
    why: 'Nothing says which of its identifiers names an account in X-Active-Account.',
    reference: { choices: { activeAccountValue: 'id' } },
    wrap: headerByReference,
  },
  'accounts-header-by-identifier-and-profile-without': {
    why: 'Nothing says which identifier X-Active-Account takes; only GET /me unscoped is said to show a slug.',
    reference: { choices: { activeAccountValue: 'id' } },
    wrap: profileWithoutAccounts,
  },
  'accounts-without-stored-preference': {
    why: 'For sessions the account comes from the header or the stored preference; nothing says that one is stored at the start.',
    reference: { storedPreference: false },
  },
  'accounts-of-a-member-without-a-preference': {
    why: 'The session without an account may be of a member of several, who has not chosen one yet.',
    reference: { undecided: true },
  },
  'accounts-none-have-no-limits': {
    why: noLimits,
    wrap: noLimitsWithoutAccount,
  },
  'accounts-not-chosen-have-no-limits': {
    why: noLimits,
    reference: { storedPreference: false },
    wrap: noLimitsWithoutAccount,
  },
  'accounts-not-chosen-show-no-scopes': {
    why: 'A session may begin without a stored account; nothing says that GET /me shows scopes before there is one to have them on.',
    reference: { storedPreference: false },
    wrap: me((data) => (data.account === null ? { ...data, scopes: [] } : data)),
  },
});
