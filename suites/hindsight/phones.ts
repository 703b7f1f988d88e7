// The phones of every contact that a run made: numbers in E.164 form, with their kinds, in the reply and in lists.
import {
  at,
  dataOf,
  identifierOf,
  itemsOf,
  type JsonObject,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
  wordOf,
} from '../../lib/index.ts';
import { allDialled } from '../contacts/numbers.ts';
import { chosenSketches, type Dialled, numbersIn, phonesOf, sketches } from '../contacts/phone.ts';
import { familiesOf } from './families.ts';
import { wrong } from './judgement.ts';
import { fieldsOf, sentBody } from './sent.ts';

export const phoneDuties = [
  'contacts-list-record',
  'contacts-phone-country',
  'contacts-phone-extension',
  'contacts-phone-international',
  'contacts-phone-national',
  'contacts-phone-several',
  'contacts-phone-type-default',
  'contacts-phone-type-kept',
] as const satisfies readonly JudgedId[];

const create: OperationId = 'POST /contacts';

const byInput = new Map(allDialled.map((one) => [`${one.raw} ${one.country}`, one.e164]));

/** Whether it is known what it must become. */
export const isKnownPhone = (phone: unknown): boolean => byInput.has(`${at(phone, 'raw')} ${at(phone, 'country')}`);

/** Those of which it is known what they must become. */
function dialledIn(body: JsonObject): readonly Dialled[] {
  return phonesOf(body).flatMap(({ raw, country, type, extension }): Dialled[] => {
    const e164 = byInput.get(`${raw} ${country}`);
    if (e164 === undefined) return [];
    return [
      {
        raw: String(raw),
        e164,
        ...(country === undefined ? {} : { country: String(country) }),
        ...(type === undefined ? {} : { type: String(type) }),
        ...(extension === undefined ? {} : { extension: String(extension) }),
      },
    ];
  });
}

const numberDuty = ({ raw, country }: Dialled): JudgedId =>
  raw.startsWith('+')
    ? 'contacts-phone-international'
    : country === undefined
      ? 'contacts-phone-national'
      : 'contacts-phone-country';

function wrongPhone(id: JudgedId, replies: readonly [Reply, ...Reply[]], expected: unknown, actual: unknown): Wrong {
  const [{ operation = create }] = replies;
  const message = `the contact in the reply of ${operation} should show its phones`;
  return wrong(id, operation, message, { expected, actual, replies });
}

/** An extension that another phone of the same contact was given. */
const isOfAnother = (reply: Reply, extension: unknown): boolean =>
  typeof extension === 'string' &&
  phonesOf(sentBody(reply)).some((one) => one.extension === extension) &&
  !phonesOf(sentBody(reply)).some(({ raw }) => String(raw).includes(`ext. ${extension}`));

/** One phone, in the contact that was made with it. */
function ofPhone(reply: Reply, sent: Dialled, several: boolean): readonly Wrong[] {
  const { e164, type, extension } = sent;
  const record = dataOf(reply);
  const shown = at(record, 'phones');
  if (!numbersIn(record).includes(e164))
    return [wrongPhone(several ? 'contacts-phone-several' : numberDuty(sent), [reply], e164, shown)];
  const alike = phonesOf(record).filter((one) => numbersIn(one).includes(e164));
  // One number may have several extensions.
  const phone =
    alike.find((one) => extension !== undefined && one.extension === extension) ??
    alike.find((one) => (one.type ?? 'mobile') === (type ?? 'mobile')) ??
    alike[0];
  if (phone === undefined) return [];
  const found: Wrong[] = [];
  if (type !== undefined && phone.type !== type)
    found.push(wrongPhone('contacts-phone-type-kept', [reply], type, phone.type));
  if (type === undefined && (phone.type ?? 'mobile') !== 'mobile')
    found.push(wrongPhone('contacts-phone-type-default', [reply], 'mobile', phone.type));
  if (extension !== undefined && phone.extension !== extension)
    found.push(wrongPhone('contacts-phone-extension', [reply], extension, phone.extension));
  if (extension === undefined && isOfAnother(reply, phone.extension))
    found.push(wrongPhone('contacts-phone-extension', [reply], 'no extension', phone.extension));
  return found;
}

function ofCreation(reply: Reply): readonly Wrong[] {
  const body = sentBody(reply);
  if (!wasAccepted(reply) || reply.undocumented || reply.mayReplay || body === undefined) return [];
  const dialled = dialledIn(body);
  const lost = phonesOf(dataOf(reply)).length < phonesOf(body).length && phonesOf(body).length > 1;
  return dialled.flatMap((one) => ofPhone(reply, one, lost));
}

/** Every phone of it can be parsed in one way only. */
const isPlain = (birth: Reply): boolean => {
  const body = sentBody(birth) ?? {};
  return dialledIn(body).length === phonesOf(body).length;
};

/** What stands in lists is what the reply to the creation showed. */
function ofLists({ replies }: Story): readonly Wrong[] {
  const families = familiesOf(replies);
  const made = new Map<string, Reply>();
  const place = (reply: Reply, record: unknown) =>
    `${families.rootOf(reply.credential)} ${identifierOf('contact', record)}`;
  return replies.flatMap((reply): Wrong[] => {
    const { operation, undocumented } = reply;
    if (!wasAccepted(reply) || undocumented) return [];
    if (operation === create && !made.has(place(reply, dataOf(reply)))) made.set(place(reply, dataOf(reply)), reply);
    const fields = fieldsOf(reply);
    if (operation !== 'GET /contacts' || (fields && !fields.includes('phones'))) return [];
    return itemsOf(reply).flatMap((record): Wrong[] => {
      const birth = identifierOf('contact', record) === undefined ? undefined : made.get(place(reply, record));
      const mark = at(dataOf(birth ?? reply), 'last_name');
      if (birth === undefined || !isPlain(birth) || typeof mark !== 'string' || (record.last_name ?? mark) !== mark)
        return [];
      const both = [dataOf(birth), record];
      const [expected, actual] = fields === undefined ? both.map(sketches) : chosenSketches(...both);
      return wordOf(expected) === wordOf(actual)
        ? []
        : [wrongPhone('contacts-list-record', [reply, birth], expected, actual)];
    });
  });
}

export const wrongPhones = (story: Story): readonly Wrong[] => [
  ...story.replies.filter(({ operation }) => operation === create).flatMap(ofCreation),
  ...ofLists(story),
];
