// The caller, the accounts, the active account and the team.
import { must, observe, requirements, should, untestable } from './requirement.ts';

const me = requirements('account', 'Resources and their fields / Fields of other records, point 1', {
  'account-me-rate-limits': must('GET /me holds rate_limits under platform in its data', {
    impact: 'The client cannot pace itself and runs into refusals.',
    rulings: ['rate-limits-shape'],
  }),
  'account-me-scopes': must('GET /me names every scope that the token has been seen to have', {
    impact: 'The client offers or hides functions wrongly.',
    rulings: ['scope-evidence'],
  }),
  'account-me-caller': must('GET /me describes the caller: tokens of different users get different data', {
    at: 'Endpoints / Account and team, row GET /me',
    impact: 'Everybody is greeted as the same user.',
    rulings: ['caller-evidence'],
  }),
  'account-me-key-maximum': observe('Which maximum number of API keys does GET /me report, and where?', {
    rulings: ['key-maximum'],
  }),
  'account-me-fields': observe('Which fields does GET /me show, for a key and for a session?', {
    rulings: ['silent-is-observed'],
  }),
});

const accounts = requirements('account', 'Endpoints / Account and team, row GET /me/accounts', {
  'account-me-slug': must('GET /me of a session shows a slug that the switch of the active account accepts', {
    at: 'Endpoints / Account and team, row PATCH /me/active-account',
    impact: 'The client cannot name the account it wants back.',
    rulings: ['slug-place'],
  }),
  'account-accounts-complete': must(
    'GET /me/accounts lists all accounts of which the user of the session is a member',
    {
      impact: 'An account is missing from the chooser.',
      rulings: ['pagination-presence'],
    },
  ),
  'account-accounts-only-own': must('GET /me/accounts lists no account of which the user is not a member', {
    impact: 'Names of other customers leak.',
  }),
  'account-accounts-slugs': must('Every account in GET /me/accounts has a slug that the switch accepts', {
    at: 'Endpoints / Account and team, row PATCH /me/active-account',
    impact: 'Choosing an account from the list fails.',
    rulings: ['slug-place'],
  }),
  'account-accounts-inactive': untestable(
    'GET /me/accounts leaves out memberships that are not active',
    'the interface has no way to make or see an inactive membership',
  ),
  'account-accounts-with-key': observe('Which accounts does GET /me/accounts list for an API key?'),
  'account-accounts-pagination': observe('Do GET /me/accounts and GET /me/team-accounts carry pagination?', {
    rulings: ['pagination-presence'],
  }),
  'account-accounts-fields': observe('Which fields does a record of the account list have?', {
    at: 'Resources and their fields / Fields of other records, point 2',
    rulings: ['silent-is-observed'],
  }),
  'account-team-accounts-scope': must('The team accounts are refused with 403 to a token without account:read', {
    at: 'Endpoints / Account and team, row GET /me/team-accounts',
    impact: 'Restricted users see with whom the account shares deals.',
    rulings: ['otherwise-valid'],
  }),
  'account-team-accounts-undetermined': must(
    'The team accounts answer 400 to a session without a determinable account',
    {
      at: 'Endpoints / Account and team, row GET /me/team-accounts',
      impact: 'The client never learns that it has to choose an account first.',
    },
  ),
  'account-team-accounts-remedy': observe(
    'Does X-Active-Account help a session without a stored account to its team accounts?',
    { at: 'Endpoints / Account and team, row GET /me/team-accounts' },
  ),
  'account-team-accounts-fields': observe('Which fields does a record of the team-account list have?', {
    at: 'Resources and their fields / Fields of other records, point 2',
    rulings: ['silent-is-observed'],
  }),
  'account-team-accounts-content': untestable(
    'GET /me/team-accounts lists the accounts whose deals are shared with the active account',
    'the document describes no operation that shares, or shows, a deal',
    'Endpoints / Account and team, row GET /me/team-accounts',
  ),
  'account-team-fields': observe('Which fields does a team member have, and is the caller among them?', {
    at: 'Resources and their fields / Fields of other records, point 2',
    rulings: ['silent-is-observed'],
  }),
});

const switching = requirements('account', 'Endpoints / Account and team, row PATCH /me/active-account', {
  'account-active-switch-effect': must('After a switch the session acts on the account that it switched to', {
    at: 'States and transitions, point 1',
    impact: 'Data are read from, and written to, the wrong firm.',
    rulings: ['active-account-evidence'],
  }),
  'account-active-missing-slug': must('A switch without slug is refused with 400', {
    impact: 'A buggy client believes that it has switched.',
    rulings: ['missing-member'],
  }),
  'account-active-invalid-slug': must(
    'A switch whose slug is null, empty or not a text is refused with a fitting 4xx',
    {
      impact: 'A buggy client believes that it has switched.',
      rulings: ['refusal-status'],
    },
  ),
  'account-active-unknown-slug': must('A switch to an account that does not exist is refused with 404', {
    impact: 'A mistyped slug goes unnoticed.',
    rulings: ['slug-place'],
  }),
  'account-active-foreign-slug': must('A switch to an existing account of others is refused with 404', {
    impact: 'A user enters a foreign account, or learns that it exists.',
  }),
  'account-active-refused-effect': must('After a refused switch the active account is still the former one', {
    impact: 'A failed switch leaves the session in an account that nobody chose.',
    rulings: ['effect-over-form', 'active-account-evidence'],
  }),
  'account-active-fields': observe('Which fields does the record of the active account have?', {
    at: 'Resources and their fields / Fields of other records, point 2',
    rulings: ['silent-is-observed'],
  }),
  'account-active-with-key': observe('What does the switch answer to an API key?', {
    at: 'Authentication, rule 9',
    rulings: ['active-account-key'],
  }),
});

const selection = requirements('account', 'Authentication, rule 9', {
  'account-active-key-unmoved': must(
    'A switch by the session of a user, or by a key itself, leaves the API keys of that user in their account',
    {
      impact: 'A click in the browser sends the nightly import into another firm.',
      rulings: ['active-account-evidence'],
    },
  ),
  'account-header-selects': must('X-Active-Account chooses the account of a session for that request', {
    impact: 'Clients with several accounts open mix their data.',
    rulings: ['active-account-header', 'active-account-evidence'],
  }),
  'account-header-wins': must('X-Active-Account goes before the stored preference of a session', {
    impact: 'Another open tab decides where this one writes.',
    rulings: ['active-account-header'],
  }),
  'account-header-temporary': should('X-Active-Account does not change the stored preference', {
    impact: 'One request silently moves all that follow.',
    rulings: ['active-account-header'],
  }),
  'account-header-key-unmoved': must('X-Active-Account does not move an API key out of its account', {
    impact: 'A key reaches accounts that it was not made for.',
    rulings: ['active-account-header'],
  }),
  'account-header-foreign': must('X-Active-Account gives a session no access to an account of others', {
    impact: 'A header opens the files of any firm.',
    rulings: ['active-account-header'],
  }),
  'account-header-foreign-answer': observe('What does X-Active-Account with a foreign or unknown value answer?', {
    rulings: ['active-account-header', 'open-input'],
  }),
  'account-header-value': observe('Which values of X-Active-Account choose an account?', {
    rulings: ['active-account-header'],
  }),
});

export const account = { ...me, ...accounts, ...switching, ...selection };
