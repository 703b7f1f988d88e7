// The records and where they are kept: in memory, found by identifier, and bounded.

import type { Tier } from './options.ts';
import { refuse } from './refusal.ts';

/** Listed records have identifiers that grow with the time of creation (milliseconds since the epoch). */
export interface Listed {
  readonly id: number;
  readonly createdAt: number;
}
interface Membership {
  readonly account: Account;
  readonly role: 'admin' | 'member';
  readonly active: boolean;
}
export interface User extends Listed {
  readonly name: string;
  readonly email: string;
  readonly scopes: readonly string[];
  readonly mayCreate: boolean;
  readonly mayCreateKeys: boolean;
  readonly memberships: Membership[];
  /** The stored preference, the default of JWT sessions. */
  preferred: Account | undefined;
}
export interface Account extends Listed {
  readonly slug: string;
  readonly name: string;
  readonly tier: Tier;
  readonly credits: number;
  readonly renewsAt: number;
  /** Everything below is in the order of creation. */
  readonly members: User[];
  readonly partners: Account[];
  readonly companies: Company[];
  readonly contacts: Contact[];
  readonly keys: Key[];
  keysMade: number;
}
export interface Key extends Listed {
  /** Of all that its account ever had. */
  readonly number: number;
  readonly label: string;
  readonly secret: string;
  readonly user: User;
  readonly account: Account;
  lastUsedAt: number | undefined;
}
/** Values that a client sent, by the names of the document. */
export type Fields = Record<string, unknown>;
export interface Company extends Listed {
  readonly account: Account;
  readonly notes: Note[];
  fields: Fields;
  updatedAt: number;
}
export interface Note extends Listed {
  readonly company: Company;
  readonly author: User;
  text: string;
  updatedAt: number;
}
export interface Phone {
  readonly raw: string;
  readonly e164: string;
  readonly type: string;
  readonly country: string;
  readonly extension: string | undefined;
}
export interface Contact extends Listed {
  readonly company: Company;
  readonly phones: readonly Phone[] | undefined;
  fields: Fields;
}

/** The maximum number of companies, of contacts and of notes, which bounds the memory of a sandbox. */
export const capacity = 20_000;

export type Kind = 'user' | 'account' | 'key' | 'company' | 'note' | 'contact';

export class Store {
  readonly users = new Map<number, User>();
  readonly keys = new Map<number, Key>();
  readonly keysBySecret = new Map<string, Key>();
  readonly companies = new Map<number, Company>();
  readonly #next = new Map<Kind, number>();
  readonly #held = new Map<Kind, number>();
  readonly #firstIdentifier: number;

  constructor(firstIdentifier: number) {
    this.#firstIdentifier = firstIdentifier;
  }

  /** The next identifier of a kind; refuses with 403 when the sandbox is full of that kind. */
  admit(kind: Kind): number {
    const held = this.#held.get(kind) ?? 0;
    if (held >= capacity) throw refuse(403, `This server holds no more than ${capacity} records of this kind`);
    const id = this.#next.get(kind) ?? this.#firstIdentifier;
    this.#held.set(kind, held + 1);
    this.#next.set(kind, id + 1);
    return id;
  }

  addCompany(company: Company): Company {
    company.account.companies.push(company);
    this.companies.set(company.id, company);
    return company;
  }

  /** The company, if it belongs to the account; other accounts' companies do not exist for it. */
  company(account: Account, id: number | undefined): Company | undefined {
    const company = id === undefined ? undefined : this.companies.get(id);
    return company?.account === account ? company : undefined;
  }

  removeNote(note: Note): void {
    note.company.notes.splice(note.company.notes.indexOf(note), 1);
    this.#released('note');
  }

  addKey(given: Omit<Key, 'number'>): Key {
    const { account } = given;
    account.keysMade += 1;
    const key = { ...given, number: account.keysMade };
    account.keys.push(key);
    this.keys.set(key.id, key);
    this.keysBySecret.set(key.secret, key);
    return key;
  }

  /** Revokes for good: from here on the secret is unknown (States and transitions). */
  removeKey(key: Key): void {
    key.account.keys.splice(key.account.keys.indexOf(key), 1);
    this.keys.delete(key.id);
    this.keysBySecret.delete(key.secret);
    this.#released('key');
  }

  #released(kind: Kind): void {
    this.#held.set(kind, (this.#held.get(kind) ?? 1) - 1);
  }
}
