// How accounts, users, team members, billing and GET /me are shown.

import { activeMemberships } from '../auth.ts';
import type { Choices } from '../choices.ts';
import { writeTime } from '../clock.ts';
import type { Account, Membership, Row, User } from '../records.ts';
import { callerOf, scopesOf, type Visit } from '../visit.ts';
import { arrange, fullName } from './deals.ts';

export function accountView(account: Account, membership: Membership | null, active: boolean, choices: Choices): Row {
  const extra = accountExtra(account, membership, active, choices);
  const { shownId: id, slug, name } = account;
  const shapes: Record<Choices['accountRecord'], Row> = {
    prefixed: arrange({ account_id: id, slug, account_name: name, ...extra }, choices),
    nested: arrange({ account: { id, slug, name }, ...extra }, choices),
    'both-ids': arrange({ id, account_id: id, slug, name, ...extra }, choices),
    plain: arrange({ id, slug, name, ...extra }, choices),
  };
  return shapes[choices.accountRecord];
}

function accountExtra(account: Account, membership: Membership | null, active: boolean, choices: Choices): Row {
  const shapes: Record<Choices['accountExtra'], Row> = {
    role: membership === null ? {} : { role: membership.role },
    tier: { tier: account.tier },
    created: { created_at: writeTime(account.created, choices.recordTimeForm) },
    flag: { is_active: active },
    none: {},
  };
  return shapes[choices.accountExtra];
}

export function teamAccountView(account: Account, choices: Choices): Row {
  if (choices.teamAccountRecord === 'short') return { slug: account.slug, name: account.name };
  const shown = accountView(account, null, false, choices);
  return choices.teamAccountRecord === 'account' ? shown : { ...shown, sharing: { deals: true } };
}

export function userView(user: User, choices: Choices): Row {
  return { id: user.shownId, email: user.email, ...namePart(user, choices), ...userExtra(user, choices) };
}

function namePart(user: User, choices: Choices): Row {
  if (choices.userNames === 'name') return { name: fullName(user) };
  if (choices.userNames === 'first-last') return { first_name: user.first, last_name: user.last };
  return { display_name: fullName(user) };
}

function userExtra(user: User, choices: Choices): Row {
  switch (choices.userExtra) {
    case 'locale':
      return { locale: 'en-US', time_zone: 'America/New_York' };
    case 'created':
      return { created_at: writeTime(user.created, choices.recordTimeForm) };
    default:
      return {};
  }
}

export function memberView(membership: Membership, choices: Choices): Row {
  const { user } = membership;
  const rest = { ...rolePart(membership, choices), ...statusPart(membership, choices) };
  if (choices.teamRecord === 'nested') return arrange({ user: userView(user, choices), ...rest }, choices);
  if (choices.teamRecord === 'flat') return arrange({ ...userView(user, choices), ...rest }, choices);
  return arrange({ user_id: user.shownId, user_email: user.email, ...namePart(user, choices), ...rest }, choices);
}

function rolePart(membership: Membership, choices: Choices): Row {
  if (choices.teamRole === 'absent') return {};
  return choices.teamRole === 'word' ? { role: membership.role } : { roles: [membership.role] };
}

function statusPart(membership: Membership, choices: Choices): Row {
  if (choices.teamStatus === 'active-only') return {};
  return { status: membership.active ? 'active' : 'suspended' };
}

export function creditsView(account: Account, choices: Choices): Row {
  const amount = amountOf(account, choices);
  const shapes: Record<Choices['creditsShape'], Row> = {
    balance: { balance: amount },
    credit_balance: { credit_balance: amount },
    credits: { credits: { balance: amount, unit: 'credit' } },
    detailed: { available: amount, reserved: 0, currency: 'credits' },
  };
  return shapes[choices.creditsShape];
}

export function summaryView(account: Account, choices: Choices): Row {
  const { plan, status, seats } = account.billing;
  const subscription = { plan, status, seats, ...datesPart(account, choices) };
  if (choices.billingShape === 'nested') return { subscription, credits: creditsView(account, choices) };
  if (choices.billingShape === 'flat') return { ...subscription, credit_balance: amountOf(account, choices) };
  return { subscriptions: [subscription], credit_balance: amountOf(account, choices) };
}

function datesPart(account: Account, choices: Choices): Row {
  if (choices.billingDates === 'without') return {};
  const { renews, trialEnds } = account.billing;
  const form = choices.recordTimeForm;
  const trial = trialEnds === null ? null : writeTime(trialEnds, form);
  const hidden = trial === null && choices.billingNulls === 'absent';
  return { renews_at: writeTime(renews, form), ...(hidden ? {} : { trial_ends_at: trial }) };
}

function amountOf(account: Account, choices: Choices): number | string {
  const { credits } = account.billing;
  if (choices.creditsNumber === 'integer') return credits;
  return choices.creditsNumber === 'decimal' ? credits + 0.5 : `${credits}.50`;
}

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
  const shapes: Record<Choices['rateLimitsShape'], unknown> = {
    flat: { read, write, [name]: validate, ...extra },
    'per-minute': { read_per_minute: read, write_per_minute: write, [`${name}_per_minute`]: validate, ...extra },
    objects: {
      read: { limit: read, ...extra },
      write: { limit: write, ...extra },
      [name]: { limit: validate, ...extra },
    },
    list: [
      { type: 'read', limit: read, ...extra },
      { type: 'write', limit: write, ...extra },
      { type: name, limit: validate, ...extra },
    ],
    strings: { read: `${read}/minute`, write: `${write}/minute`, [name]: `${validate}/minute` },
  };
  return shapes[choices.rateLimitsShape];
}
