// The phones of every contact that a run made: numbers in E.164 form, with their types, in the reply and in lists.
import {
  at,
  bodyOf,
  dataOf,
  fieldsOf,
  isShown,
  itemsOf,
  type JsonObject,
  type Judge,
  type Reply,
  type Rule,
  type StoredRecord,
  wordOf,
} from '../../lib/index.ts';
import { chosenSketches, type Dialled, numbersIn, phonesOf, sketches } from '../shared/phone.ts';
import { e164Of } from '../shared/phone-numbers.ts';

export const phoneIds = [
  'contacts-list-record',
  'contacts-phone-country',
  'contacts-phone-extension',
  'contacts-phone-international',
  'contacts-phone-national',
  'contacts-phone-several',
  'contacts-phone-type-default',
  'contacts-phone-type-kept',
] as const;
type Id = (typeof phoneIds)[number];

export const phones: Rule<Id> = (world, judge) => {
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

/** Those of which it is known what they must become. */
const dialledIn = (body: unknown): readonly Dialled[] =>
  phonesOf(body).flatMap(({ raw, country, type, extension }): Dialled[] => {
    const e164 = e164Of({ raw, country });
    const more = Object.entries({ country, type, extension }).filter(([, value]) => value !== undefined);
    const texts = Object.fromEntries(more.map(([name, value]) => [name, String(value)]));
    return e164 === undefined ? [] : [{ raw: String(raw), e164, ...texts }];
  });

const numberId = ({ raw, country }: Dialled): Id => {
  if (raw.startsWith('+')) return 'contacts-phone-international';
  return country === undefined ? 'contacts-phone-national' : 'contacts-phone-country';
};

function judgeCreation(reply: Reply, judge: Judge<Id>): void {
  const sent = phonesOf(bodyOf(reply));
  const isShort = phonesOf(dataOf(reply)).length < sent.length && sent.length > 1;
  for (const one of dialledIn(bodyOf(reply))) judgePhone(reply, one, isShort, judge);
}

const message = 'the contact should show its phones';

/** One phone, in the contact that was made with it. */
function judgePhone(reply: Reply, sent: Dialled, isShort: boolean, { expect }: Judge<Id>): void {
  const { e164, type, extension } = sent;
  const record = dataOf(reply);
  const id = isShort ? 'contacts-phone-several' : numberId(sent);
  const found = { expected: e164, actual: at(record, 'phones') };
  if (!expect(id, reply, numbersIn(record).includes(e164), message, found)) return;
  const alike = phonesOf(record).filter((one) => numbersIn(one).includes(e164));
  // One number may have several extensions.
  const phone =
    alike.find((one) => extension !== undefined && one.extension === extension) ??
    alike.find((one) => (one.type ?? 'mobile') === (type ?? 'mobile')) ??
    alike[0];
  if (phone === undefined) return;
  const typeId = type === undefined ? 'contacts-phone-type-default' : 'contacts-phone-type-kept';
  const shown = type === undefined ? (phone.type ?? 'mobile') : phone.type;
  expect(typeId, reply, shown === (type ?? 'mobile'), message, { expected: type ?? 'mobile', actual: phone.type });
  const holds = extension === undefined ? !isOfAnother(reply, phone.extension) : phone.extension === extension;
  const wanted = { expected: extension ?? 'no extension', actual: phone.extension };
  expect('contacts-phone-extension', reply, holds, message, wanted);
}

/** An extension that another phone of the same contact was given. */
const isOfAnother = (reply: Reply, extension: unknown): boolean =>
  typeof extension === 'string' &&
  phonesOf(bodyOf(reply)).some((one) => one.extension === extension) &&
  !phonesOf(bodyOf(reply)).some(({ raw }) => String(raw).includes(`ext. ${extension}`));

/** What stands in lists is what the reply to the creation showed, where every phone can be parsed in one way only. */
function judgeListed(reply: Reply, record: JsonObject, { created }: StoredRecord, { expect }: Judge<Id>): void {
  const body = bodyOf(created);
  const mark = at(dataOf(created), 'last_name');
  if (created.undocumented || dialledIn(body).length !== phonesOf(body).length) return;
  if (typeof mark !== 'string' || (record.last_name ?? mark) !== mark) return;
  const both = [dataOf(created), record];
  const [expected, actual] = fieldsOf(reply) === undefined ? both.map(sketches) : chosenSketches(...both);
  const found = { expected, actual, because: [created] };
  expect('contacts-list-record', reply, wordOf(expected) === wordOf(actual), message, found);
}
