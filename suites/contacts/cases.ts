// Cases that create contacts: invalid bodies, documented ones, and a user who may not create any.
import {
  type Context,
  type Credential,
  conforms,
  contactTexts,
  covering,
  expectRight,
  expectThat,
  identifierOf,
  type JsonObject,
  judgedIds,
  type Reply,
  traverse,
  wasAccepted,
} from '../../lib/index.ts';
import { failUnanswered } from '../shared/answer.ts';
import { alsoGood, good, refusedContacts, refusedPhones } from '../shared/invalid-bodies.ts';
import { keyOrNone } from '../shared/optional-headers.ts';
import { otherAccountOf, otherAccountWants, sponsorFor } from '../shared/other-account.ts';
import { type Dialled, input, withTypes } from '../shared/phone.ts';
import { inlineExtension, numbers } from '../shared/phone-numbers.ts';
import { defects, sampledIfQuick, tryTypes, twiceIfThorough } from '../shared/refusals.ts';
import { carries, type Found, findMarked } from '../shared/search.ts';
import { foreignContact, plainTexts, trickyContact, withNull } from '../shared/sent-records.ts';
import { dealtTexts, freeTexts } from '../shared/tricky-texts.ts';
import { unknownIds } from '../shared/unknown.ts';
import { repeatAtEnd } from '../shared/waits.ts';
import { attempt } from './attempt.ts';
import { observeContacts, observedIds } from './observations.ts';

const judged = judgedIds.filter((id) => /^contacts-(?!create-forbidden$)/.test(id));
const ids = [...judged, ...observedIds];
type RecordContext = Context<(typeof ids)[number], 'spare' | 'spareCompany' | 'spareSponsor'>;

interface Place {
  readonly company: number;
  /** `exactly`: the client sends the request unchanged. */
  send(body: JsonObject, exactly?: boolean): Promise<Reply>;
  /** A valid body with a name that identifies the contact. */
  body(mark: string): JsonObject;
}

const placeOf = (
  { api, random }: Pick<RecordContext, 'api' | 'random'>,
  caller: Credential,
  company: number,
): Place => ({
  company,
  send: (body, exactly = false) => api.as(caller).send('POST /contacts', { body, ...keyOrNone(random), exactly }),
  body: (mark) => ({ contact_type: 'lender_contact', company_id: company, last_name: mark }),
});

export const records = conforms(
  ids,
  {
    needs: ['spare', 'spareCompany', 'spareSponsor'],
    wants: otherAccountWants,
    writes: [16, 33, 53],
    leaves: { companies: 1, contacts: 8 },
    beyondQuick: ['contacts-create-unknown-company', 'contacts-phone-country-odd'],
  },
  async (context) => {
    const { api, spare, spareCompany, clock, check } = context;
    const place = placeOf(context, spare, spareCompany.id);
    const sponsor = await sponsorFor(context);
    const other = otherAccountOf(context);
    const others = other ? [placeOf(context, other.credential, other.company.id)] : [];
    const refused = await sendRefused(context, [place, ...others], sponsor.id);
    const { marks, ...made } = await sendLawful(context, place, sponsor.id);
    // A list that shows the last one shows those before it, too.
    const last = marks.at(-1) ?? '';
    const look = () => findMarked({ api: api.as(spare), clock }, 'GET /contacts', last, 'a contact made last');
    const search = await attempt(look());
    // Contacts may lack an identifier, and rules cannot judge those: here they are found by name.
    await check('contacts-list-contains', () => expectListed(search.judged(), marks, (count) => count > 0));
    await check('contacts-create-once', () => expectListed(search.value(), marks, (count) => count < 2));
    repeatAtEnd(context, look);
    const listed = search.held ? search.value().records : [];
    observeContacts(context, { ...refused, ...made, listed });
  },
);

const countOf = ({ records }: Found, mark: string): number => records.filter((record) => carries(record, mark)).length;
const expectListed = (found: Found, marks: readonly string[], isRight: (count: number) => boolean): void => {
  for (const mark of marks)
    expectThat(isRight(countOf(found, mark)), 'the list should contain the new contact once', {
      ...{ expected: mark, actual: `${countOf(found, mark)} of it`, replies: found.replies },
    });
};

/** One of them per run. */
const wrongTypes = [
  ...[{ contact_type: ['lender_contact'] }, { contact_type: {} }, { contact_type: false }, { company_id: {} }],
  ...[{ company_id: [] }, { company_id: '' }, { company_id: 'Covenant' }, { company_id: 1.5 }],
] as const;
/** Almost valid: refused, or read as the intended type. */
const nearTypes = ['Sponsor', 'SPONSOR', 'lender_contact ', ' sponsor', 'Lender_Contact', 'lender-contact'] as const;
/** Numbers on which parsers disagree: too short, too long, letters for digits. */
const oddNumbers = defects(
  ...['212-555-017', '21255501701234', '1-800-FLOWERS'].map(
    (raw) => ({ id: 'contacts-phone-odd', change: { phones: [{ raw }] } }) as const,
  ),
);

/** Sends each defect, and bodies that may be invalid; phones also on another account. */
async function sendRefused(context: RecordContext, places: readonly [Place, ...Place[]], sponsor: number) {
  const { random, make, effort } = context;
  const [{ send, body, company }] = places;
  // With added members something else may cause the refusal: the first of each defect has none.
  const tried = new Set<string>();
  const isFirst = (id: string): boolean => tried.size < tried.add(id).size;
  const more = defects(
    { id: 'contacts-required-wrong-type', change: random.pick(wrongTypes) },
    // A sponsor company does not replace the missing type.
    { id: 'contacts-create-missing-type', change: { contact_type: undefined, company_id: sponsor } },
  );
  const all = effort === 'quick' ? refusedContacts : [...refusedContacts, ...more];
  for (const { id, change } of random.shuffled(twiceIfThorough(all, context))) {
    // The configured key may have a default company that equal keys lack.
    const isByItself = change.company_id === null || typeof change.company_id === 'string';
    const wrong = { ...body(make.name('refused')), ...change };
    await failUnanswered(context, id, 'POST /contacts', send(wrong, isFirst(id) || isByItself));
  }
  const sendNew = (member: JsonObject) => send({ ...body(make.name('contact')), ...member });
  const [unknownCompany] = unknownIds(random, [company, sponsor]);
  if (effort !== 'quick') await sendNew({ contact_type: random.pick(nearTypes) });
  const unknown = effort === 'quick' ? undefined : await sendNew({ company_id: unknownCompany });
  for (const [row, { id, change }] of random.shuffled(twiceIfThorough(refusedPhones(random), context)).entries()) {
    const at = places[row % places.length] ?? places[0];
    const wrong = { ...at.body(make.name('refused')), phones: [good, alsoGood], ...change };
    await failUnanswered(context, id, 'POST /contacts', at.send(wrong, isFirst(id)));
  }
  for (const { change } of sampledIfQuick(oddNumbers, context)) await sendNew(change);
  const inCountry = (country: string) => sendNew({ phones: [{ raw: '020 7946 0971', country }] });
  const countries = effort === 'quick' ? undefined : { lower: await inCountry('gb'), none: await inCountry('ZZ') };
  return { unknown, countries };
}

interface Additions {
  /** Members whose effect the document leaves open. */
  readonly open?: JsonObject;
  readonly phones: readonly JsonObject[];
  /** Dropped first if refused: members, and phones in forms that a server may not accept. */
  readonly further?: JsonObject & { readonly phones: readonly JsonObject[] };
}

const fewPhones = 4;

/** The document names no maximum length; a server's own is hardly lower. */
const usualMax = 50;
const shortened = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, text]) => {
      const isFree = [...freeTexts.contact, 'last_name'].includes(name) && typeof text === 'string';
      return [name, isFree ? [...text].slice(0, usualMax).join('').trim() : text];
    }),
  );

/** Creates a contact with all members, or with fewer each time it is refused. */
async function create(send: Place['send'], body: JsonObject, { open, phones, further }: Additions) {
  const whole = { ...body, phones, ...open };
  const own = whole.phones as readonly JsonObject[];
  const withPhones = (some: readonly JsonObject[]) => ({ ...whole, ...further, phones: [...own, ...some] });
  // A server may take fewer phones, or not all of these forms.
  const richest = further ? [further.phones, further.phones.slice(-fewPhones)].map(withPhones) : [];
  const replies: Reply[] = [];
  for (const one of [...richest, whole, { ...body, phones }, { ...shortened(body), phones }]) {
    replies.push(await send(one));
    if (replies.some(wasAccepted)) break;
  }
  if (!replies.some(wasAccepted)) replies.push(await send(shortened(body), true));
  // A refusal of the further members says nothing about the others.
  const [first] = replies.slice(Math.min(richest.length, replies.length - 1)) as [Reply];
  return { first, made: replies.at(-1) as Reply };
}

/** The most phones drawn: a server's maximum is hardly below thirty in all. */
const drawnMax = 6;
/** The number of further countries in a contact that must be accepted. */
const countriesMax = 3;

/** Six contacts with everything that the document shows, and the names of those that have one. */
async function sendLawful(context: RecordContext, { send, company }: Place, sponsor: number) {
  const { make, random, api } = context;
  const exactly = (body: JsonObject) => send(body, true);
  const required = { contact_type: 'lender_contact', company_id: company };
  const atSponsor = { contact_type: 'sponsor', company_id: sponsor };
  const phonesOf = (all: readonly Dialled[]) => withTypes(all, random).map(input);
  const name = make.name('contact');
  const full = plainTexts(name);
  const mixed = numbers.mixed.map(input);
  // A body of more than 4 kB, where a server takes such texts.
  const long = Object.fromEntries(freeTexts.contact.map((name) => [name, `${'資'.repeat(254)}z`]));
  const further = { ...long, phones: [] };
  const primary = await create(send, { ...atSponsor, ...full, is_primary: true }, { phones: mixed, further });
  expectRight('contact', api, primary.made);
  await exactly(required);
  const inScripts = make.name('contact');
  const foreign = { ...atSponsor, ...foreignContact(inScripts, random), is_primary: false };
  const open = { email: 'no address at all' };
  const email = await create(send, foreign, { open, phones: phonesOf(numbers.national) });

  const dealt = dealtTexts(random);
  const optional = contactTexts.filter((name) => name !== 'last_name');
  // Each has different texts, so that every two members occur separately.
  const [one, two, three] = covering(optional, random, 3).map((names) => {
    const mark = make.name('contact');
    return { mark, texts: trickyContact(mark, names, dealt, random) };
  });
  const { otherForms, separators, mobiles, trunkInBrackets, areaInBrackets } = numbers;
  const second = await create(
    exactly,
    { ...atSponsor, ...one?.texts },
    {
      open: { is_primary: true },
      phones: phonesOf(numbers.international),
      further: { phones: phonesOf([...trunkInBrackets, ...areaInBrackets]) },
    },
  );
  const [usual, ...countries] = numbers.ofCountries;
  // A phone without a country uses the default, whatever the phone before it has.
  const withAndWithoutCountry = [
    usual,
    ...random.shuffled(numbers.national).slice(0, 1),
    ...random.shuffled(countries),
  ];
  const drawn = random.shuffled(numbers.furtherCountries);
  const misplaced = await create(
    exactly,
    { ...required, ...two?.texts },
    {
      open: { company_id: sponsor },
      phones: phonesOf(withAndWithoutCountry),
      further: { phones: phonesOf([...mobiles, ...drawn.slice(countriesMax).slice(0, drawnMax)]) },
    },
  );
  const some = phonesOf([...numbers.withoutTrunk, ...drawn.slice(0, countriesMax)]);
  const others = [...otherForms, ...random.derive('separators').shuffled(separators).slice(0, drawnMax)];
  const { mark = '', texts = {} } = three ?? {};
  const extended = await create(
    exactly,
    { ...required, ...withNull(mark, texts, random) },
    {
      open: { phones: [...some, inlineExtension] },
      phones: some,
      // Two people may share an email and a number.
      further: { email: full.email, phones: [...phonesOf(others), ...numbers.switchboard.map(input)] },
    },
  );
  return {
    marks: [name, inScripts, one?.mark ?? '', two?.mark ?? '', mark],
    full: primary.made,
    email: email.first,
    second: second.first,
    misplaced: misplaced.first,
    extended: extended.first,
  };
}

/** At a company that the restricted user sees: another one may get 404. */
export const rights = conforms(
  ['contacts-create-forbidden', 'contacts-create-refused-effect'],
  { needs: ['restricted', 'company', 'contact'], perhaps: ['contacts-create-refused-effect'], writes: 2 },
  async ({ restricted, company, contact, ...tools }) => {
    const api = tools.api.as(restricted);
    const read = await api.send('GET /companies/{company_id}', { path: { company_id: company.id } });
    const numberOf = (one: unknown) => Number(identifierOf('company', one));
    const enough = (items: readonly unknown[]) => items.some(numberOf);
    const seen = () => traverse(api, { operation: 'GET /companies', mode: 'cursor', pagesMax: 10, enough });
    const id = wasAccepted(read) ? company.id : (await seen()).items.map(numberOf).find(Boolean);
    const { send, body } = placeOf(tools, restricted, id ?? company.id);
    await tryTypes(['lender_contact', 'sponsor'], tools, [
      (mark, contact_type) => send({ ...body(mark), contact_type }, true),
      (mark, contact_type) => send({ ...body(mark), contact_type, is_primary: true }),
    ]);
    const name = String(contact.sent.last_name);
    repeatAtEnd(tools, () => findMarked(tools, 'GET /contacts', name, 'a contact of this run'));
  },
);
