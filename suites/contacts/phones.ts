// The phones of a contact: brought to E.164, with their kinds. Numbers from ranges kept for drama, or of public switchboards.
import {
  conforms,
  dataOf,
  expectEqual,
  expectSuccess,
  type JsonObject,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { attempt } from '../shared/attempt.ts';
import { type Dialled, expectNumbers, numbersIn, phonesOf, returnedPhone } from './phone.ts';

const mixed: readonly Dialled[] = [
  { raw: '+1 (212) 555-0161', e164: '+12125550161', type: 'office', extension: '042' },
  { raw: '+44 20 7946 0961', e164: '+442079460961', type: 'fax' },
  { raw: '+49 30 23125-061', e164: '+493023125061', type: 'mobile', extension: '7' },
  { raw: '+33 1 44 55 66 61', e164: '+33144556661' },
];

const national: readonly Dialled[] = [
  { raw: '(212) 555-0142', e164: '+12125550142' },
  { raw: '2125550141', e164: '+12125550141' },
  { raw: '212.555.0143', e164: '+12125550143' },
  { raw: '1-212-555-0144', e164: '+12125550144' },
  { raw: '212 555 0145', e164: '+12125550145' },
];

const international: readonly Dialled[] = [
  { raw: '+44 20 7946 0958', country: 'US', e164: '+442079460958' },
  { raw: '+1 (212) 555-0146', country: 'GB', e164: '+12125550146' },
  { raw: '+49-30-23125-014', e164: '+493023125014' },
  { raw: '+39 06 6988 1234', country: 'DE', e164: '+390669881234' },
  { raw: '+81.3.5321.1111', country: 'IT', e164: '+81353211111' },
];

/** Trunk zeros go, but for Italy's, which is part of the number. */
const ofCountries: readonly (readonly Dialled[])[] = [
  [
    { raw: '020 7946 0959', country: 'GB', e164: '+442079460959' },
    { raw: '(030) 23125-015', country: 'DE', e164: '+493023125015' },
    { raw: '06 6988 1235', country: 'IT', e164: '+390669881235' },
    { raw: '01 44 55 66 62', country: 'FR', e164: '+33144556662' },
    { raw: '(416) 555-0147', country: 'CA', e164: '+14165550147' },
  ],
  [
    { raw: '20 7946 0960', country: 'GB', e164: '+442079460960' },
    { raw: '30 23125016', country: 'DE', e164: '+493023125016' },
    { raw: '912 345 678', country: 'ES', e164: '+34912345678' },
    { raw: '03-5321-1111', country: 'JP', e164: '+81353211111' },
    { raw: '(02) 5550 1234', country: 'AU', e164: '+61255501234' },
  ],
];

/** As it goes over the wire. */
const input = ({ e164: _, ...phone }: Dialled) => phone;

/** Which members the phones have, and which of them hold the number. */
function membersOf(phones: readonly JsonObject[]): string {
  const names = [...new Set(phones.flatMap((phone) => Object.keys(phone)))].sort();
  const holding = names.filter((name) => phones.every((phone) => numbersIn({ [name]: phone[name] }).length > 0));
  return `${names.join(', ')}; the number is in: ${holding.join(', ') || 'none of them throughout'}`;
}

export const phones = conforms(
  [
    'contacts-phone-several',
    'contacts-phone-type-kept',
    'contacts-phone-type-default',
    'contacts-phone-extension',
    'contacts-phone-national',
    'contacts-phone-international',
    'contacts-phone-country',
    'contacts-phone-fields',
  ],
  { needs: ['spare', 'spareCompany'], writes: true },
  async ({ api, spare, spareCompany, random, make, effort, check, observe }) => {
    const create = async (dialled: readonly Dialled[]): Promise<Reply> => {
      const contact = { contact_type: 'lender_contact', company_id: spareCompany.id, last_name: make.name('contact') };
      const body = { ...contact, phones: dialled.map(input) };
      const reply = await api.as(spare).send('POST /contacts', { body, key: random.uuid() });
      expectSuccess(reply);
      return reply;
    };

    const several = await attempt(create(mixed));
    const complete = await attempt((async () => expectNumbers(several.judged(), mixed))());
    await check('contacts-phone-several', () => complete.judged());
    const back = (one: Dialled): JsonObject => {
      const phone = returnedPhone(several.value(), mixed, one);
      if (phone === undefined) throw new NotTested(`the phone ${one.raw} does not come back`);
      return phone;
    };
    await check('contacts-phone-type-kept', () => {
      for (const one of mixed.filter(({ type }) => type !== undefined))
        expectEqual(back(one).type, one.type, `the type of ${one.raw}`, several.value());
    });
    await check('contacts-phone-type-default', () => {
      for (const one of mixed.filter(({ type }) => type === undefined))
        expectEqual(back(one).type ?? 'mobile', 'mobile', `the type of ${one.raw}`, several.value());
    });
    await check('contacts-phone-extension', () => {
      for (const one of mixed.filter(({ extension }) => extension !== undefined))
        expectEqual(back(one).extension, one.extension, `the extension of ${one.raw}`, several.value());
    });
    observe('contacts-phone-fields', membersOf(phonesOf(dataOf(several.value()))), several.value());

    // Where several phones are not kept, one a contact must do.
    const folded = (dialled: readonly Dialled[]) => dialled.slice(0, complete.held ? undefined : 1);
    const judge = async (dialled: readonly Dialled[]) => expectNumbers(await create(folded(dialled)), folded(dialled));
    await check('contacts-phone-national', () => judge(national));
    await check('contacts-phone-international', () => judge(international));
    for (const dialled of effort === 'quick' ? ofCountries.slice(0, 1) : ofCountries)
      await check('contacts-phone-country', () => judge(dialled));
  },
);
