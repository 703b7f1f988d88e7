// Making accounts, users and memberships.
import type { Choices } from './choices.ts';
import { Collection } from './collection.ts';
import type { Dice } from './dice.ts';
import type { Abilities, Account, Membership, User } from './records.ts';
import { ACCOUNT_WORDS, FIRST_NAMES, LAST_NAMES } from './words.ts';
import type { World } from './world.ts';

const DAY = 86_400_000;

const TIERS: Record<Choices['tierNames'], readonly [string, ...string[]]> = {
  words: ['starter', 'standard', 'enterprise'],
  codes: ['tier_1', 'tier_2', 'tier_3'],
  capitals: ['PRO', 'TEAM', 'SCALE'],
};

const EVERYTHING: Abilities = {
  createCompanies: true,
  createContacts: true,
  createKeys: true,
  writeNotes: true,
};

export function addAccount(world: World, dice: Dice, now: number): Account {
  const number = world.accounts.length + 1;
  const { choices } = world;
  const word = ACCOUNT_WORDS[number % ACCOUNT_WORDS.length] ?? 'birch';
  const tier = dice.pick(TIERS[choices.tierNames]);
  const account: Account = {
    number,
    shownId: shownId(choices.accountIdForm, 'acc', number, dice),
    slug: slugOf(choices.slugForm, word, number, dice),
    name: `${word.charAt(0).toUpperCase()}${word.slice(1)} Finance`,
    tier,
    created: now - dice.between(400, 900) * DAY,
    billing: {
      plan: tier,
      status: dice.oneIn(4) ? 'trialing' : 'active',
      seats: dice.between(1, 40),
      credits: number * 1000 + dice.below(900),
      renews: now + dice.between(1, 300) * DAY,
      trialEnds: dice.oneIn(3) ? now + 10 * DAY : null,
    },
    maxKeys: 0,
    sharedFrom: [],
    members: [],
    keys: [],
    companies: new Collection(),
    contacts: new Collection(),
    rank: number,
    due: 0,
    gone: false,
  };
  world.accounts.push(account);
  return account;
}

export function addUser(world: World, dice: Dice, now: number, scopes: readonly string[]): User {
  const number = world.users.length + 11;
  const first = dice.pick(FIRST_NAMES);
  const last = dice.pick(LAST_NAMES);
  const user: User = {
    number,
    shownId: shownId(world.choices.userIdForm, 'usr', number, dice),
    first,
    last,
    email: `person${number}@example.com`,
    created: now - dice.between(350, 390) * DAY,
    preferred: null,
    memberships: [],
    scopes,
  };
  world.users.push(user);
  world.usersByNumber.set(number, user);
  world.usersByEmail.set(user.email, user);
  return user;
}

export interface Terms {
  role?: string;
  active?: boolean;
  abilities?: Abilities;
}

export function join(user: User, account: Account, terms: Terms = {}): Membership {
  const membership: Membership = {
    user,
    account,
    role: terms.role ?? 'admin',
    active: terms.active ?? true,
    scopes: user.scopes,
    abilities: terms.abilities ?? EVERYTHING,
    rank: user.number * 100 + account.number,
    due: 0,
    gone: false,
  };
  user.memberships.push(membership);
  account.members.push(membership);
  return membership;
}

export function fullScopes(choices: Choices): readonly string[] {
  return ['account:read', 'billing:read', ...readScopes(choices), ...writeScopes(choices)];
}

export function fewScopes(choices: Choices): readonly string[] {
  return readScopes(choices);
}

function readScopes(choices: Choices): readonly string[] {
  return choices.scopeVocabulary === 'two' ? [] : ['companies:read', 'contacts:read', 'deals:read'];
}

function writeScopes(choices: Choices): readonly string[] {
  return choices.scopeVocabulary === 'reads-and-writes' ? ['companies:write', 'contacts:write'] : [];
}

function shownId(form: Choices['accountIdForm'], noun: string, number: number, dice: Dice): number | string {
  if (form === 'integer') return number;
  return form === 'uuid' ? dice.uuid() : `${noun}_${dice.hex(12)}`;
}

function slugOf(form: Choices['slugForm'], word: string, number: number, dice: Dice): string {
  if (form === 'words') return `${word}-finance`;
  return form === 'code' ? `acct_${number}${dice.hex(5)}` : `${word}-${dice.between(100, 999)}`;
}
