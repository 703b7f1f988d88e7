// How accounts, users, team members and billing are shown.
import type { Choices } from '../choices.ts';
import { writeTime } from '../clock.ts';
import type { Account, Membership, Row, User } from '../records.ts';
import { arrange } from './common.ts';
import { fullName } from './deals.ts';

export function accountView(account: Account, membership: Membership | null, active: boolean, choices: Choices): Row {
  const extra = accountExtra(account, membership, active, choices);
  const { shownId: id, slug, name } = account;
  switch (choices.accountRecord) {
    case 'prefixed':
      return arrange({ account_id: id, slug, account_name: name, ...extra }, choices);
    case 'nested':
      return arrange({ account: { id, slug, name }, ...extra }, choices);
    case 'both-ids':
      return arrange({ id, account_id: id, slug, name, ...extra }, choices);
    default:
      return arrange({ id, slug, name, ...extra }, choices);
  }
}

function accountExtra(account: Account, membership: Membership | null, active: boolean, choices: Choices): Row {
  switch (choices.accountExtra) {
    case 'role':
      return membership === null ? {} : { role: membership.role };
    case 'tier':
      return { tier: account.tier };
    case 'created':
      return { created_at: writeTime(account.created, choices.recordTimeForm) };
    case 'flag':
      return { is_active: active };
    default:
      return {};
  }
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
  switch (choices.creditsShape) {
    case 'balance':
      return { balance: amount };
    case 'credit_balance':
      return { credit_balance: amount };
    case 'credits':
      return { credits: { balance: amount, unit: 'credit' } };
    default:
      return { available: amount, reserved: 0, currency: 'credits' };
  }
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
