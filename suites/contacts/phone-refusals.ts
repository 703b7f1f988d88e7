// Phones that refuse their contact, and odd ones that may; and that nothing of a refused contact stays.
import {
  type Api,
  at,
  conforms,
  dataOf,
  expectRefused,
  expectSuccess,
  expectThat,
  type JsonObject,
  type Random,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { defects, expectNothingLeft, expectTriedRefused, taken, tryDefects } from '../shared/refusals.ts';
import { findMarked } from '../shared/search.ts';
import { isNormalised, numbersIn, phonesOf } from './phone.ts';

const good = { raw: '(212) 555-0170' };
const alsoGood = { raw: '+44 20 7946 0970', type: 'office' };
const bad = { raw: 'call reception' };

const rows = defects(
  { id: 'contacts-phone-type-unknown', change: { phones: [good, { ...alsoGood, type: 'pager' }] } },
  { id: 'contacts-phone-type-unknown', change: { phones: [{ ...good, type: 'home' }] } },
  { id: 'contacts-phone-raw-missing', change: { phones: [good, { type: 'mobile', country: 'US' }] } },
  { id: 'contacts-phone-raw-missing', change: { phones: [{ type: 'mobile' }] } },
  { id: 'contacts-phone-raw-missing', change: { phones: [{ raw: null }] } },
  { id: 'contacts-phone-unparseable', change: { phones: [bad] }, statuses: [422] },
  { id: 'contacts-phone-unparseable', change: { phones: [{ raw: '5' }] }, statuses: [422] },
  { id: 'contacts-phone-unparseable', change: { phones: [{ raw: '2125550170212555017021255' }] }, statuses: [422] },
  { id: 'contacts-phone-any-unparseable', change: { phones: [bad, good, alsoGood] }, statuses: [422] },
  { id: 'contacts-phone-any-unparseable', change: { phones: [good, bad, alsoGood] }, statuses: [422] },
  { id: 'contacts-phone-any-unparseable', change: { phones: [good, alsoGood, bad] }, statuses: [422] },
);

/** Parsers disagree on these: too short, too long, a country code that no country has, letters for digits. */
const odd = ['212-555-017', '21255501701234', '+999 123 456 789', '1-800-FLOWERS'].map((raw) => ({
  id: 'contacts-phone-odd' as const,
  raw,
}));

const creation = (api: Api, random: Random, company_id: number) => ({
  body: (mark: string) => ({ contact_type: 'lender_contact', company_id, last_name: mark, phones: [good, alsoGood] }),
  send: (body: JsonObject) => api.send('POST /contacts', { body, key: random.uuid() }),
});

function expectRefusedOrNormalised(reply: Reply, raw: string): void {
  if (!wasAccepted(reply)) expectRefused(reply);
  else
    expectThat(isNormalised(reply), `${raw} should be refused, or come back as a number in E.164 form`, {
      expected: 'no contact, or a number that begins with +',
      actual: at(dataOf(reply), 'phones') ?? 'no phones',
      replies: reply,
    });
}

export const phoneRefusals = conforms(
  [
    'contacts-phone-type-unknown',
    'contacts-phone-raw-missing',
    'contacts-phone-unparseable',
    'contacts-phone-any-unparseable',
    'contacts-phone-odd',
    'contacts-phone-refused-effect',
  ],
  { needs: ['spare', 'spareCompany'], writes: true },
  async ({ check, spare, spareCompany, ...tools }) => {
    const { random, make, clock } = tools;
    const api = tools.api.as(spare);
    const contact = creation(api, random, spareCompany.id);
    const tried = await tryDefects(taken(rows, tools), contact, tools);
    const oddPhones: { readonly mark: string; readonly raw: string; readonly reply: Reply }[] = [];
    for (const { raw } of taken(odd, tools)) {
      const mark = make.name('odd phone');
      oddPhones.push({ mark, raw, reply: await contact.send({ ...contact.body(mark), phones: [{ raw }] }) });
    }
    const control = make.name('accepted');
    expectSuccess(await contact.send(contact.body(control)));
    for (const one of tried) await check(one.defect.id, () => expectTriedRefused(one));
    for (const { raw, reply } of oddPhones)
      await check('contacts-phone-odd', () => expectRefusedOrNormalised(reply, raw));
    const search = await attempt(findMarked({ api, clock }, 'GET /contacts', control, 'a contact made last'));
    await check('contacts-phone-refused-effect', () =>
      expectNothingLeft(search.value(), [...tried, ...oddPhones], 'a contact whose phone was refused'),
    );
  },
);

/** What became of `ext. 42` at the end of a number. */
function extensionIn(reply: Reply): string {
  if (!wasAccepted(reply)) return answerOf(reply);
  const [phone] = phonesOf(dataOf(reply));
  if (phone === undefined) return 'the phone is dropped';
  if (phone.extension === '42') return 'it becomes the extension';
  return numbersIn(phone).length > 0 ? 'it is dropped' : 'the number is kept as it is';
}

/** What the document does not say of phones and emails. */
export const silent = conforms(
  ['contacts-phone-inline-extension', 'contacts-phone-country-odd', 'contacts-email-invalid'],
  { needs: ['spare', 'spareCompany'], writes: true },
  async ({ api, spare, spareCompany, random, make, observe }) => {
    const contact = creation(api.as(spare), random, spareCompany.id);
    const create = (change: JsonObject) => contact.send({ ...contact.body(make.name('contact')), ...change });
    const extended = await create({ phones: [{ raw: '(212) 555-0171 ext. 42' }] });
    observe('contacts-phone-inline-extension', extensionIn(extended), extended);
    const lower = await create({ phones: [{ raw: '020 7946 0971', country: 'gb' }] });
    const nowhere = await create({ phones: [{ raw: '020 7946 0971', country: 'ZZ' }] });
    const answers = `lower case: ${answerOf(lower)}; a country that does not exist: ${answerOf(nowhere)}`;
    observe('contacts-phone-country-odd', answers, lower, nowhere);
    const email = await create({ email: 'no address at all' });
    observe('contacts-email-invalid', answerOf(email), email);
  },
);
