// The population of a new world, and the credentials by which it is entered.
import type { Choices } from './choices.ts';
import { Dice } from './dice.ts';
import { makeKey } from './operations/keys.ts';
import {
  addAccount,
  addHoldings,
  addOldKeys,
  addUser,
  fewScopes,
  fullScopes,
  type Holdings,
  join,
  Past,
  shelve,
} from './people.ts';
import type { Abilities, Account, Membership, User } from './records.ts';
import type { World } from './world.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const EXPIRED_FOR: Record<Choices['jwtExpiredFor'], number> = { seconds: 3000, hours: 5 * HOUR, days: 4 * DAY };
const HEADROOM: Record<Choices['keyMaximum'], number> = { tight: 12, roomy: 60, wide: 500 };

interface Places {
  primary: Account;
  secondary: Account;
  rate: Account;
  first: Account;
  second: Account;
  foreign: Account;
}

interface People {
  primary: Membership;
  restricted: Membership;
  secondary: Membership;
  rate: Membership;
  sibling: Membership;
  session: User;
  nowhere: User;
}

/** Fills the world and returns the credentials. */
export function populate(world: World, seed: number): Record<string, string> {
  const dice = new Dice(seed, 'population');
  const now = world.now();
  const past = new Past(now, dice);
  for (let turn = 0; turn < 6; turn += 1) world.organizations.add(700 + dice.below(5000));
  const places = makePlaces(world, dice, now);
  const people = makePeople(world, dice, now, places);
  share(places, dice);
  const all: Holdings = { companies: [], contacts: [] };
  for (const account of world.accounts) {
    const made = addHoldings(world, account, dice, past, account === places.primary ? 1 : 0);
    all.companies.push(...made.companies);
    all.contacts.push(...made.contacts);
  }
  shelve(world, all);
  return credentials(world, people, places, dice, past, now);
}

function makePlaces(world: World, dice: Dice, now: number): Places {
  const make = (): Account => addAccount(world, dice, now);
  return { primary: make(), secondary: make(), rate: make(), first: make(), second: make(), foreign: make() };
}

function makePeople(world: World, dice: Dice, now: number, places: Places): People {
  const { choices } = world;
  const full = fullScopes(choices);
  const person = (scopes: readonly string[] = full): User => addUser(world, dice, now, scopes);
  const primary = join(person(), places.primary);
  const restricted = join(person(fewScopes(choices)), places.primary, {
    role: 'viewer',
    abilities: fewAbilities(choices),
  });
  const secondary = join(person(), places.secondary);
  const rate = join(person(), places.rate);
  const sibling = join(person(), places.rate, { role: 'member' });
  const session = person();
  const home = choices.jwtHome === 'own' ? places.first : places.primary;
  join(session, home);
  join(session, places.second, { role: 'member' });
  if (choices.inactiveMembership === 'one') join(session, places.rate, { active: false });
  if (choices.sessionStart === 'stored') session.preferred = home;
  const nowhere = person();
  if (choices.noAccountUser === 'several') for (const account of [places.first, places.second]) join(nowhere, account);
  if (choices.noAccountUser === 'inactive-only') join(nowhere, places.first, { active: false });
  join(person(), places.foreign);
  for (let left = dice.below(5); left > 0; left -= 1) join(person(), places.primary, { role: 'member' });
  return { primary, restricted, secondary, rate, sibling, session, nowhere };
}

function fewAbilities(choices: Choices): Abilities {
  return {
    createCompanies: false,
    createContacts: false,
    createKeys: choices.keyByRestricted === 'allowed',
    writeNotes: choices.noteByRestricted === 'allowed',
  };
}

/** Which accounts share their deals with which. */
function share(places: Places, dice: Dice): void {
  const { primary, secondary, first, second, foreign } = places;
  if (!dice.oneIn(3)) primary.sharedFrom.push(foreign);
  if (dice.oneIn(4)) primary.sharedFrom.push(first);
  if (dice.oneIn(3)) secondary.sharedFrom.push(primary);
  if (dice.oneIn(2)) first.sharedFrom.push(second);
  if (dice.oneIn(3)) second.sharedFrom.push(primary, foreign);
}

function credentials(
  world: World,
  people: People,
  places: Places,
  dice: Dice,
  past: Past,
  now: number,
): Record<string, string> {
  const { choices, tokens } = world;
  addOldKeys(world, people.primary, dice.oneIn(12) ? dice.between(201, 230) : dice.below(4), dice, past);
  addOldKeys(world, people.restricted, dice.below(3), dice, past);
  const key = (membership: Membership, label: string): string =>
    makeKey(world, membership, label, now - HOUR, dice).secret;
  const late = now - EXPIRED_FOR[choices.jwtExpiredFor];
  const env = {
    COVENANT_API_KEY: key(people.primary, 'Primary'),
    COVENANT_API_KEY_RESTRICTED: key(people.restricted, 'Restricted'),
    COVENANT_API_KEY_SECONDARY: key(people.secondary, 'Secondary'),
    COVENANT_JWT: tokens.issue(people.session, dice.uuid(), now, now + 400 * DAY),
    COVENANT_JWT_EXPIRED: tokens.issue(people.session, dice.uuid(), late - HOUR, late),
    COVENANT_JWT_NO_ACCOUNT: tokens.issue(people.nowhere, dice.uuid(), now, now + 400 * DAY),
    COVENANT_FOREIGN_SLUG: dice.pick([places.foreign, places.secondary]).slug,
    COVENANT_RATE_API_KEY: key(people.rate, 'Rate'),
    COVENANT_RATE_API_KEY_SIBLING: key(people.sibling, 'Rate sibling'),
  };
  for (const account of world.accounts) account.maxKeys = account.keys.length + HEADROOM[choices.keyMaximum];
  return env;
}
