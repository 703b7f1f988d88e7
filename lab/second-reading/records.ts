// The things the platform keeps: users, accounts, memberships, keys, companies, contacts and notes.
import type { Collection, Listed } from './collection.ts';

export type Row = Record<string, unknown>;

interface Billing {
  plan: string;
  status: string;
  seats: number;
  credits: number;
  renews: number;
  trialEnds: number | null;
}

export interface Account extends Listed {
  number: number;
  shownId: number | string;
  slug: string;
  name: string;
  tier: string;
  created: number;
  billing: Billing;
  maxKeys: number;
  /** Accounts whose deals are shared with this one. */
  sharedFrom: Account[];
  members: Membership[];
  keys: ApiKey[];
  companies: Collection<Company>;
  contacts: Collection<Contact>;
}

export interface User {
  number: number;
  shownId: number | string;
  first: string;
  last: string;
  email: string;
  created: number;
  /** Account preferred for sessions, if one was ever chosen. */
  preferred: Account | null;
  memberships: Membership[];
  scopes: readonly string[];
}

export interface Abilities {
  createCompanies: boolean;
  createContacts: boolean;
  createKeys: boolean;
  writeNotes: boolean;
}

export interface Membership extends Listed {
  user: User;
  account: Account;
  role: string;
  active: boolean;
  scopes: readonly string[];
  abilities: Abilities;
}

export interface ApiKey {
  id: number;
  label: string;
  secret: string;
  membership: Membership;
  created: number;
  used: number | null;
  shownUsed: number | null;
  gone: boolean;
}

export interface Company extends Listed {
  id: number;
  account: Account;
  author: User;
  given: Row;
  created: number;
  updated: number;
  contactCount: number;
  notes: Collection<Note>;
  notesById: Map<number, Note>;
  primary: Contact | null;
  view: Row | undefined;
}

export interface Phone {
  raw: string;
  e164: string;
  national: string;
  type: string;
  country: string | undefined;
  extension: string | undefined;
  id: number;
}

export interface Contact extends Listed {
  id: number;
  account: Account;
  author: User;
  company: Company | null;
  given: Row;
  phones: Phone[] | null;
  isPrimary: boolean | null;
  created: number;
  updated: number;
  view: Row | undefined;
}

export interface Note extends Listed {
  id: number;
  company: Company;
  author: User;
  text: string;
  created: number;
  updated: number;
  view: Row | undefined;
}
