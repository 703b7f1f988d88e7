// Rules for phones of the run's contacts: E.164 numbers, types and extensions, in replies and lists.
import {
  at,
  bodyOf,
  dataOf,
  fieldsOf,
  isShown,
  itemsOf,
  type JsonObject,
  type Judge,
  type JudgedId,
  type Reply,
  type Rule,
  type StoredRecord,
  wordOf,
} from '../../lib/index.ts';
import { type Dialled, numbersIn, phoneParts, phonePartsWithFields, phonesOf } from '../shared/phone.ts';
import { e164Of } from '../shared/phone-numbers.ts';

/** One digit is too few and 25 are too many in every country. */
export const isNumber = (raw: string): boolean => {
  const count = raw.replace(/\D/g, '').length;
  return count > 1 && count < 25;
};

export const phones: Rule = (world, judge) => {
  const creations = world.replies.filter(
    ({ operation, undocumented, mayReplay }) => operation === 'POST /contacts' && !undocumented && !mayReplay,
  );
  const accepted = creations.filter(isShown);
  for (const reply of creations) {
    if (![400, 422].includes(reply.status)) continue;
    judgeRefused(reply, accepted, judge);
    // It could have been accepted unchanged.
    if (isOdd(phonesOf(bodyOf(reply)))) judge.count('contacts-phone-odd', reply);
  }
  for (const reply of world.replies) {
    if (!isShown(reply)) continue;
    if (reply.operation === 'POST /contacts' && !reply.mayReplay) judgeCreation(reply, judge);
    if (reply.operation !== 'GET /contacts' || fieldsOf(reply)?.includes('phones') === false) continue;
    for (const record of itemsOf(reply)) {
      const stored = world.shown('contact', reply, record);
      if (stored && world.callers.ownerOf(reply.credential) === stored.owner) judgeListed(reply, record, stored, judge);
    }
  }
};

/** The phones whose E.164 number is known. */
const dialledIn = (body: unknown): readonly Dialled[] =>
  phonesOf(body).flatMap(({ raw, country, type, extension }): Dialled[] => {
    const e164 = e164Of({ raw, country });
    const more = Object.entries({ country, type, extension }).filter(([, value]) => value !== undefined);
    const texts = Object.fromEntries(more.map(([name, value]) => [name, String(value)]));
    return e164 === undefined ? [] : [{ raw: String(raw), e164, ...texts }];
  });

const numberId = ({ raw, country }: Dialled): JudgedId => {
  if (raw.startsWith('+')) return 'contacts-phone-international';
  return country === undefined ? 'contacts-phone-national' : 'contacts-phone-country';
};

function judgeCreation(reply: Reply, judge: Judge): void {
  const [sent, dialled] = [phonesOf(bodyOf(reply)), dialledIn(bodyOf(reply))];
  const [shown, numbers] = [at(dataOf(reply), 'phones'), numbersIn(dataOf(reply))];
  const isArray = (shown ?? null) === null || Array.isArray(shown);
  const lost = dialled.filter(({ e164 }) => !numbers.includes(e164));
  // Of three or more phones only the first is shown, or fewer than were sent.
  const isFirstAlone = dialled.length > 2 && lost.length === dialled.length - 1 && lost[0] !== dialled[0];
  const isOfSeveral = isFirstAlone || (phonesOf(dataOf(reply)).length < sent.length && sent.length > 1);
  for (const one of dialled) judgePhone(reply, one, isOfSeveral, judge);
  if (dialled.length > 1 && (!isOfSeveral || !isArray))
    judge.expect('contacts-phone-several', reply, isArray, 'phones should be an array', {
      expected: [],
      actual: shown,
    });
  judgeOdd(reply, sent, judge);
}

/** Equal members in any order. */
const isAlike = (one: JsonObject = {}, other: JsonObject): boolean =>
  wordOf(Object.entries(one).sort()) === wordOf(Object.entries(other).sort());

/** If the same body without phones was accepted, the valid phones were the reason for the refusal. */
function judgeRefused(reply: Reply, accepted: readonly Reply[], { expect }: Judge): void {
  const { phones: given, ...rest } = bodyOf(reply) ?? {};
  const [first, ...others] = dialledIn(bodyOf(reply));
  if (first === undefined || phonesOf({ phones: given }).length !== others.length + 1) return;
  const bare = accepted.find((one) => isAlike(bodyOf(one), rest) && one.credential === reply.credential);
  if (bare === undefined) return;
  const isOfSeveral = others.length > 0 && !accepted.some((one) => phonesOf(bodyOf(one)).length > 1);
  const found = { expected: 201, actual: reply.status, because: [bare] };
  expect(
    isOfSeveral ? 'contacts-phone-several' : numberId(first),
    reply,
    false,
    'lawful phones should be taken',
    found,
  );
}

const isOdd = ([only, ...others]: readonly JsonObject[]): boolean =>
  typeof only?.raw === 'string' &&
  isNumber(only.raw) &&
  only.country === undefined &&
  e164Of(only) === undefined &&
  others.length === 0;

/** An odd number is refused or becomes E.164; digits after `ext.` are not part of the number. */
function judgeOdd(reply: Reply, sent: readonly JsonObject[], { expect }: Judge): void {
  const numbers = numbersIn(dataOf(reply));
  const found = { expected: 'a refusal, or a number that begins with +', actual: at(dataOf(reply), 'phones') };
  const odd = 'a phone should be refused, or come back as a number in E.164 form';
  if (isOdd(sent)) expect('contacts-phone-odd', reply, numbers.length > 0, odd, found);
  const extended = sent.map(({ raw }) => String(raw)).filter((raw) => raw.includes(' ext. '));
  for (const digits of extended.map((raw) => raw.replace(/\D/g, '')))
    expect('contacts-phone-odd', reply, !numbers.some((one) => one.endsWith(digits)), odd, found);
}

const message = 'the contact should show its phones';

/** Judges one phone in the contact created with it. */
function judgePhone(reply: Reply, sent: Dialled, isOfSeveral: boolean, { expect }: Judge): void {
  const { e164, type, extension } = sent;
  const record = dataOf(reply);
  const id = isOfSeveral ? 'contacts-phone-several' : numberId(sent);
  const found = { expected: e164, actual: at(record, 'phones') };
  if (!expect(id, reply, numbersIn(record).includes(e164), message, found)) return;
  const all = phonesOf(record);
  // The numbers may be in other members than `phones`.
  const isNumbered = all.some((one) => numbersIn(one).length > 0);
  // Two countries may write their numbers alike.
  const isSent = (one: JsonObject): boolean => one.raw === sent.raw && (one.country ?? sent.country) === sent.country;
  const alike = all.filter((one) => (isNumbered ? numbersIn(one).includes(e164) : isSent(one)));
  // One number may have several extensions.
  const phone =
    alike.find((one) => extension !== undefined && one.extension === extension) ??
    alike.find((one) => (one.type ?? 'mobile') === (type ?? 'mobile')) ??
    alike[0];
  // Two phones may share a number, and one of them is missing.
  const withSameNumber = dialledIn(bodyOf(reply)).filter((one) => one.e164 === e164);
  if (phone === undefined || alike.length < withSameNumber.length) return;
  const typeId = type === undefined ? 'contacts-phone-type-default' : 'contacts-phone-type-kept';
  const shown = type === undefined ? (phone.type ?? 'mobile') : phone.type;
  expect(typeId, reply, shown === (type ?? 'mobile'), message, { expected: type ?? 'mobile', actual: phone.type });
  const holds = extension === undefined ? !isOfAnother(reply, phone.extension) : phone.extension === extension;
  const wanted = { expected: extension ?? 'no extension', actual: phone.extension };
  expect('contacts-phone-extension', reply, holds, message, wanted);
}

/** The extension belongs to another phone of the contact. */
const isOfAnother = (reply: Reply, extension: unknown): boolean =>
  typeof extension === 'string' &&
  phonesOf(bodyOf(reply)).some((one) => one.extension === extension) &&
  !phonesOf(bodyOf(reply)).some(({ raw }) => String(raw).includes(`ext. ${extension}`));

/** A list shows the phones as the reply to the creation did, if every phone is unambiguous. */
function judgeListed(reply: Reply, record: JsonObject, { created }: StoredRecord, { expect }: Judge): void {
  const body = bodyOf(created);
  const mark = at(dataOf(created), 'last_name');
  if (created.undocumented || dialledIn(body).length !== phonesOf(body).length) return;
  if (typeof mark !== 'string' || (record.last_name ?? mark) !== mark) return;
  const both = [dataOf(created), record];
  const [expected, actual] = fieldsOf(reply) === undefined ? both.map(phoneParts) : phonePartsWithFields(...both);
  const found = { expected, actual, because: [created] };
  expect('contacts-list-record', reply, wordOf(expected) === wordOf(actual), message, found);
}
