// Contacts that must be refused, each for one reason; and that nothing of them stays.
import { type Api, conforms, expectStatus, expectSuccess, type JsonObject, type Random } from '../../lib/index.ts';
import { attempt } from '../shared/attempt.ts';
import { defects, expectNothingLeft, expectTriedRefused, taken, tryDefects } from '../shared/refusals.ts';
import { findMarked } from '../shared/search.ts';
import { unknownIds } from '../shared/unknown.ts';

const creation = (api: Api, random: Random, company_id: number) => ({
  body: (mark: string) => ({ contact_type: 'lender_contact', company_id, last_name: mark }),
  send: (body: JsonObject) => api.send('POST /contacts', { body, key: random.uuid() }),
});

const rows = defects(
  { id: 'contacts-create-missing-type', change: { contact_type: undefined }, statuses: [422] },
  { id: 'contacts-create-missing-company', change: { company_id: undefined } },
  { id: 'contacts-type-unknown', change: { contact_type: 'broker' } },
  { id: 'contacts-type-unknown', change: { contact_type: 'lender' } },
  { id: 'contacts-type-unknown', change: { contact_type: '' } },
  { id: 'contacts-required-wrong-type', change: { contact_type: null } },
  { id: 'contacts-required-wrong-type', change: { contact_type: 42 } },
  { id: 'contacts-required-wrong-type', change: { contact_type: ['lender_contact'] } },
  { id: 'contacts-required-wrong-type', change: { company_id: null } },
  { id: 'contacts-required-wrong-type', change: { company_id: 'Covenant' } },
  { id: 'contacts-required-wrong-type', change: { company_id: {} } },
);

const input = conforms(
  [
    'contacts-create-missing-type',
    'contacts-create-missing-company',
    'contacts-type-unknown',
    'contacts-required-wrong-type',
    'contacts-create-unknown-company',
    'contacts-create-refused-effect',
  ],
  { needs: ['spare', 'spareCompany'], writes: true },
  async ({ check, spare, spareCompany, ...others }) => {
    const tools = { ...others, api: others.api.as(spare) };
    const { api, random, make } = tools;
    const contact = creation(api, random, spareCompany.id);
    const nowhere = unknownIds(random, [spareCompany.id])
      .slice(0, 2)
      .map((company_id) => ({
        id: 'contacts-create-unknown-company' as const,
        change: { company_id },
        statuses: [400, 404, 422],
      }));
    const tried = await tryDefects(taken([...rows, ...nowhere], tools), contact, tools);
    const control = make.name('accepted');
    expectSuccess(await contact.send(contact.body(control)));
    for (const one of tried) await check(one.defect.id, () => expectTriedRefused(one));
    const search = await attempt(findMarked(tools, 'GET /contacts', control, 'a contact made last'));
    await check('contacts-create-refused-effect', () =>
      expectNothingLeft(search.value(), tried, 'a contact that was refused'),
    );
  },
);

const rights = conforms(
  ['contacts-create-forbidden', 'contacts-create-refused-effect'],
  { needs: ['restricted', 'company'], writes: true },
  async ({ check, restricted, company, ...tools }) => {
    const { api, random, make } = tools;
    const mark = make.name('refused');
    const contact = creation(api.as(restricted), random, company.id);
    const reply = await contact.send(contact.body(mark));
    // The control comes after it: a list that shows the later record shows the earlier one too.
    const control = await make.contact(api, company.id);
    await check('contacts-create-forbidden', () => expectStatus(reply, 403));
    const search = await attempt(
      findMarked(tools, 'GET /contacts', String(control.sent.last_name), 'a contact made last'),
    );
    await check('contacts-create-refused-effect', () =>
      expectNothingLeft(search.value(), [{ mark, reply }], 'a contact that was refused'),
    );
  },
);

export const refusals = [input, rights];
