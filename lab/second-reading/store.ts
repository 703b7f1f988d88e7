// Putting records into the world and taking them out.
import type { Choices } from './choices.ts';
import { Collection, type NumberForm, type Numbering, numbering, rankOf } from './collection.ts';
import type { Account, Company, Contact, Membership, Note, Phone, Row, User } from './records.ts';
import type { World } from './world.ts';

const LAGS: Record<Choices['listLag'], number> = { none: 0, 'one-second': 1000, 'three-seconds': 3000 };

/** The moment from which a record made now is listed. */
export function dueAt(world: World, now: number, list: 'notes' | 'others'): number {
  const { listLag, lagLists } = world.choices;
  return list === 'notes' && lagLists !== 'all' ? now : now + LAGS[listLag];
}

export function makeCompany(world: World, account: Account, author: User, given: Row, created: number): Company {
  const id = numbersIn(world, 'company', account).next();
  world.turn += 1;
  const company: Company = {
    id,
    account,
    author,
    given,
    created,
    updated: created,
    contactCount: 0,
    notes: new Collection(),
    notesById: new Map(),
    primary: null,
    view: undefined,
    rank: rankOf(world.choices.companyOrder, id, world.turn),
    due: created,
    gone: false,
  };
  world.companies.set(placeIn(world, 'company', account, id), company);
  return company;
}

export interface ContactInput {
  given: Row;
  phones: Phone[] | null;
  isPrimary: boolean | null;
  company: Company | null;
}

export function makeContact(world: World, account: Account, author: User, input: ContactInput, now: number): Contact {
  const id = world.numbers.contact.next();
  world.turn += 1;
  const rank = rankOf(world.choices.contactOrder, id, world.turn);
  const { company } = input;
  const contact: Contact = {
    id,
    account,
    author,
    ...input,
    created: now,
    updated: now,
    view: undefined,
    rank,
    due: now,
    gone: false,
  };
  if (company !== null) {
    company.contactCount += 1;
    company.view = undefined;
    settlePrimary(world, company, contact);
  }
  return contact;
}

function settlePrimary(world: World, company: Company, contact: Contact): void {
  if (contact.isPrimary === null && world.choices.primaryDefault === 'first-is') {
    contact.isPrimary = company.primary === null;
  }
  if (contact.isPrimary !== true) return;
  if (company.primary !== null && world.choices.primarySecond === 'demotes') {
    company.primary.isPrimary = false;
    company.primary.view = undefined;
  }
  company.primary = contact;
}

export function makeNote(world: World, company: Company, author: User, text: string, created: number): Note {
  const id = noteNumbers(world, company).next();
  world.turn += 1;
  const rank = rankOf(world.choices.noteOrder, id, world.turn);
  const note: Note = {
    id,
    company,
    author,
    text,
    created,
    updated: created,
    view: undefined,
    rank,
    due: created,
    gone: false,
  };
  company.notesById.set(id, note);
  company.view = undefined;
  return note;
}

export function dropNote(note: Note): void {
  note.gone = true;
  note.company.notes.remove(note);
  note.company.notesById.delete(note.id);
  note.company.view = undefined;
}

/** The lists in which the records of an account stand. */
export function companyCollections(world: World, account: Account): Collection<Company>[] {
  if (world.choices.sharing === 'platform') return [world.allCompanies];
  return audience(world, account).map((other) => other.companies);
}

export function contactCollections(world: World, account: Account): Collection<Contact>[] {
  if (world.choices.sharing === 'platform') return [world.allContacts];
  return audience(world, account).map((other) => other.contacts);
}

export function isVisible(world: World, account: Account, owner: Account): boolean {
  const { sharing } = world.choices;
  return owner === account || sharing === 'platform' || (sharing === 'team' && account.sharedFrom.includes(owner));
}

/** Whether a membership may write to a company that may be another account's. */
export function mayWrite(choices: Choices, membership: Membership | null, owner: Account): boolean {
  return choices.sharedWrite === 'allowed' || membership?.account === owner;
}

function audience(world: World, account: Account): Account[] {
  return world.accounts.filter((other) => isVisible(world, other, account));
}

function noteNumbers(world: World, company: Company): Numbering {
  if (world.choices.noteNumbering === 'global') return world.numbers.note;
  return ownNumbers(world, company, world.choices.noteIds);
}

function ownNumbers(world: World, of: Company | string, form: NumberForm): Numbering {
  const known = world.ownNumbers.get(of);
  if (known !== undefined) return known;
  const own = numbering(form, world.dice);
  world.ownNumbers.set(of, own);
  return own;
}

/** Where accounts see each other's companies, the numbers must be of one row. */
function isPerAccount({ choices }: World, kind: 'company' | 'key'): boolean {
  if (kind === 'key') return choices.keyNumbering === 'per-account';
  return choices.companyNumbering === 'per-account' && choices.sharing === 'own';
}

/** Where the next number of a company or key comes from. */
export function numbersIn(world: World, kind: 'company' | 'key', account: Account): Numbering {
  const form = kind === 'key' ? world.choices.keyIds : world.choices.companyIds;
  return isPerAccount(world, kind) ? ownNumbers(world, `${kind} ${account.number}`, form) : world.numbers[kind];
}

/** Under which a company or key is found by those who act on an account. */
export const placeIn = (world: World, kind: 'company' | 'key', account: Account, id: number): string =>
  isPerAccount(world, kind) ? `${account.number}/${id}` : String(id);
