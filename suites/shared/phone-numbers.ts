// Phones with their E.164 numbers: reserved for fiction, examples of numbering plans, or public switchboards.
import { at } from '../../lib/index.ts';
import type { Dialled } from './phone.ts';

/** The forms from `trunkInBrackets` to `separators` a server may not accept: a contact with them is then sent again without. */
export const numbers = {
  mixed: [
    { raw: '+1 (212) 555-0161', e164: '+12125550161', type: 'office', extension: '042' },
    { raw: '+44 20 7946 0961', e164: '+442079460961', type: 'fax' },
    { raw: '+49 30 23125-061', e164: '+493023125061', type: 'mobile', extension: '7' },
    { raw: '+33 1 44 55 66 61', e164: '+33144556661' },
  ],
  national: [
    { raw: '(212) 555-0142', e164: '+12125550142' },
    { raw: '2125550141', e164: '+12125550141' },
    { raw: '212.555.0143', e164: '+12125550143' },
    { raw: '1-212-555-0144', e164: '+12125550144' },
    { raw: '212 555 0145', e164: '+12125550145' },
  ],
  international: [
    { raw: '+44 20 7946 0958', country: 'US', e164: '+442079460958' },
    { raw: '+1 (212) 555-0146', country: 'GB', e164: '+12125550146' },
    { raw: '+47 22 31 60 00', e164: '+4722316000' },
    { raw: '+39 06 6988 1234', country: 'DE', e164: '+390669881234' },
    { raw: '+81.3.5321.1111', country: 'IT', e164: '+81353211111' },
  ],
  /** A trunk zero is dropped; Italy's zero is part of the number. */
  ofCountries: [
    { raw: '020 7946 0959', country: 'GB', e164: '+442079460959' },
    { raw: '(030) 23125-015', country: 'DE', e164: '+493023125015' },
    { raw: '06 6988 1235', country: 'IT', e164: '+390669881235' },
    { raw: '01 234 5678', country: 'IE', e164: '+35312345678' },
    { raw: '(416) 555-0147', country: 'CA', e164: '+14165550147' },
  ],
  withoutTrunk: [
    { raw: '20 7946 0960', country: 'GB', e164: '+442079460960' },
    { raw: '30 23125016', country: 'DE', e164: '+493023125016' },
  ],
  furtherCountries: [
    { raw: '912 345 678', country: 'ES', e164: '+34912345678' },
    { raw: '03-5321-1111', country: 'JP', e164: '+81353211111' },
    { raw: '(02) 5550 1234', country: 'AU', e164: '+61255501234' },
    { raw: '020 794 5555', country: 'NL', e164: '+31207945555' },
    { raw: '044 668 18 00', country: 'CH', e164: '+41446681800' },
    { raw: '01 44 55 66 62', country: 'FR', e164: '+33144556662' },
    { raw: '(11) 3333-4444', country: 'BR', e164: '+551133334444' },
    { raw: '022 2345 6789', country: 'IN', e164: '+912223456789' },
    { raw: '6123 4567', country: 'SG', e164: '+6561234567' },
    { raw: '22 123 45 67', country: 'PL', e164: '+48221234567' },
    { raw: '32 12 34 56', country: 'DK', e164: '+4532123456' },
  ],
  /** With the trunk zero in brackets behind the country code, or without separators. */
  trunkInBrackets: [
    { raw: '+44 (0)20 7946 0962', e164: '+442079460962' },
    { raw: '+49 (0)30 23125-062', e164: '+493023125062' },
    { raw: '+33 (0)1 44 55 66 63', e164: '+33144556663' },
    { raw: '+41 (0)44 668 18 01', country: 'CH', e164: '+41446681801' },
    { raw: '+31 (0)20 794 5556', country: 'GB', e164: '+31207945556' },
    { raw: '+61 (0)2 5550 1235', country: 'AU', e164: '+61255501235' },
    { raw: '+353 (0)1 234 5679', e164: '+35312345679' },
    { raw: '+44(0)7400123457', e164: '+447400123457' },
    { raw: '+442079460965', e164: '+442079460965' },
    { raw: '+1 (212) 555-0165', e164: '+12125550165' },
    { raw: '+1.212.555.0158', e164: '+12125550158' },
  ],
  mobiles: [
    { raw: '07400 123456', country: 'GB', e164: '+447400123456' },
    { raw: '0151 23456789', country: 'DE', e164: '+4915123456789' },
    { raw: '06 12 34 56 78', country: 'FR', e164: '+33612345678' },
    { raw: '312 345 6789', country: 'IT', e164: '+393123456789' },
    { raw: '612 34 56 78', country: 'ES', e164: '+34612345678' },
    { raw: '085 012 3456', country: 'IE', e164: '+353850123456' },
    { raw: '06-12345678', country: 'NL', e164: '+31612345678' },
    { raw: '078 123 45 67', country: 'CH', e164: '+41781234567' },
    { raw: '0412 345 678', country: 'AU', e164: '+61412345678' },
    { raw: '090-1234-5678', country: 'JP', e164: '+819012345678' },
    { raw: '081234 56789', country: 'IN', e164: '+918123456789' },
    { raw: '(11) 96123-4567', country: 'BR', e164: '+5511961234567' },
    { raw: '8123 4567', country: 'SG', e164: '+6581234567' },
    { raw: '512 345 678', country: 'PL', e164: '+48512345678' },
    { raw: '070-123 45 67', country: 'SE', e164: '+46701234567' },
    { raw: '0470 12 34 56', country: 'BE', e164: '+32470123456' },
    { raw: '0664 123456', country: 'AT', e164: '+43664123456' },
    { raw: '912 345 678', country: 'PT', e164: '+351912345678' },
    { raw: '406 12 345', country: 'NO', e164: '+4740612345' },
    { raw: '021 123 4567', country: 'NZ', e164: '+64211234567' },
  ],
  /** Other lengths, other separators, and international prefixes. */
  otherForms: [
    { raw: '040 123456', country: 'DE', e164: '+4940123456' },
    { raw: '09721 12345', country: 'DE', e164: '+49972112345' },
    { raw: '030/1234567', country: 'DE', e164: '+49301234567' },
    { raw: '016977 2345', country: 'GB', e164: '+44169772345' },
    { raw: '(0121) 234 5678', country: 'GB', e164: '+441212345678' },
    { raw: '02 1234 5678', country: 'IT', e164: '+390212345678' },
    { raw: '021 123456', country: 'IE', e164: '+35321123456' },
    { raw: '(212)555-0149', e164: '+12125550149' },
    { raw: '1 (212) 555-0152', e164: '+12125550152' },
    { raw: '212\u00a0555\u00a00153', e164: '+12125550153' },
    { raw: '212\u2011555\u20110154', e164: '+12125550154' },
    { raw: '\u202a+1 212 555 0155\u202c', e164: '+12125550155' },
    { raw: '212/555-0156', e164: '+12125550156' },
    { raw: '12125550157', e164: '+12125550157' },
    { raw: '011 44 20 7946 0963', e164: '+442079460963' },
    { raw: '0033 1 44 55 66 64', country: 'GB', e164: '+33144556664' },
    { raw: '00 44 20 7946 0969', country: 'DE', e164: '+442079460969' },
  ],
  /** Area codes in brackets, with the trunk zero where there is one, or with the leading 1 of North America. */
  areaInBrackets: [
    { raw: '(02) 5550 1236', country: 'AU', e164: '+61255501236' },
    { raw: '(020) 7946 0966', country: 'GB', e164: '+442079460966' },
    { raw: '(01) 234 5670', country: 'IE', e164: '+35312345670' },
    { raw: '(020) 794 5558', country: 'NL', e164: '+31207945558' },
    { raw: '(044) 668 18 03', country: 'CH', e164: '+41446681803' },
    { raw: '(03) 5321-1113', country: 'JP', e164: '+81353211113' },
    { raw: '(022) 2345 6781', country: 'IN', e164: '+912223456781' },
    { raw: '(01) 44 55 66 68', country: 'FR', e164: '+33144556668' },
    { raw: '(06) 6988 1236', country: 'IT', e164: '+390669881236' },
    { raw: '1-416-555-0148', country: 'CA', e164: '+14165550148' },
    { raw: '1 (604) 555-0149', country: 'CA', e164: '+16045550149' },
    { raw: '1.212.555.0172', country: 'US', e164: '+12125550172' },
  ],
  /** Per country, other separators than above or none. */
  separators: [
    { raw: '020-7946-0967', country: 'GB', e164: '+442079460967' },
    { raw: '02079460968', country: 'GB', e164: '+442079460968' },
    { raw: '030 23125 018', country: 'DE', e164: '+493023125018' },
    { raw: '01.44.55.66.69', country: 'FR', e164: '+33144556669' },
    { raw: '0144556670', country: 'FR', e164: '+33144556670' },
    { raw: '06.6988.1237', country: 'IT', e164: '+390669881237' },
    { raw: '912-345-679', country: 'ES', e164: '+34912345679' },
    { raw: '02-5550-1237', country: 'AU', e164: '+61255501237' },
    { raw: '020-7945559', country: 'NL', e164: '+31207945559' },
    { raw: '0446681804', country: 'CH', e164: '+41446681804' },
    { raw: '22-123-45-68', country: 'PL', e164: '+48221234568' },
    { raw: '32123458', country: 'DK', e164: '+4532123458' },
    { raw: '416.555.0150', country: 'CA', e164: '+14165550150' },
    { raw: '4165550151', country: 'CA', e164: '+14165550151' },
  ],
  /** One number with several extensions, as behind one switchboard: each is a phone of its own. */
  switchboard: [
    { raw: '+1 (212) 555-0173', e164: '+12125550173', extension: '12' },
    { raw: '212-555-0173', e164: '+12125550173', type: 'office', extension: '13' },
  ],
} as const satisfies Readonly<Record<string, readonly Dialled[]>>;

/** The extension is part of `raw`. */
export const inlineExtension = { raw: '(212) 555-0171 ext. 42' } as const;

/** All phones whose E.164 number is known. */
export const allDialled: readonly Dialled[] = Object.values(numbers).flat();

const byInput = new Map(allDialled.map((one) => [`${one.raw} ${one.country}`, one.e164]));

/** The E.164 number of a phone; undefined where it is unknown. */
export const e164Of = (phone: unknown): string | undefined =>
  byInput.get(`${at(phone, 'raw')} ${at(phone, 'country')}`);
