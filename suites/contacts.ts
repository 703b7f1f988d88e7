// Endpoints / Contacts: create and list.
import { conforms, suite } from '../lib/index.ts';
import { contactsOf } from './contacts/contact.ts';
import { creationIds, judgeCreation } from './contacts/creation.ts';
import { phoneRefusalIds, tryPhones } from './contacts/phone-refusals.ts';
import { inputIds, rights, tryInput } from './contacts/refusals.ts';
import { contactRules } from './contacts/rules.ts';
import { attempt } from './shared/attempt.ts';
import { otherAccountOf, otherAccountWants } from './shared/other-account.ts';
import { expectNothingLeft } from './shared/refusals.ts';
import { findMarked } from './shared/search.ts';
import { sponsorFor } from './shared/sponsor.ts';

const records = conforms(
  [...inputIds, ...phoneRefusalIds, ...creationIds, 'contacts-create-refused-effect', 'contacts-phone-refused-effect'],
  {
    needs: ['spare', 'spareCompany', 'spareSponsor'],
    wants: otherAccountWants,
    writes: [16, 33, 53],
    leaves: { companies: 1, contacts: 8 },
    beyondQuick: ['contacts-create-unknown-company', 'contacts-phone-country-odd'],
  },
  async (context) => {
    const { spare, spareCompany, clock, check } = context;
    const contacts = contactsOf(context, spare, spareCompany.id);
    const sponsor = await sponsorFor(context);
    const beside = otherAccountOf(context);
    const others = beside ? [contactsOf(context, beside.credential, beside.company.id)] : [];
    const input = await tryInput(context, contacts, { company: spareCompany.id, sponsor: sponsor.id });
    const phones = await tryPhones(context, [contacts, ...others]);
    // What is accepted comes after what is refused: a list that shows the later records shows the earlier ones too.
    const mark = await judgeCreation(context, contacts, spareCompany.id, sponsor.id);
    await input.judge();
    await phones.judge();
    const own = { api: contacts.api, clock };
    const search = await attempt(findMarked(own, 'GET /contacts', mark, 'a contact made last'));
    await check('contacts-create-refused-effect', () =>
      expectNothingLeft(search.value(), input.tried, 'a contact that was refused'),
    );
    await check('contacts-phone-refused-effect', () =>
      expectNothingLeft(search.value(), phones.tried, 'a contact whose phone was refused'),
    );
  },
);

export default suite('contacts', [records, rights], contactRules);
