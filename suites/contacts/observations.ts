// Observations about contacts where the document is silent.
import {
  at,
  type Context,
  dataOf,
  isObject,
  type JsonObject,
  members,
  type ObservedId,
  type Reply,
  wasAccepted,
} from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import { furtherFields } from '../shared/fields.ts';
import { numbersIn, phonesOf } from '../shared/phone.ts';
import { carries } from '../shared/search.ts';

export const observedIds = [
  'contacts-create-unknown-company',
  'contacts-email-invalid',
  'contacts-phone-country-odd',
  'contacts-phone-fields',
  'contacts-phone-inline-extension',
  'contacts-primary-second',
  'contacts-record-fields',
  'contacts-type-mismatch',
] as const satisfies readonly ObservedId[];

interface Answers {
  /** The reply for an unknown company. */
  readonly unknown: Reply | undefined;
  readonly countries: { readonly lower: Reply; readonly none: Reply } | undefined;
  /** The replies for a first primary contact with all members, and for a second primary one. */
  readonly full: Reply;
  readonly second: Reply;
  /** The replies for an invalid email, a lender contact at a sponsor, and an extension within a number. */
  readonly email: Reply;
  readonly misplaced: Reply;
  readonly extended: Reply;
  readonly listed: readonly JsonObject[];
}

export function observeContacts({ observe }: Context<(typeof observedIds)[number], never>, answers: Answers): void {
  const { unknown, countries, full, second, email, misplaced, extended, listed } = answers;
  if (unknown) observe('contacts-create-unknown-company', answerOf(unknown), unknown);
  if (countries) {
    const { lower, none } = countries;
    const both = `lower case: ${answerOf(lower)}; a country that does not exist: ${answerOf(none)}`;
    observe('contacts-phone-country-odd', both, lower, none);
  }
  observe('contacts-email-invalid', answerOf(email), email);
  observe('contacts-type-mismatch', answerOf(misplaced), misplaced);
  const record = dataOf(full);
  const inputs = [...members.contact, 'is_primary', 'phones'];
  const fields = isObject(record) ? furtherFields(record, inputs, 'contact') : 'data is not a record';
  observe('contacts-record-fields', fields, full);
  observe('contacts-phone-fields', membersOf(phonesOf(record)), full);
  observe('contacts-phone-inline-extension', extensionIn(extended), extended);
  observe('contacts-primary-second', secondPrimary(second, full, listed), second);
}

/** The members of the phones, and which of them hold the number. */
function membersOf(phones: readonly JsonObject[]): string {
  const names = [...new Set(phones.flatMap((phone) => Object.keys(phone)))].sort();
  const holding = names.filter((name) => phones.every((phone) => numbersIn({ [name]: phone[name] }).length > 0));
  return `${names.join(', ')}; the number is in: ${holding.join(', ') || 'none of them throughout'}`;
}

/** What the reply made of `ext. 42` at the end of a number. */
function extensionIn(reply: Reply): string {
  if (!wasAccepted(reply)) return answerOf(reply);
  const phones = phonesOf(dataOf(reply));
  if (phones.some(({ extension }) => extension === '42')) return 'it becomes the extension';
  if (numbersIn(dataOf(reply)).includes('+12125550171')) return 'it is dropped';
  return phones.length === 0 ? 'the phone is dropped' : 'the number is kept as it is';
}

/** Whether the first contact stays primary beside a second primary one. */
function secondPrimary(second: Reply, full: Reply, listed: readonly JsonObject[]): string {
  if (!wasAccepted(second)) return answerOf(second);
  const first = listed.find((record) => carries(record, String(at(dataOf(full), 'last_name'))));
  if (first === undefined) return 'accepted; the first was not found again';
  return at(first, 'is_primary') === true ? 'both are primary' : 'the first is no longer primary';
}
