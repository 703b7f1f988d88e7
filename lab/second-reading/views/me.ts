// How GET /me shows the user, the account and the platform.
import { activeMemberships } from '../active.ts';
import type { Choices } from '../choices.ts';
import { writeTime } from '../clock.ts';
import type { Row } from '../records.ts';
import { callerOf, scopesOf, type Visit } from '../visit.ts';
import { accountView, userView } from './accounts.ts';
import { arrange } from './common.ts';

export function meView(visit: Visit): Row {
  const { choices } = visit;
  const scopes = { [choices.scopesName]: showScopes(scopesOf(visit), choices.scopesForm) };
  const at = (place: Choices['scopesPlace']): Row => (scopesPlaceOf(visit) === place ? scopes : {});
  const user = { ...userView(callerOf(visit).user, choices), ...abilitiesPart(visit), ...at('user') };
  const account = accountPart(visit, at('account'));
  const platform = { platform: platformPart(visit, at('platform')) };
  const rest = { ...platform, ...maxKeysAt(visit, 'limits'), ...accountsPart(visit), ...tokenPart(visit, at('token')) };
  if (choices.meShape === 'nested') return arrange({ user, ...account, ...rest, ...at('top') }, choices);
  if (choices.meShape === 'flat') return arrange({ ...user, ...account, ...rest, ...at('top') }, choices);
  return arrange({ profile: user, ...account, ...rest, ...at('top') }, choices);
}

/** Scopes and limits that would hang on the account go elsewhere when there is no account. */
function scopesPlaceOf(visit: Visit): Choices['scopesPlace'] {
  const { scopesPlace } = visit.choices;
  return scopesPlace === 'account' && visit.account === null ? 'top' : scopesPlace;
}

function accountPart(visit: Visit, scopes: Row): Row {
  const { choices, account, membership } = visit;
  const name = choices.meShape === 'profile' ? 'active_account' : 'account';
  if (account === null) return choices.meNoAccount === 'null' ? { [name]: null } : {};
  const shown = accountView(account, membership, true, choices);
  return { [name]: { ...shown, ...maxKeysAt(visit, 'account'), ...scopes } };
}

function platformPart(visit: Visit, scopes: Row): Row {
  return {
    name: 'Deal platform',
    rate_limits: rateLimits(visit),
    ...maxKeysAt(visit, 'platform'),
    ...maxKeysAt(visit, 'platform-nested'),
    ...scopes,
  };
}

function maxKeysAt(visit: Visit, place: Choices['maxKeysPlace']): Row {
  const { choices, account } = visit;
  const drawn = choices.maxKeysPlace === 'account' && account === null ? 'platform' : choices.maxKeysPlace;
  if (drawn !== place) return {};
  const maximum = { [choices.maxKeysName]: account?.maxKeys ?? 25 };
  if (place === 'limits') return { limits: maximum };
  return place === 'platform-nested' ? { limits: maximum } : maximum;
}

function accountsPart(visit: Visit): Row {
  const { choices, account } = visit;
  if (choices.meAccounts === 'absent') return {};
  const all = activeMemberships(callerOf(visit).user);
  return { accounts: all.map((each) => accountView(each.account, each, each.account === account, choices)) };
}

function tokenPart(visit: Visit, scopes: Row): Row {
  const { choices } = visit;
  const { key, expires } = callerOf(visit);
  const token = { ...scopes };
  if (choices.meToken !== 'absent') token.type = key === undefined ? 'jwt' : 'api_key';
  if (choices.meToken === 'expiry') {
    token.expires_at = expires === undefined ? null : writeTime(expires, choices.recordTimeForm);
  }
  return Object.keys(token).length === 0 ? {} : { token };
}

function abilitiesPart(visit: Visit): Row {
  if (visit.choices.userExtra !== 'abilities' || visit.membership === null) return {};
  const { createCompanies, createContacts, createKeys } = visit.membership.abilities;
  return {
    abilities: { create_companies: createCompanies, create_contacts: createContacts, create_api_keys: createKeys },
  };
}

function showScopes(scopes: readonly string[], form: Choices['scopesForm']): unknown {
  if (form === 'array') return scopes;
  if (form === 'spaced') return scopes.join(' ');
  if (form === 'map') return Object.fromEntries(scopes.map((scope) => [scope, true]));
  return scopes.map((scope) => ({ name: scope, description: `Allows ${scope.replace(':', ' ')}` }));
}

function rateLimits(visit: Visit): unknown {
  const { choices, world } = visit;
  const { read, write, validate } = world.limits;
  const name = choices.rateLimitsValidateName;
  const seconds = Math.round(world.minute / 1000);
  const extra: Row = choices.rateLimitsExtra === 'window' ? { window_seconds: seconds } : {};
  switch (choices.rateLimitsShape) {
    case 'flat':
      return { read, write, [name]: validate, ...extra };
    case 'per-minute':
      return { read_per_minute: read, write_per_minute: write, [`${name}_per_minute`]: validate, ...extra };
    case 'objects':
      return {
        read: { limit: read, ...extra },
        write: { limit: write, ...extra },
        [name]: { limit: validate, ...extra },
      };
    case 'list':
      return [
        { type: 'read', limit: read, ...extra },
        { type: 'write', limit: write, ...extra },
        { type: name, limit: validate, ...extra },
      ];
    default:
      return { read: `${read}/minute`, write: `${write}/minute`, [name]: `${validate}/minute` };
  }
}
