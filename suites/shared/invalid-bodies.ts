// Invalid bodies of companies, contacts and phones, one defect each.
import type { JsonObject, Random } from '../../lib/index.ts';
import { kinds } from './phone.ts';
import { defects } from './refusals.ts';

export const refusedCompanies = defects(
  // With members from which a server might derive the missing one.
  {
    id: 'companies-create-missing-name',
    change: { name: undefined, website: 'https://northfield.example.com', city: 'Northfield' },
  },
  { id: 'companies-create-missing-type', change: { company_type: undefined } },
  { id: 'companies-create-missing-type', change: { company_type: undefined, org_id: 1 } },
  { id: 'companies-name-out-of-bounds', change: { name: '' } },
  { id: 'companies-name-out-of-bounds', change: { name: 'Ü'.repeat(256) } },
  { id: 'companies-type-unknown', change: { company_type: 'broker' } },
  { id: 'companies-type-unknown', change: { company_type: 'lender_contact' } },
  { id: 'companies-type-unknown', change: { company_type: '' } },
  { id: 'companies-required-wrong-type', change: { name: null } },
  { id: 'companies-required-wrong-type', change: { name: 42 } },
  { id: 'companies-required-wrong-type', change: { company_type: null } },
  { id: 'companies-required-wrong-type', change: { company_type: ['lender'] } },
);

/** A refused primary contact leaves the former one as it is. */
const asPrimary = { is_primary: true };

export const refusedContacts = defects(
  // With members from which a server might derive the missing one.
  {
    id: 'contacts-create-missing-type',
    change: { contact_type: undefined, first_name: 'Ada', phones: [{ raw: '+1.212.555.0158' }] },
  },
  { id: 'contacts-create-missing-company', change: { company_id: undefined } },
  { id: 'contacts-type-unknown', change: { contact_type: 'broker', ...asPrimary } },
  { id: 'contacts-type-unknown', change: { contact_type: 'lender' } },
  { id: 'contacts-type-unknown', change: { contact_type: '' } },
  { id: 'contacts-required-wrong-type', change: { contact_type: null } },
  { id: 'contacts-required-wrong-type', change: { contact_type: 42 } },
  { id: 'contacts-required-wrong-type', change: { company_id: null } },
  // Not a string of digits, which may be read as the number.
  { id: 'contacts-required-wrong-type', change: { company_id: 'Covenant' } },
);

export const good = { raw: '(212) 555-0170' };
export const alsoGood = { raw: '+44 20 7946 0970', type: 'office' };
const reception = 'call reception';

/** No digit, one digit, 25 digits. */
const otherBad = ['---', '( )', 'n/a', '+', '+7', '(9)', '+2125550170212555017021255'] as const;
const otherTypes = ['home', 'pager', 'landline', 'work', 'mobiles'] as const;

/** Unparseable numbers with varying type and extension, which make none of them valid. */
function unparseable(random: Random): (raw: string) => JsonObject {
  const drawn = random.shuffled(kinds);
  let place = 0;
  return (raw) => ({ raw, ...drawn[place++ % drawn.length] });
}

export const refusedPhones = (random: Random) => {
  const bad = unparseable(random.derive('kinds of bad phones'));
  const other = bad(random.pick(otherBad));
  return defects(
    { id: 'contacts-phone-type-unknown', change: { phones: [good, { ...alsoGood, type: 'pager' }] } },
    {
      id: 'contacts-phone-type-unknown',
      change: { ...asPrimary, phones: [{ ...good, type: random.pick(otherTypes) }] },
    },
    { id: 'contacts-phone-raw-missing', change: { phones: [good, { type: 'mobile', country: 'US' }] } },
    { id: 'contacts-phone-raw-missing', change: { ...asPrimary, phones: [{ raw: null }] } },
    { id: 'contacts-phone-unparseable', change: { phones: [bad(reception)] } },
    { id: 'contacts-phone-unparseable', change: { phones: [{ ...bad('5'), country: 'GB' }] } },
    { id: 'contacts-phone-unparseable', change: { phones: [bad('2125550170212555017021255')] } },
    {
      id: 'contacts-phone-any-unparseable',
      change: {
        phones: random.pick([
          [other, good, alsoGood],
          [good, other, alsoGood],
        ]),
      },
    },
    { id: 'contacts-phone-any-unparseable', change: { phones: [good, alsoGood, bad(reception)] } },
  );
};
