// Everything a running server holds: its choices, its clock, its records and its memories.
import type { Choices } from './choices.ts';
import type { Collection, Numbering } from './collection.ts';
import type { CursorRegister } from './cursors.ts';
import type { Dice } from './dice.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { Meter } from './rate.ts';
import type { Account, ApiKey, Company, Contact, User } from './records.ts';
import type { TokenRegister } from './tokens.ts';

export interface Limits {
  read: number;
  write: number;
  validate: number;
}

export interface World {
  choices: Choices;
  now: () => number;
  limits: Limits;
  minute: number;
  dice: Dice;
  turn: number;
  accounts: Account[];
  users: User[];
  usersByNumber: Map<number, User>;
  usersByEmail: Map<string, User>;
  keysBySecret: Map<string, ApiKey>;
  /** By their places: see store.ts. */
  keysById: Map<string, ApiKey>;
  companies: Map<string, Company>;
  allCompanies: Collection<Company>;
  allContacts: Collection<Contact>;
  organizations: Set<number>;
  /** What a session prefers, when preferences are kept per session. */
  sessions: Map<string, Account>;
  numbers: { company: Numbering; contact: Numbering; note: Numbering; key: Numbering; phone: Numbering };
  /** Of the notes of a company, and of the companies and keys of an account, where they have numbers of their own. */
  ownNumbers: Map<Company | string, Numbering>;
  meters: Map<string, Meter>;
  cursors: CursorRegister;
  idempotency: IdempotencyStore;
  tokens: TokenRegister;
}
