// The phones of a contact: brought to E.164, with their kinds.
import {
  type Context,
  dataOf,
  expectEqual,
  expectSuccess,
  expectThat,
  type JsonObject,
  NotTested,
  type Random,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { type Dialled, expectNumbers, numbersIn, phonesOf, returnedPhone } from '../shared/phone.ts';
import { furtherCountries, mixed, national, ofCountries, withoutTrunk } from '../shared/phone-numbers.ts';
import type { CreatedContact } from './contact.ts';

/** How many of the further countries stand in a contact that must be accepted. */
const countriesMax = 3;

/** Without trunk zero, and some countries of the seed's; and the others. */
export function ofMoreCountries(random: Random): readonly [some: readonly Dialled[], others: readonly Dialled[]] {
  const drawn = random.shuffled(furtherCountries);
  return [[...withoutTrunk, ...drawn.slice(0, countriesMax)], drawn.slice(countriesMax)];
}

/** Those of countries, and behind the first one without, which is of the usual country whatever stands before it. */
export function amongCountries(random: Random): readonly Dialled[] {
  const [first, ...others] = ofCountries;
  return [first, ...random.shuffled(national).slice(0, 1), ...random.shuffled(others)];
}

/** Which members the phones have, and which of them hold the number. */
function membersOf(phones: readonly JsonObject[]): string {
  const names = [...new Set(phones.flatMap((phone) => Object.keys(phone)))].sort();
  const holding = names.filter((name) => phones.every((phone) => numbersIn({ [name]: phone[name] }).length > 0));
  return `${names.join(', ')}; the number is in: ${holding.join(', ') || 'none of them throughout'}`;
}

export const severalIds = [
  'contacts-phone-several',
  'contacts-phone-type-kept',
  'contacts-phone-type-default',
  'contacts-phone-extension',
  'contacts-phone-fields',
] as const;

/** Judges a contact with the mixed phones; resolves to whether each of several phones is kept. */
export async function judgeSeveral(
  { check, observe }: Context<(typeof severalIds)[number], never>,
  { withPhones: reply }: CreatedContact,
): Promise<boolean> {
  const complete = await attempt(
    (async () => {
      expectSuccess(reply);
      expectNumbers(reply, mixed);
    })(),
  );
  await check('contacts-phone-several', () => complete.judged());
  const back = (one: Dialled): JsonObject => {
    const phone = wasAccepted(reply) ? returnedPhone(reply, mixed, one) : undefined;
    if (phone === undefined) throw new NotTested(`the phone ${one.raw} does not come back`);
    return phone;
  };
  await check('contacts-phone-type-kept', () => {
    for (const one of mixed.filter(({ type }) => type !== undefined))
      expectEqual(back(one).type, one.type, `the type of ${one.raw}`, reply);
  });
  await check('contacts-phone-type-default', () => {
    for (const one of mixed.filter(({ type }) => type === undefined))
      expectEqual(back(one).type ?? 'mobile', 'mobile', `the type of ${one.raw}`, reply);
  });
  await check('contacts-phone-extension', () => {
    for (const one of mixed.filter(({ extension }) => extension !== undefined))
      expectEqual(back(one).extension, one.extension, `the extension of ${one.raw}`, reply);
  });
  observe('contacts-phone-fields', membersOf(phonesOf(dataOf(reply))), reply);
  return complete.held;
}

export const inlineExtension: JsonObject = { raw: '(212) 555-0171 ext. 42' };

/** The digits behind `ext.` are none of the number: with them it has more than any in America. */
export function expectNoneAdded({ first }: CreatedContact): void {
  const added = numbersIn(dataOf(first)).find((number) => number === '+1212555017142');
  expectThat(added === undefined, `${inlineExtension.raw} should be refused, or come back as a number in E.164 form`, {
    expected: 'no contact, or +12125550171',
    actual: added,
    replies: first,
  });
}

/** What became of `ext. 42` at the end of a number. */
export function extensionIn({ first }: CreatedContact): string {
  if (!wasAccepted(first)) return answerOf(first);
  const phones = phonesOf(dataOf(first));
  if (phones.some(({ extension }) => extension === '42')) return 'it becomes the extension';
  if (numbersIn(dataOf(first)).includes('+12125550171')) return 'it is dropped';
  return phones.length === 0 ? 'the phone is dropped' : 'the number is kept as it is';
}
