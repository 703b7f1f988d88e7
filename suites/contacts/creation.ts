// What a new contact is: in the reply to its creation, and in the list, the only way to read it.
import { at, conforms, dataOf, expectSuccess, isObject, type JsonObject, type Reply } from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { type Attempt, attempt } from '../shared/attempt.ts';
import { expectFields, furtherFields } from '../shared/fields.ts';
import { carries, expectOne, type Found, findMarked } from '../shared/search.ts';
import { sketches } from './phone.ts';
import { foreignTexts, inputs, plainTexts, texts } from './record.ts';

interface CreatedContact {
  readonly sent: JsonObject;
  readonly reply: Reply;
}

function expectGiven(made: readonly CreatedContact[], names: readonly string[]): void {
  for (const { sent, reply } of made) expectFields(dataOf(reply), sent, names, 'the new contact', reply);
}

/** The listed contact shows what the reply to its creation showed, its phones included. */
function expectListed(found: Found, mark: string, { reply }: CreatedContact): void {
  const listed = found.records.find((record) => carries(record, mark));
  const seen = [reply, ...found.replies];
  expectFields(listed, dataOf(reply), inputs, 'the contact in the list', seen);
  const phones = { phones: sketches(dataOf(reply)) };
  expectFields({ phones: sketches(listed) }, phones, ['phones'], 'the contact in the list', seen);
}

/** What a second primary contact did to the first. */
function secondPrimary(second: Reply, list: Attempt<Found>, firstMark: string): string {
  if (!wasAccepted(second)) return answerOf(second);
  const first = list.held ? list.value().records.find((record) => carries(record, firstMark)) : undefined;
  if (first === undefined) return 'accepted; the first was not found again';
  return at(first, 'is_primary') === true ? 'both are primary' : 'the first is no longer primary';
}

export const creation = conforms(
  [
    'contacts-create-required-only',
    'contacts-create-type',
    'contacts-create-company',
    'contacts-create-fields',
    'contacts-create-unicode',
    'contacts-create-primary',
    'contacts-create-once',
    'contacts-list-contains',
    'contacts-list-record',
    'contacts-record-fields',
    'contacts-primary-second',
    'contacts-type-mismatch',
  ],
  { needs: ['company'], writes: true },
  async ({ api, clock, random, make, company, check, observe }) => {
    const send = (body: JsonObject) => api.send('POST /contacts', { body, key: random.uuid() });
    const create = async (sent: JsonObject, sending = send(sent)): Promise<CreatedContact> => {
      const reply = await sending;
      expectSuccess(reply);
      return { sent, reply };
    };
    // CreatedContact for this, so that its first contact is the first.
    const sponsor = await make.company(api, { company_type: 'sponsor' });
    const required = { contact_type: 'lender_contact', company_id: company.id };
    const first = await send(required);
    // Where a contact with a name is refused with 403 too, it is the credential's user who may not.
    if (first.status === 403) await make.contact(api, company.id);
    const sparse = await attempt(create(required, Promise.resolve(first)));
    await check('contacts-create-required-only', () => void sparse.judged());
    const atSponsor = { contact_type: 'sponsor', company_id: sponsor.id };
    const mark = make.name('contact');
    const foreignMark = make.name('contact');
    const phones = [{ raw: '+1 (212) 555-0160', type: 'office', extension: '4711' }, { raw: '+44 20 7946 0960' }];
    const full = await create({ ...atSponsor, ...plainTexts(mark), is_primary: true, phones });
    const foreign = await create({ ...atSponsor, ...foreignTexts(foreignMark), is_primary: false });

    const made = [full, foreign, sparse.value()];
    await check('contacts-create-type', () => expectGiven(made, ['contact_type']));
    await check('contacts-create-company', () => expectGiven(made, ['company_id']));
    await check('contacts-create-fields', () => expectGiven([full], texts));
    await check('contacts-create-unicode', () => expectGiven([foreign], Object.keys(foreignTexts(foreignMark))));
    await check('contacts-create-primary', () => expectGiven([full, foreign], ['is_primary']));
    const record = dataOf(full.reply);
    const fields = isObject(record) ? furtherFields(record, [...inputs, 'phones'], 'contact') : 'data is not a record';
    observe('contacts-record-fields', fields, full.reply);

    const look = (text: string) => findMarked({ api, clock }, 'GET /contacts', text, 'the new contact');
    for (const [text, one] of [
      [foreignMark, foreign],
      [mark, full],
    ] as const) {
      const search = await attempt(look(text));
      await check('contacts-list-contains', () => void search.judged());
      await check('contacts-create-once', () => void expectOne(search.value(), text, 'the new contact'));
      await check('contacts-list-record', () => expectListed(search.value(), text, one));
    }

    const second = await send({ ...atSponsor, last_name: make.name('contact'), is_primary: true });
    const former = await attempt(look(mark));
    observe('contacts-primary-second', secondPrimary(second, former, mark), second);
    const misplaced = await send({
      contact_type: 'lender_contact',
      company_id: sponsor.id,
      last_name: make.name('contact'),
    });
    observe('contacts-type-mismatch', answerOf(misplaced), misplaced);
  },
);
