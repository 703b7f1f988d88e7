// Records as they are sent: the document's names, and the choices in how the rest is written.
import type { Choices } from './choices.ts';
import type { Account, Company, Contact, Key, Note, Phone, User } from './store.ts';
import { companyNames, contactNames } from './validation.ts';

export type WireRecord = Record<string, unknown>;

const rememberedTimes = 4_000;
const twoHours = 2 * 3_600_000;

/** A date-time (ISO 8601) in the form of the choices. */
function dateTime(form: Choices['timestamps'], ms: number): string {
  if (form === 'millis') return new Date(ms).toISOString();
  if (form === 'seconds') return `${new Date(ms).toISOString().slice(0, 19)}Z`;
  if (form === 'naive') return new Date(ms).toISOString().slice(0, 23);
  return `${new Date(ms + twoHours).toISOString().slice(0, 23)}+02:00`;
}

export class Wire {
  readonly #choices: Choices;
  readonly #times = new Map<number, string>();

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  /** A date-time; cached, because every list formats the times of its records again. */
  time(ms: number): string {
    const known = this.#times.get(ms);
    if (known !== undefined) return known;
    if (this.#times.size >= rememberedTimes) this.#times.clear();
    const text = dateTime(this.#choices.timestamps, ms);
    this.#times.set(ms, text);
    return text;
  }

  company(company: Company): WireRecord {
    const record: WireRecord = { [this.#choices.companyIdentifier]: company.id };
    for (const name of companyNames) this.#put(record, name, company.fields[name]);
    record.created_at = this.time(company.createdAt);
    record.updated_at = this.time(company.updatedAt);
    return this.#extended(record);
  }

  contact(contact: Contact): WireRecord {
    const { id, company, phones, fields } = contact;
    const { contactIdentifier, contactIdentifierType } = this.#choices;
    const record: WireRecord = { [contactIdentifier]: contactIdentifierType === 'text' ? `contact-${id}` : id };
    record.company_id = company.id;
    for (const name of contactNames) this.#put(record, name, fields[name]);
    this.#put(record, 'is_primary', fields.is_primary, false);
    this.#put(
      record,
      'phones',
      phones?.map((phone) => this.#phone(phone)),
      [],
    );
    record.created_at = this.time(contact.createdAt);
    return this.#extended(record);
  }

  note(note: Note): WireRecord {
    return this.#extended({
      [this.#choices.noteIdentifier]: note.id,
      company_id: note.company.id,
      text: note.text,
      author_id: note.author.id,
      created_at: this.time(note.createdAt),
      updated_at: this.time(note.updatedAt),
    });
  }

  /** An API key without its secret (API key). */
  key(key: Key): WireRecord {
    const id = this.#choices.keysNumbered === 'together' ? key.id : key.number;
    const record: WireRecord = { id, label: key.label, key_prefix: key.secret.slice(0, 12) };
    record.created_at = this.time(key.createdAt);
    this.#put(record, 'last_used_at', key.lastUsedAt === undefined ? undefined : this.time(key.lastUsedAt));
    return this.#extended(record);
  }

  account(account: Account): WireRecord {
    return this.#extended({ id: account.id, slug: account.slug, name: account.name, tier: account.tier });
  }

  user(user: User): WireRecord {
    return { id: user.id, name: user.name, email: user.email };
  }

  member(account: Account, user: User): WireRecord {
    const role = user.memberships.find((membership) => membership.account === account)?.role;
    return this.#extended({ ...this.user(user), role, joined_at: this.time(user.createdAt) });
  }

  #phone({ raw, e164, type, country, extension }: Phone): WireRecord {
    const full = this.#choices.phoneRecord === 'full';
    const record: WireRecord = full ? { raw, e164, type, country } : { number: e164, type };
    this.#put(record, 'extension', extension);
    return record;
  }

  #put(record: WireRecord, name: string, value: unknown, empty: unknown = null): void {
    if (value !== undefined && value !== null) record[name] = value;
    else if (this.#choices.absent !== 'omitted') record[name] = this.#choices.absent === 'defaults' ? empty : null;
  }

  #extended(record: WireRecord): WireRecord {
    return this.#choices.extraFields ? { ...record, etag: 'W/"1"', links: { docs: '/docs' } } : record;
  }
}
