// What a new contact is: in the reply to its creation, and in the list, the only way to read it.
import {
  at,
  type Context,
  contactTexts,
  covering,
  dataOf,
  expectRight,
  expectSuccess,
  isObject,
  type JsonObject,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { type Attempt, attempt } from '../shared/attempt.ts';
import { foreignContact, inputs, plainTexts, trickyContact, withNull } from '../shared/contact-record.ts';
import { expectFields, furtherFields } from '../shared/fields.ts';
import { type Dialled, dressed, expectNumbers, input, sketches } from '../shared/phone.ts';
import { furtherForms, international, mixed, national, switchboard } from '../shared/phone-numbers.ts';
import { carries, expectOne, type Found, findMarked } from '../shared/search.ts';
import { dealtTexts } from '../shared/tricky-texts.ts';
import { type Additions, type Contacts, type CreatedContact, createWith } from './contact.ts';
import type { phoneRefusalIds } from './phone-refusals.ts';
import {
  amongCountries,
  expectNoneAdded,
  extensionIn,
  inlineExtension,
  judgeSeveral,
  ofMoreCountries,
  severalIds,
} from './phones.ts';

export const creationIds = [
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
  'contacts-email-invalid',
  'contacts-phone-national',
  'contacts-phone-international',
  'contacts-phone-country',
  'contacts-phone-inline-extension',
  ...severalIds,
] as const;
type CreationContext = Context<(typeof creationIds)[number] | (typeof phoneRefusalIds)[number], never>;

type Made = Pick<CreatedContact, 'sent' | 'reply'>;
/** One that is found again by its mark. */
type Marked<One extends Made = Made> = One & { readonly mark: string };

function expectGiven(made: readonly Made[], names: readonly string[]): void {
  for (const { sent, reply } of made) {
    expectSuccess(reply);
    // What a server puts where nothing was given is its own affair.
    const given = names.filter((name) => name in sent);
    expectFields(dataOf(reply), sent, given, 'the new contact', reply);
  }
}

/** The listed contact shows what the reply to its creation showed, its phones included. */
function expectListed(found: Found, { mark, reply }: Marked, names: readonly string[]): void {
  const listed = found.records.find((record) => carries(record, mark));
  const seen = [reply, ...found.replies];
  expectFields(listed, dataOf(reply), names, 'the contact in the list', seen);
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

/** The full contact and the one in other scripts, both at a company of their own. */
async function makeMain({ make, random }: CreationContext, contacts: Contacts, atSponsor: JsonObject) {
  const mark = make.name('contact');
  const full = await createWith(
    contacts,
    { ...atSponsor, ...plainTexts(mark), is_primary: true },
    { phones: mixed.map(input) },
  );
  expectRight('contact', contacts.api, full.reply);
  return {
    full: { ...full, mark },
    /** Where several phones are not kept, one a contact must do. */
    foreign: async (phones: readonly JsonObject[]) => {
      const foreign = make.name('contact');
      const body = { ...atSponsor, ...foreignContact(foreign, random), is_primary: false };
      return { ...(await createWith(contacts, body, { open: { email: 'no address at all' }, phones })), mark: foreign };
    },
  };
}

/** Each listed once, as the reply to its creation showed it. */
async function judgeListed(
  { check, clock }: CreationContext,
  { api }: Contacts,
  made: readonly { readonly one: Marked; readonly names: readonly string[] }[],
): Promise<readonly Attempt<Found>[]> {
  const searches: Attempt<Found>[] = [];
  for (const { one, names } of made) {
    const { mark } = one;
    const search = await attempt(findMarked({ api, clock }, 'GET /contacts', mark, 'the new contact'));
    await check('contacts-list-contains', () => void search.judged());
    await check('contacts-create-once', () => void expectOne(search.value(), mark, 'the new contact'));
    await check('contacts-list-record', () => expectListed(search.value(), one, names));
    searches.push(search);
  }
  return searches;
}

interface TrickyBody {
  readonly mark: string;
  readonly texts: JsonObject;
}

/** Each with other texts than the next, so that every two are seen apart; one has its mark in the first name. */
function trickyBodies({ make, random }: CreationContext): readonly [TrickyBody, TrickyBody, TrickyBody] {
  const dealt = dealtTexts(random);
  const optional = contactTexts.filter((name) => name !== 'last_name');
  const rows = covering(optional, random, 3);
  const body = (row: number): TrickyBody => {
    const mark = make.name('contact');
    return { mark, texts: trickyContact(mark, rows[row] ?? optional, dealt, random) };
  };
  const [first, second, third] = [body(0), body(1), body(2)];
  return [first, second, { ...third, texts: withNull(third.mark, third.texts, random) }];
}

/** An extension that is written into the number may become of it what will, but no part of the number. */
async function judgeInline({ check, observe }: CreationContext, extended: CreatedContact): Promise<void> {
  observe('contacts-phone-inline-extension', extensionIn(extended), extended.first);
  await check('contacts-phone-odd', () => expectNoneAdded(extended));
}

/** Of what is drawn, so many phones: a server may have a bound on them, though hardly one below thirty. */
const drawnMax = 6;

/** Six contacts, with everything the document shows; resolves to the name of one that was made last. */
export async function judgeCreation(
  context: CreationContext,
  contacts: Contacts,
  company_id: number,
  sponsor: number,
): Promise<string> {
  const { check, observe, random } = context;
  const required = { contact_type: 'lender_contact', company_id };
  const atSponsor = { contact_type: 'sponsor', company_id: sponsor };
  const { full, foreign: makeForeign } = await makeMain(context, contacts, atSponsor);
  const sparse: Made = { sent: required, reply: await contacts.sendExactly(required) };
  await check('contacts-create-required-only', () => expectSuccess(sparse.reply));
  const several = await judgeSeveral(context, full);
  const folded = (all: readonly Dialled[]): readonly Dialled[] =>
    dressed(all.slice(0, several ? undefined : 1), random);
  const ofUsual = folded(national);
  const foreign = await makeForeign(ofUsual.map(input));
  observe('contacts-email-invalid', answerOf(foreign.first), foreign.first);

  const bodies = trickyBodies(context);
  const further = (phones: readonly Dialled[], members: JsonObject = {}, asTheyAre: readonly Dialled[] = []) =>
    several ? { further: { members, phones: [...dressed(phones, random), ...asTheyAre].map(input) } } : {};
  // Nothing takes the place of what they lack.
  const exactly = { ...contacts, send: contacts.sendExactly };
  const create = async ({ mark, texts }: TrickyBody, member: JsonObject, beside: Additions) => ({
    ...(await createWith(exactly, { ...member, ...texts }, beside)),
    mark,
  });
  const abroad = folded(international);
  const second = await create(bodies[0], atSponsor, {
    open: { is_primary: true },
    phones: abroad.map(input),
    ...further([...furtherForms.trunkInBrackets, ...furtherForms.areaInBrackets]),
  });
  const ofCountries = folded(amongCountries(random));
  const [someCountries, otherCountries] = ofMoreCountries(random);
  const misplaced = await create(bodies[1], required, {
    open: { company_id: sponsor },
    phones: ofCountries.map(input),
    ...further([...furtherForms.mobiles, ...otherCountries.slice(0, drawnMax)]),
  });
  observe('contacts-type-mismatch', answerOf(misplaced.first), misplaced.first);
  const others = folded(someCountries);
  const extended = await create(bodies[2], required, {
    open: several ? { phones: [...others.map(input), inlineExtension] } : {},
    phones: others.map(input),
    // Two people may have one address, and one number.
    ...further(
      [...furtherForms.otherForms, ...random.derive('separators').shuffled(furtherForms.separators).slice(0, drawnMax)],
      { email: full.sent.email },
      switchboard,
    ),
  });
  await judgeInline(context, extended);

  const judgePhones =
    ({ withPhones }: CreatedContact, dialled: readonly Dialled[]) =>
    () => {
      expectSuccess(withPhones);
      expectNumbers(withPhones, dialled);
    };
  await check('contacts-phone-national', judgePhones(foreign, ofUsual));
  await check('contacts-phone-international', judgePhones(second, abroad));
  await check('contacts-phone-country', judgePhones(misplaced, ofCountries));
  await check('contacts-phone-country', judgePhones(extended, others));

  const all = [full, foreign, second, misplaced, extended, ...(wasAccepted(sparse.reply) ? [sparse] : [])];
  await check('contacts-create-type', () => expectGiven(all, ['contact_type']));
  await check('contacts-create-company', () => expectGiven(all, ['company_id']));
  await check('contacts-create-fields', () => expectGiven([full, second, misplaced, extended], contactTexts));
  await check('contacts-create-unicode', () =>
    expectGiven([foreign], Object.keys(foreignContact('', random.derive('names')))),
  );
  await check('contacts-create-primary', () => expectGiven([full, foreign], ['is_primary']));
  const record = dataOf(full.reply);
  const fields = isObject(record) ? furtherFields(record, [...inputs, 'phones'], 'contact') : 'data is not a record';
  observe('contacts-record-fields', fields, full.reply);
  const [former] = await judgeListed(context, contacts, [
    // A second primary contact may have taken the place of the first.
    { one: full, names: inputs.filter((name) => name !== 'is_primary') },
    ...[foreign, second, misplaced].map((one) => ({ one, names: inputs })),
  ]);
  if (former) observe('contacts-primary-second', secondPrimary(second.first, former, full.mark), second.first);
  return extended.mark;
}
