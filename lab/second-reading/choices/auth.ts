// What is left open about credentials, scopes and the X-Origin-App header.
import { row } from './row.ts';

export const authRows = {
  bearerCase: row('Headers: Authorization is Bearer and a token; other cases are not mentioned.', 'exact', 'any-case'),
  bearerGap: row('Headers: one space is shown; more are not mentioned.', 'one', 'any'),
  originMissing: row(
    'Headers: X-Origin-App is required; what happens without it is not said.',
    'accepted',
    '400',
    '422',
  ),
  originBlank: row(
    'Headers: X-Origin-App is free text; whether it may be blank is not said.',
    'as-missing',
    'accepted',
  ),
  originOnPublic: row(
    'Authentication: every request carries X-Origin-App; not said if public operations insist.',
    'not-asked',
    'asked',
  ),
  originOrder: row('Errors: which of 401 and a missing X-Origin-App wins is not said.', 'before-auth', 'after-auth'),
  jwtScopeClaim: row('Authentication: what a JWT contains is not shown.', 'none', 'scope', 'scopes', 'scp'),
  jwtSubject: row('Authentication: who a JWT names, and how, is not shown.', 'user-id', 'email'),
  jwtKeyName: row('Authentication: the header of a JWT is not shown.', 'none', 'kid'),
  jwtExpiredFor: row('Authentication: JWT lifetimes are configurable.', 'seconds', 'hours', 'days'),
  scopeVocabulary: row(
    'Authentication: two scopes are named; the complete list is not shown.',
    'two',
    'reads',
    'reads-and-writes',
  ),
  scopesForm: row(
    'Me: the data include the available scopes; how they are written is not shown.',
    'array',
    'spaced',
    'map',
    'objects',
  ),
  scopesPlace: row(
    'Me: the data include the available scopes; where is not shown.',
    'top',
    'user',
    'platform',
    'token',
    'account',
  ),
  scopesName: row('Me: the name of the member with the scopes is not shown.', 'scopes', 'available_scopes', 'granted'),
  accountsScope: row(
    'Accounts: 403 is listed for me/accounts without a cause; a scope may be needed.',
    'open',
    'account:read',
  ),
  teamScope: row(
    'Team: 403 is listed for account/team without a cause; a scope may be needed.',
    'open',
    'account:read',
  ),
  noAccountOrder: row(
    'Team accounts: which of 400 (no active account) and 403 (no scope) wins is not said.',
    'account-first',
    'scope-first',
  ),
} as const;
