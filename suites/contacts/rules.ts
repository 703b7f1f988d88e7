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
  fieldsOf,
  forbiddenRule,
  identifierOf,
  isContactType,
  isFirm,
  isIdentifier,
  isObject,
  isOutage,
  isShown,
  isValidRecord,
  itemsOf,
  type JsonObject,
  type Judge,
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
  type World,
  wasAccepted,
  wordOf,
} from '../../lib/index.ts';
import { e164Of } from '../shared/phone-numbers.ts';
import { isNumber, phones } from './phone-rules.ts';

const phoneTypes: readonly unknown[] = ['mobile', 'office', 'fax', null, undefined];

/** An invalid phone in an otherwise valid contact, also among valid phones. */
function ofPhones(body: JsonObject, isAccepted: boolean): Defect<JudgedId> | undefined {
  const { phones: given, company_id, contact_type, is_primary: _, ...texts } = body;
  if (!Array.isArray(given) || !isContactType(contact_type)) return undefined;
  if (!isAccepted && !(Number.isInteger(company_id) && isValidRecord(texts))) return undefined;
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

const ofContact: DefectOf<JudgedId> = (body, isAccepted) => {
  const { contact_type: type, company_id: company, is_primary: _, phones: given = [], ...texts } = body;
  // Another missing or odd member may be refused first.
  const isPlain = Number.isInteger(company) && isValidRecord(texts) && [given].flat().every(e164Of);
  if (type === undefined) return ['contacts-create-missing-type', isPlain ? [422] : either];
  if (company === undefined) return ['contacts-create-missing-company', either];
  if (typeof type !== 'string' || !isIdentifier(company)) return ['contacts-required-wrong-type', either];
  return /contact|sponsor/i.test(type) ? ofPhones(body, isAccepted) : ['contacts-type-unknown', either];
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
  const accepted = new Set(creations.filter(wasAccepted).map(placeOf));
  for (const reply of creations) {
    const { contact_type: type, company_id: company, ...more } = bodyOf(reply) ?? {};
    const isSparse = isContactType(type) && Number.isInteger(company) && Object.keys(more).length === 0;
    if (!isSparse || !saysJson(reply) || !accepted.has(placeOf(reply))) continue;
    // 409: the company may have such a contact already.
    const holds = !isOutage(reply) && (!refusals.includes(reply.status) || reply.status === 409);
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

const companyOf = (reply: Reply): unknown => bodyOf(reply)?.company_id;
const given = (reply: Reply): unknown => bodyOf(reply)?.is_primary;
/** A refused creation leaves nothing behind. */
const mayExist = (creation: Reply): boolean => wasAccepted(creation) || creation.status >= 500;

const primary: Rule = (world, judge) => {
  const creations = world.replies.filter(({ operation }) => operation === create);
  // A lost creation may have been executed. Nobody else adds contacts to a company of the run.
  const isLost = world.hasLost('POST', /\/contacts$/);
  const own = new Set(world.ofKind('company').map(({ id, created }) => placeOf(id, created, world)));
  const isOwn = (reply: Reply): boolean => !isLost && own.has(placeOf(companyOf(reply), reply, world));
  for (const reply of creations) judgeCreation(reply, creations, isOwn(reply), judge);
  for (const one of listedIn(world)) judgeListed(one, creations, isOwn(one.created), judge);
};

const placeOf = (id: unknown, reply: Reply, { callers }: World): string => `${callers.ownerOf(reply.credential)} ${id}`;

/** True on the first contact of a company, and false on a second, must come back as sent. */
function judgeCreation(reply: Reply, creations: readonly Reply[], isOwn: boolean, { expect }: Judge): void {
  const expected = given(reply);
  if (typeof expected !== 'boolean' || reply.mayReplay || !isShown(reply)) return;
  const others = creations.filter((one) => one !== reply && companyOf(one) === companyOf(reply) && mayExist(one));
  const isSecond = others.some((one) => one.id <= reply.after && wasAccepted(one));
  const isFirst = isOwn && !others.some((one) => one.after < reply.id);
  const actual = at(dataOf(reply), 'is_primary');
  // Otherwise either boolean is allowed.
  const isOpen = typeof (actual ?? false) === 'boolean' && !(expected ? isFirst : isSecond);
  if (!isOpen)
    expect('contacts-create-primary', reply, actual === expected, 'is_primary should come back as it was given', {
      expected,
      actual,
    });
}

/** The creation's reply shows it as not primary. Only a second contact sent as primary may replace the first. */
const isOther = (created: Reply): boolean => at(dataOf(created), 'is_primary') === false;

/** A listed contact and the reply to its creation. */
interface Listed {
  readonly created: Reply;
  readonly record: JsonObject;
  readonly list: Reply;
}

function judgeListed(
  { created, record, list }: Listed,
  creations: readonly Reply[],
  isOwn: boolean,
  { expect, count }: Judge,
): void {
  const actual = record.is_primary;
  const shown = at(dataOf(created), 'is_primary');
  const id = 'contacts-list-record';
  if (actual === true && isOther(created)) {
    const found = { expected: false, actual, because: [created] };
    expect(id, list, false, 'a contact that is not primary should not be so in the list', found);
    return;
  }
  const found = { expected: shown, actual, because: [created] };
  const isAsked = fieldsOf(list)?.includes('is_primary') ?? true;
  const isKept = typeof given(created) === 'boolean' && shown === given(created);
  if (isKept && isAsked && typeof actual !== 'boolean') {
    expect(id, list, false, 'a list should show is_primary as it was given', found);
    return;
  }
  if (actual !== false || shown !== true || !isOwn) {
    count(id, list);
    return;
  }
  // It is no longer primary: another accepted contact may have replaced it, but a refused one must not.
  const before = creations.filter((each) => each.after < list.id && companyOf(each) === companyOf(created));
  const isIt = (each: Reply): boolean => identifierOf('contact', dataOf(each)) === identifierOf('contact', record);
  const isHarmless = (each: Reply): boolean => isIt(each) || (isOther(each) && given(each) !== true);
  if (before.some((each) => mayExist(each) && !isHarmless(each))) return;
  const refused = before.findLast((each) => each.id > created.id && given(each) === true && !mayExist(each));
  const message = 'a primary contact should stay so while no other one is made';
  if (refused)
    expect(refusedIdOf(refused), list, false, message, { ...found, because: [created, refused], operation: create });
  else expect(id, list, false, message, found);
}

/** Listed contacts of the run, matched by identifier and name. */
function listedIn(world: World): readonly Listed[] {
  return world.replies.flatMap((list): readonly Listed[] => {
    if (list.operation !== 'GET /contacts' || !isShown(list)) return [];
    return itemsOf(list).flatMap((record): readonly Listed[] => {
      const stored = world.shown('contact', list, record);
      const mark = at(dataOf(stored?.created ?? list), 'last_name');
      if (stored === undefined || stored.created.mayReplay || stored.owner !== world.callers.ownerOf(list.credential))
        return [];
      return typeof mark === 'string' && record.last_name === mark ? [{ created: stored.created, record, list }] : [];
    });
  });
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
  primary,
);
