// What must hold of contacts, whoever asks: Endpoints / Contacts; Resources / Contact.
import {
  bodyOf,
  borrowedRule,
  type Defect,
  type DefectOf,
  either,
  forbiddenRule,
  isContactType,
  isIdentifier,
  isObject,
  isValidRecord,
  type JsonObject,
  listedRule,
  type Reply,
  recordRule,
  refusalRule,
  refusedRule,
  rules,
  together,
  typeRule,
  wordOf,
} from '../../lib/index.ts';
import { phoneIds, phones } from './phone-rules.ts';
import { primary, primaryIds } from './primary-rules.ts';

const defectIds = [
  'contacts-create-missing-type',
  'contacts-create-missing-company',
  'contacts-type-unknown',
  'contacts-required-wrong-type',
  'contacts-phone-raw-missing',
  'contacts-phone-type-unknown',
  'contacts-phone-unparseable',
  'contacts-phone-any-unparseable',
] as const;
type DefectId = (typeof defectIds)[number];

/** One digit is too few, and so many are too many in every country. */
const isNumber = (raw: string): boolean => {
  const count = raw.replace(/\D/g, '').length;
  return count > 1 && count < 25;
};
const phoneTypes: readonly unknown[] = ['mobile', 'office', 'fax', null, undefined];

/** A phone that is one in no reading; beside others that are, and in a contact with nothing odd. */
function ofPhones(body: JsonObject, isTaken: boolean): Defect<DefectId> | undefined {
  const { phones: given, company_id, contact_type, is_primary: _, ...texts } = body;
  if (!Array.isArray(given) || !isContactType(contact_type)) return undefined;
  if (!isTaken && !(Number.isInteger(company_id) && isValidRecord(texts))) return undefined;
  const all = given.filter(isObject);
  if (all.some(({ raw }) => raw === undefined || raw === null)) return ['contacts-phone-raw-missing', either];
  const raws = all.flatMap(({ raw }) => (typeof raw === 'string' && raw !== '' ? [raw] : []));
  if (raws.length < given.length) return undefined;
  const bad = raws.filter((raw) => !isNumber(raw));
  if (!all.every(({ type }) => phoneTypes.includes(type)))
    return bad.length === 0 ? ['contacts-phone-type-unknown', either] : undefined;
  if (bad.length === 0) return undefined;
  return [bad.length === raws.length ? 'contacts-phone-unparseable' : 'contacts-phone-any-unparseable', [422]];
}

const ofContact: DefectOf<DefectId> = (body, isTaken) => {
  const { contact_type: type, company_id: company, is_primary: _, phones: given = [], ...texts } = body;
  // What else is missing or odd may be refused first.
  const isPlain = Number.isInteger(company) && isValidRecord(texts) && wordOf(given) === '[]';
  if (type === undefined) return ['contacts-create-missing-type', isPlain ? [422] : either];
  if (company === undefined) return ['contacts-create-missing-company', either];
  if (typeof type !== 'string' || !isIdentifier(company)) return ['contacts-required-wrong-type', either];
  return /contact|sponsor/i.test(type) ? ofPhones(body, isTaken) : ['contacts-type-unknown', either];
};

/** Phones that are all that is left to be wrong. */
function refusedIdOf(refused: Reply): 'contacts-phone-refused-effect' | 'contacts-create-refused-effect' {
  const { contact_type: type, company_id: company, phones: given } = bodyOf(refused) ?? {};
  const isOfPhones =
    given !== undefined && typeof company === 'number' && isContactType(type) && refused.status !== 403;
  return isOfPhones ? 'contacts-phone-refused-effect' : 'contacts-create-refused-effect';
}

export const contactRules = together(
  rules(
    [
      ...defectIds,
      'contacts-create-company',
      'contacts-create-fields',
      'contacts-create-forbidden',
      'contacts-create-once',
      'contacts-create-refused-effect',
      'contacts-create-type',
      'contacts-list-contains',
      'contacts-list-record',
      'contacts-phone-refused-effect',
    ],
    recordRule({
      kind: 'contact',
      created: {
        contact_type: 'contacts-create-type',
        company_id: 'contacts-create-company',
        others: 'contacts-create-fields',
      },
      shown: { 'GET /contacts': 'contacts-list-record' },
    }),
    typeRule('contact', { 'GET /contacts': 'contacts-list-record' }),
    refusalRule({ 'POST /contacts': ofContact }),
    borrowedRule('POST /contacts', 'contacts-create-fields'),
    forbiddenRule('POST /contacts', 'contacts-create-forbidden'),
    refusedRule('POST /contacts', refusedIdOf),
    listedRule('contact', { contains: 'contacts-list-contains', once: 'contacts-create-once' }),
  ),
  rules(phoneIds, phones),
  rules(primaryIds, primary(refusedIdOf)),
);
