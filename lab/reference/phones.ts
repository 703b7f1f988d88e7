// Phone numbers in any common format, brought to E.164 (Contact, Phone object).
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { refuse } from './refusal.ts';
import type { Phone } from './store.ts';
import { checked, isObject, phoneRules } from './validation.ts';

/** The phone of one input object; refuses with 422 what cannot be parsed. */
function phone(input: unknown, refusal: number): Phone {
  if (!isObject(input)) throw refuse(refusal, 'each phone must be an object');
  const fields = checked(input, phoneRules, { required: ['raw'], refusal });
  const country = String(fields.country ?? 'US');
  if (!isSupportedCountry(country)) throw refuse(refusal, 'country must be a 2-letter ISO region');
  const raw = String(fields.raw);
  const number = parsePhoneNumberFromString(raw, { defaultCountry: country, extract: false });
  if (number === undefined || !number.isPossible()) throw refuse(422, `phone number "${raw}" cannot be parsed`);
  const extension = typeof fields.extension === 'string' ? fields.extension : number.ext;
  return { raw, e164: number.number, type: String(fields.type ?? 'mobile'), country, extension };
}

/** All phones of a contact; refuses them all if one is refused. */
export function phones(input: unknown, refusal: number): Phone[] | undefined {
  return Array.isArray(input) ? input.map((one) => phone(one, refusal)) : undefined;
}
