// Wrong ways to create and list contacts.
import { type Mutant, mutant, type Wrap } from '../mutant.ts';
import { altered, instead, onStatus, onSuccess, type Seen } from '../wrappers/mutator.ts';
import {
  asFirstCaller,
  bodyOf,
  hiding,
  isJson,
  type Json,
  lenient,
  onBody,
  onRecords,
  storesRefused,
  strict,
  twice,
} from '../wrappers/records.ts';

const create = 'POST /contacts';
const list = 'GET /contacts';

/** Changes one member of what is stored, where it is given. */
const member = (name: string, change: (value: string) => unknown): Wrap =>
  onBody(create, (body) => (typeof body[name] === 'string' ? { ...body, [name]: change(body[name]) } : body));
const everyText = (change: (value: string) => string): Wrap =>
  onBody(create, (body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]),
    ),
  );
const without = (name: string): Wrap => onBody(create, ({ [name]: _, ...body }) => body);
const isFull = ({ photo_url }: Json): boolean => typeof photo_url === 'string';
const phonesIn = ({ phones }: Json): readonly Json[] => (Array.isArray(phones) ? phones : []);

/** Changes a member of listed records, where the list was asked for it. */
const listing = (name: string, change: (value: unknown) => unknown): Wrap =>
  onRecords(list, (one) => (name in one ? { ...one, [name]: change(one[name]) } : one));

/** Files a contact under another company of the same caller: the one that was made last. */
const misfiling =
  (isWrong: (body: Json, known: readonly unknown[]) => boolean): Wrap =>
  (honest, clock) => {
    const made = new Map<string | null, unknown[]>();
    const ownOf = ({ request }: Seen) => made.get(request.headers.get('authorization')) ?? [];
    const noting = onSuccess('POST /companies', (json, seen) => {
      made.set(seen.request.headers.get('authorization'), [...ownOf(seen), (json.data as Json).id]);
      return json;
    })(honest, clock);
    return instead(create, async (seen, inner) => {
      const body = bodyOf(seen);
      const own = ownOf(seen);
      if (own.length === 0 || !isWrong(body, own)) return undefined;
      return inner(await altered(seen, { body: { ...body, company_id: own.at(-1) } }));
    })(noting, clock);
  };

const round: readonly Mutant[] = [
  mutant(
    'contacts-sponsor-comes-back-as-lender-contact',
    { breaks: ['contacts-create-type'] },
    member('contact_type', (type) => (type === 'sponsor' ? 'lender_contact' : type)),
  ),
  mutant(
    'contacts-lender-contact-comes-back-as-sponsor',
    { breaks: ['contacts-create-type'] },
    member('contact_type', (type) => (type === 'lender_contact' ? 'sponsor' : type)),
  ),
  mutant(
    'contacts-filed-under-last-company',
    { breaks: ['contacts-create-company'] },
    misfiling(({ company_id }, own) => own.includes(company_id) && company_id !== own.at(-1)),
  ),
  mutant(
    'contacts-create-drops-address2',
    { breaks: ['contacts-create-fields'], collateral: { 'contacts-create-unicode': 'Its address2 is dropped, too.' } },
    without('address2'),
  ),
  mutant('contacts-create-drops-photo', { breaks: ['contacts-create-fields'] }, without('photo_url')),
  mutant(
    'contacts-create-reads-zip-as-number',
    { breaks: ['contacts-create-fields'] },
    member('zip', (zip) => String(Number(zip))),
  ),
  mutant(
    'contacts-create-doubles-apostrophes',
    { breaks: ['contacts-create-fields'] },
    member('first_name', (name) => name.replaceAll("'", "''")),
  ),
  mutant(
    'contacts-create-escapes-ampersands',
    { breaks: ['contacts-create-fields'] },
    member('title', (title) => title.replaceAll('&', '&amp;')),
  ),
  mutant(
    'contacts-create-loses-astral-characters',
    { breaks: ['contacts-create-unicode'] },
    everyText((text) => text.replace(/[\ud800-\udfff]/g, '?')),
  ),
  mutant(
    'contacts-create-decomposes-letters',
    { breaks: ['contacts-create-unicode'] },
    everyText((text) => text.normalize('NFD')),
  ),
  mutant(
    'contacts-create-knows-latin-only',
    { breaks: ['contacts-create-unicode'] },
    everyText((text) => text.replace(/[^ -\u017f\ud800-\udfff]/g, '?')),
  ),
  mutant(
    'contacts-none-is-primary',
    { breaks: ['contacts-create-primary'] },
    onBody(create, (body) => ({ ...body, is_primary: false })),
  ),
  mutant(
    'contacts-all-are-primary',
    { breaks: ['contacts-create-primary'] },
    onBody(create, (body) => ('is_primary' in body ? { ...body, is_primary: true } : body)),
  ),
  mutant(
    'contacts-need-last-name',
    { breaks: ['contacts-create-required-only'] },
    strict(create, (body) => body.last_name === undefined),
  ),
  mutant(
    'contacts-create-makes-two-of-full-records',
    { breaks: ['contacts-create-once'] },
    twice((seen) => seen.operation === create && isFull(bodyOf(seen))),
  ),
  mutant('contacts-list-lacks-full-records', { breaks: ['contacts-list-contains'] }, hiding(list, isFull)),
  mutant(
    'contacts-list-shows-first-phone-only',
    { breaks: ['contacts-list-record'] },
    listing('phones', (phones) => phonesIn({ phones }).slice(0, 1)),
  ),
  mutant(
    'contacts-list-lacks-extensions',
    { breaks: ['contacts-list-record'] },
    listing('phones', (phones) => phonesIn({ phones }).map(({ extension: _, ...phone }) => phone)),
  ),
  mutant(
    'contacts-list-lacks-department',
    { breaks: ['contacts-list-record'] },
    listing('department', () => null),
  ),
  mutant(
    'contacts-list-shows-all-as-primary',
    { breaks: ['contacts-list-record'] },
    listing('is_primary', () => true),
  ),
];

const typeOf = (type: unknown) => (body: Json) => body.contact_type === type;
const asSponsor = (body: Json): Json => ({ ...body, contact_type: 'sponsor' });
const missing = (name: string) => (seen: Seen) =>
  seen.operation === create && isJson(seen.body) && !(name in seen.body);

const refusing: readonly Mutant[] = [
  mutant(
    'contacts-missing-type-answers-400',
    { breaks: ['contacts-create-missing-type'] },
    onStatus(missing('contact_type'), 422, 400),
  ),
  mutant(
    'contacts-missing-type-is-sponsor',
    { breaks: ['contacts-create-missing-type'] },
    lenient(create, (body) => !('contact_type' in body), asSponsor),
  ),
  mutant(
    'contacts-missing-company-answers-404',
    { breaks: ['contacts-create-missing-company'] },
    onStatus(missing('company_id'), 422, 404),
  ),
  mutant(
    'contacts-missing-company-is-last',
    { breaks: ['contacts-create-missing-company'] },
    misfiling((body) => !('company_id' in body)),
  ),
  mutant(
    'contacts-unknown-company-is-last',
    { breaks: ['contacts-create-unknown-company'] },
    misfiling(({ company_id }) => typeof company_id === 'number' && company_id > 1e8),
  ),
  mutant(
    'contacts-unknown-company-answers-409',
    { breaks: ['contacts-create-unknown-company'] },
    onStatus((seen) => seen.operation === create && Number(bodyOf(seen).company_id) > 1e8, 404, 409),
  ),
  mutant(
    'contacts-type-unknown-is-sponsor',
    { breaks: ['contacts-type-unknown'] },
    lenient(create, typeOf('broker'), asSponsor),
  ),
  mutant(
    'contacts-type-takes-those-of-companies',
    { breaks: ['contacts-type-unknown'] },
    lenient(create, typeOf('lender'), asSponsor),
  ),
  mutant(
    'contacts-type-empty-is-sponsor',
    { breaks: ['contacts-type-unknown'] },
    lenient(create, typeOf(''), asSponsor),
  ),
  mutant(
    'contacts-type-null-is-sponsor',
    { breaks: ['contacts-required-wrong-type'] },
    lenient(create, typeOf(null), asSponsor),
  ),
  mutant(
    'contacts-type-number-is-sponsor',
    { breaks: ['contacts-required-wrong-type'] },
    lenient(create, typeOf(42), asSponsor),
  ),
  mutant(
    'contacts-company-null-is-last',
    { breaks: ['contacts-required-wrong-type'] },
    misfiling(({ company_id }) => company_id === null),
  ),
  mutant(
    'contacts-company-of-text-is-last',
    { breaks: ['contacts-required-wrong-type'] },
    misfiling(({ company_id }) => typeof company_id === 'string'),
  ),
  mutant(
    'contacts-refused-type-stored-as-sponsor',
    { breaks: ['contacts-create-refused-effect'] },
    storesRefused((seen) => seen.operation === create && bodyOf(seen).contact_type === 'broker', asSponsor),
  ),
  mutant(
    'contacts-missing-type-refused-and-stored',
    { breaks: ['contacts-create-refused-effect'] },
    storesRefused(missing('contact_type'), asSponsor),
  ),
  mutant('contacts-forbidden-answers-422', { breaks: ['contacts-create-forbidden'] }, onStatus(create, 403, 422)),
  mutant('contacts-forbidden-is-carried-out', { breaks: ['contacts-create-forbidden'] }, asFirstCaller(create, true)),
  mutant('contacts-forbidden-is-stored', { breaks: ['contacts-create-refused-effect'] }, asFirstCaller(create, false)),
];

export default [...round, ...refusing];
