// Phones of contacts: reading, normalizing to E.164, and showing.
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import type { Choices } from './choices.ts';
import type { Phone, Row } from './records.ts';
import { refuse } from './refusal.ts';
import type { Visit } from './visit.ts';

const TYPES: readonly unknown[] = ['mobile', 'office', 'fax'];

export function readPhones(visit: Visit, list: readonly unknown[]): Phone[] {
  return list.map((item) => readPhone(visit, item));
}

function readPhone(visit: Visit, item: unknown): Phone {
  const { choices, world } = visit;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return refuse(choices.contactWrongType, 'invalid_field', 'A phone must be an object.', 'phones');
  }
  const { raw, type, extension, country } = item as Row;
  if (raw === undefined || raw === null) refuse(choices.phoneRawMissing, 'missing_field', 'raw is required.', 'phones');
  if (typeof raw !== 'string')
    return refuse(choices.contactWrongType, 'invalid_field', 'raw must be a string.', 'phones');
  if (type !== undefined && type !== null && !TYPES.includes(type)) {
    refuse(choices.phoneTypeBad, 'invalid_field', 'type must be mobile, office or fax.', 'phones');
  }
  if (extension !== undefined && extension !== null && typeof extension !== 'string') {
    refuse(choices.contactWrongType, 'invalid_field', 'extension must be a string.', 'phones');
  }
  const region = readCountry(choices, country, raw);
  const parsed = normalize(raw, region ?? 'US', choices);
  const inside = choices.phoneExtension === 'extracted' ? parsed.extension : undefined;
  return {
    raw,
    e164: parsed.e164,
    national: parsed.national,
    type: typeof type === 'string' ? type : 'mobile',
    country: typeof country === 'string' ? country : undefined,
    extension: typeof extension === 'string' ? extension : inside,
    id: world.numbers.phone.next(),
  };
}

function readCountry(choices: Choices, country: unknown, raw: string): string | undefined {
  if (country === undefined || country === null) return undefined;
  if (typeof country !== 'string') {
    return refuse(choices.contactWrongType, 'invalid_field', 'country must be a string.', 'phones');
  }
  const region = choices.phoneCountryCase === 'any-case' ? country.toUpperCase() : country;
  if (isSupportedCountry(region)) return region;
  if (choices.phoneCountryCheck === 'when-needed' && raw.trim().startsWith('+')) return undefined;
  return refuse(choices.phoneCountryBad, 'invalid_field', 'country must be a 2-letter ISO region.', 'phones');
}

interface Normalized {
  e164: string;
  national: string;
  extension: string | undefined;
}

function normalize(raw: string, region: string, choices: Choices): Normalized {
  const defaultCountry = isSupportedCountry(region) ? region : 'US';
  const parsed = parsePhoneNumberFromString(raw, { defaultCountry, extract: false });
  const good = choices.phoneStrictness === 'valid' ? parsed?.isValid() : parsed?.isPossible();
  if (parsed === undefined || good !== true) {
    return refuse(422, 'invalid_phone', 'The phone number cannot be parsed.', 'phones');
  }
  return { e164: parsed.number, national: parsed.formatNational(), extension: parsed.ext };
}

/** The members of a contact that show its phones. */
export function showPhones(phones: Phone[] | null, choices: Choices): Row {
  if (phones === null) {
    if (choices.phonesNone === 'absent') return {};
    return { phones: choices.phonesNone === 'null' ? null : [] };
  }
  const shown = phones.map((phone, index) => showPhone(phone, index, choices));
  if (choices.phoneShape !== 'listed-apart') return { phones: shown };
  return { phones: shown, phone_numbers: phones.map((phone) => phone.e164) };
}

function showPhone(phone: Phone, index: number, choices: Choices): Row {
  const row: Row = { ...numberPart(phone, choices), type: phone.type };
  if (phone.country !== undefined) row.country = phone.country;
  else if (choices.phoneCountryDefault === 'shown') row.country = 'US';
  if (phone.extension !== undefined) row.extension = phone.extension;
  else if (choices.contactAbsent === 'null') row.extension = null;
  if (choices.phoneExtra === 'id') row.id = phone.id;
  if (choices.phoneExtra === 'national') row.national = phone.national;
  if (choices.phoneExtra === 'position') row.position = index;
  return row;
}

function numberPart(phone: Phone, choices: Choices): Row {
  const { raw, e164, national } = phone;
  const shapes: Record<Choices['phoneShape'], Row> = {
    e164: { raw, e164 },
    normalized: { raw, normalized: e164 },
    number: { raw, number: e164 },
    'raw-replaced': { raw: e164 },
    'number-only': { number: e164 },
    nested: { raw, formats: { e164, national } },
    'listed-apart': { raw },
  };
  return shapes[choices.phoneShape];
}
