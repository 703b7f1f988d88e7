// Making what is there from before: accounts, users and memberships; companies, contacts, notes and keys.
import type { Choices } from './choices.ts';
import { Collection } from './collection.ts';
import type { Dice } from './dice.ts';
import { makeKey } from './operations/keys.ts';
import type { Abilities, Account, Company, Contact, Membership, Phone, Row, User } from './records.ts';
import { isVisible, makeCompany, makeContact, makeNote } from './store.ts';
import type { World } from './world.ts';

const DAY = 86_400_000;

type Words = readonly [string, ...string[]];
const words = (text: string): Words => text.split(', ') as [string, ...string[]];

const FIRST_NAMES = words('Ada, Bruno, Chloé, Dana, Emil, Farah, Goran, Hana, Ivo, Jürgen');
const LAST_NAMES = words("Abbott, Brandt, Castro, Dubois, O'Neil, Fischer, Gómez, Hale, Ito");
const FIRMS = words('Harbor, Summit, Cedar, Atlas, Beacon, Río Grande, Granite, Juniper, Ångström');
const FIRM_KINDS = words('Capital, Lending, Partners, Bank, Equity & Co., Trust');
const ACCOUNT_WORDS = words('maple, cobalt, falcon, lagoon, quartz, willow, ember, delta, orchid');
const CITIES = words('Boston, Denver, Austin, Tampa, San José');
const STATES = words('MA, CO, TX, FL, CA');
const TITLES = words('Managing Director, Analyst, Vice President, Loan Officer');
const REMARKS: Words = [
  'Called about the term sheet.',
  'Prefers floating rates — follow up in spring.',
  'Introduced by a sponsor.',
  'Closed the 2024 facility.\nGood experience.',
];

const TIERS: Record<Choices['tierNames'], Words> = {
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

const HOUR = 3_600_000;
/** How rare great lists are, in the account that must have a company and in others. */
const OFTEN = 10;
const SELDOM = 70;

/** Moments in the past, each later than the one before. */
export class Past {
  #at: number;
  readonly #end: number;
  readonly #dice: Dice;

  constructor(now: number, dice: Dice) {
    this.#at = now - 300 * DAY;
    this.#end = now - HOUR;
    this.#dice = dice;
  }

  next(): number {
    const left = this.#end - this.#at;
    this.#at += Math.floor(left / (400 + this.#dice.below(400)));
    return this.#at;
  }
}

/** A count that is small, often none, and rarely more than a page of the greatest size. */
function drawCount(dice: Dice, least: number, rarity: number): number {
  if (dice.oneIn(rarity)) return dice.between(201, 240);
  return dice.oneIn(4) ? least : dice.between(Math.max(1, least), 9);
}

export interface Holdings {
  companies: Company[];
  contacts: Contact[];
}

export function addHoldings(world: World, account: Account, dice: Dice, past: Past, least: number): Holdings {
  const author = account.members[0]?.user;
  if (author === undefined) return { companies: [], contacts: [] };
  const rarity = least > 0 ? OFTEN : SELDOM;
  const companies: Company[] = [];
  for (let left = drawCount(dice, least, rarity); left > 0; left -= 1) {
    companies.push(makeCompany(world, account, author, companyGiven(world, dice), past.next()));
  }
  for (const company of companies.slice(0, 3)) addNotes(world, company, author, { dice, past, rarity });
  const contacts: Contact[] = [];
  for (let left = companies.length === 0 ? 0 : drawCount(dice, 0, rarity); left > 0; left -= 1) {
    const company = companies[dice.below(companies.length)];
    if (company !== undefined) contacts.push(addContact(world, company, author, dice, past));
  }
  return { companies, contacts };
}

/** Puts what was made into the lists where it is seen. */
export function shelve(world: World, all: Holdings): void {
  if (world.choices.sharing === 'platform') {
    world.allCompanies.fill(all.companies);
    world.allContacts.fill(all.contacts);
    return;
  }
  for (const account of world.accounts) {
    account.companies.fill(all.companies.filter((company) => isVisible(world, account, company.account)));
    account.contacts.fill(all.contacts.filter((contact) => isVisible(world, account, contact.account)));
  }
}

export function addOldKeys(world: World, membership: Membership, count: number, dice: Dice, past: Past): void {
  for (let turn = 1; turn <= count; turn += 1) makeKey(world, membership, `Old key ${turn}`, past.next(), dice);
}

function companyGiven(world: World, dice: Dice): Row {
  const given: Row = {
    name: `${dice.pick(FIRMS)} ${dice.pick(FIRM_KINDS)}`,
    company_type: dice.oneIn(2) ? 'lender' : 'sponsor',
  };
  if (dice.oneIn(2)) given.website = 'https://example.com/firm';
  if (dice.oneIn(2)) Object.assign(given, { city: dice.pick(CITIES), state: dice.pick(STATES), zip: '02110' });
  if (dice.oneIn(3)) given.org_id = [...world.organizations][dice.below(world.organizations.size)];
  return given;
}

interface Making {
  dice: Dice;
  past: Past;
  rarity: number;
}

function addNotes(world: World, company: Company, author: User, { dice, past, rarity }: Making): void {
  const notes = [];
  for (let left = drawCount(dice, 0, rarity); left > 0; left -= 1) {
    notes.push(makeNote(world, company, author, dice.pick(REMARKS), past.next()));
  }
  company.notes.fill(notes);
}

function addContact(world: World, company: Company, author: User, dice: Dice, past: Past): Contact {
  const type = company.given.company_type === 'lender' ? 'lender_contact' : 'sponsor';
  const given: Row = { contact_type: type, company_id: company.id };
  if (!dice.oneIn(6)) Object.assign(given, { first_name: dice.pick(FIRST_NAMES), last_name: dice.pick(LAST_NAMES) });
  if (dice.oneIn(2)) given.title = dice.pick(TITLES);
  const phones = dice.oneIn(2) ? [oldPhone(world, dice)] : null;
  const input = { given, phones, isPrimary: dice.oneIn(5) ? true : null, company };
  return makeContact(world, company.account, author, input, past.next());
}

function oldPhone(world: World, dice: Dice): Phone {
  const end = String(dice.below(100)).padStart(2, '0');
  const national = `(202) 555-01${end}`;
  const id = world.numbers.phone.next();
  return {
    raw: national,
    e164: `+120255501${end}`,
    national,
    type: 'office',
    country: undefined,
    extension: undefined,
    id,
  };
}
