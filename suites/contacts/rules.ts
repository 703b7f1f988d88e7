// Rules for contacts, for every caller: Endpoints / Contacts; Resources / Contact.
import {
  at,
  bodyOf,
  borrowedRule,
  callerOf,
  type Defect,
  type DefectOf,
  dataOf,
  either,
  forbiddenRule,
  isContactType,
  isFirm,
  isIdentifier,
  isObject,
  isOutage,
  isShown,
  isValidRecord,
  type JsonObject,
  type JudgedId,
  leftNothingRule,
  listedRule,
  type Reply,
  type Rule,
  recordRule,
  refusalRule,
  refusals,
  refusedAs,
  rules,
  saysJson,
  typeRule,
  wasAccepted,
  wordOf,
} from '../../lib/index.ts';
import { e164Of } from '../shared/phone-numbers.ts';
import { isNumber, phones } from './phone-rules.ts';
import { primary } from './primary-rules.ts';

const phoneTypes: readonly unknown[] = ['mobile', 'office', 'fax', null, undefined];

/** An invalid phone in an otherwise valid contact, also among valid phones. */
function ofPhones(body: JsonObject, isTaken: boolean): Defect<JudgedId> | undefined {
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

const ofContact: DefectOf<JudgedId> = (body, isTaken) => {
  const { contact_type: type, company_id: company, is_primary: _, phones: given = [], ...texts } = body;
  // Another missing or odd member may be refused first.
  const isPlain = Number.isInteger(company) && isValidRecord(texts) && [given].flat().every(e164Of);
  if (type === undefined) return ['contacts-create-missing-type', isPlain ? [422] : either];
  if (company === undefined) return ['contacts-create-missing-company', either];
  if (typeof type !== 'string' || !isIdentifier(company)) return ['contacts-required-wrong-type', either];
  return /contact|sponsor/i.test(type) ? ofPhones(body, isTaken) : ['contacts-type-unknown', either];
};

const create = 'POST /contacts';

/** The characters of a text beyond ASCII. */
const foreignIn = (text: string): string => text.replace(/\p{ASCII}/gu, '');

/** Other scripts are kept. Another requirement judges a text that is missing as a whole. */
const scripts: Rule<'contacts-create-unicode'> = ({ replies }, { expect }) => {
  for (const reply of replies.filter((one) => one.operation === create && isShown(one) && !one.mayReplay))
    for (const [name, text] of Object.entries(bodyOf(reply) ?? {})) {
      const shown = at(dataOf(reply), name);
      if (typeof text !== 'string' || typeof shown !== 'string' || !isFirm(name, text) || foreignIn(text) === '')
        continue;
      const found = { expected: text, actual: shown };
      const holds = foreignIn(shown) === foreignIn(text);
      expect('contacts-create-unicode', reply, holds, `${name} should keep letters of other scripts`, found);
    }
};

/** A body of only the required members is accepted, where its sender created others of this type at this company. */
const sparse: Rule<'contacts-create-required-only'> = ({ replies }, { expect }) => {
  const creations = replies.filter((one) => one.operation === create && !one.undocumented && !one.mayReplay);
  const placeOf = (reply: Reply): string =>
    wordOf([callerOf(reply), bodyOf(reply)?.contact_type, bodyOf(reply)?.company_id]);
  const taken = new Set(creations.filter(wasAccepted).map(placeOf));
  for (const reply of creations) {
    const { contact_type: type, company_id: company, ...more } = bodyOf(reply) ?? {};
    const isSparse = isContactType(type) && Number.isInteger(company) && Object.keys(more).length === 0;
    if (!isSparse || !saysJson(reply) || !taken.has(placeOf(reply))) continue;
    const holds = !refusals.includes(reply.status) && !isOutage(reply);
    const found = { expected: 201, actual: reply.status };
    expect('contacts-create-required-only', reply, holds, 'contact_type and company_id should suffice', found);
  }
};

/** For a refusal due to the phones alone, the requirement on phones. */
function refusedIdOf(refused: Reply): 'contacts-phone-refused-effect' | 'contacts-create-refused-effect' {
  const { contact_type: type, company_id: company, phones: given } = bodyOf(refused) ?? {};
  const isOfPhones =
    given !== undefined && typeof company === 'number' && isContactType(type) && refused.status !== 403;
  return isOfPhones ? 'contacts-phone-refused-effect' : 'contacts-create-refused-effect';
}

export const contactRules = rules(
  [],
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
  refusalRule({ [create]: ofContact }),
  borrowedRule(create, 'contacts-create-fields'),
  forbiddenRule(create, 'contacts-create-forbidden'),
  leftNothingRule(refusedAs(create, refusedIdOf)),
  listedRule('contact', { contains: 'contacts-list-contains', once: 'contacts-create-once' }),
  sparse,
  scripts,
  phones,
  primary(refusedIdOf),
);
