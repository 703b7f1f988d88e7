// Wrong ways to create and list contacts.

import { badCredentials, because, mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, instead, onStatus, type Seen } from '../wrappers/mutator.ts';
import { createContact as create, contacts as list } from '../wrappers/operations.ts';
import {
  asFirstCaller,
  bodyOf,
  borrowing,
  hiding,
  lenient,
  noting,
  onBody,
  onMember,
  onText,
  storesRefused,
  strict,
  twice,
  whereBody,
} from '../wrappers/records.ts';
import { phonesIn } from './phones.ts';

const everyText = (change: (value: string) => string) => ({
  collateral: { 'contacts-create-fields': 'contacts of all cases hold such texts' },
  wrap: onBody(create, (body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]),
    ),
  ),
});
const without = (name: string): Wrap => onBody(create, ({ [name]: _, ...body }) => body);
const isFull = ({ photo_url }: Json): boolean => typeof photo_url === 'string';

/** Files a contact under the company that the same caller created last. */
const misfiling =
  (isWrong: (body: Json, known: readonly unknown[]) => boolean): Wrap =>
  (honest, clock) => {
    const made = new Map<string | null, unknown[]>();
    const ownOf = ({ request }: Seen) => made.get(request.headers.get('authorization')) ?? [];
    const noted = noting('POST /companies', (record, seen) =>
      made.set(seen.request.headers.get('authorization'), [...ownOf(seen), record.id]),
    )(honest, clock);
    return instead(create, async (seen, inner) => {
      const body = bodyOf(seen);
      const own = ownOf(seen);
      if (own.length === 0 || !isWrong(body, own)) return undefined;
      return inner(await altered(seen, { body: { ...body, company_id: own.at(-1) } }));
    })(noted, clock);
  };

const typeOf = (type: unknown) => (body: Json) => body.contact_type === type;
const asSponsor = (body: Json): Json => ({ ...body, contact_type: 'sponsor' });
const missing = (name: string) => whereBody(create, (body) => !(name in body));

export default mutants({
  'contacts-create-type': {
    'contacts-sponsor-comes-back-as-lender-contact': onText(create, 'contact_type', (type) =>
      type === 'sponsor' ? 'lender_contact' : type,
    ),
    'contacts-lender-contact-comes-back-as-sponsor': onText(create, 'contact_type', (type) =>
      type === 'lender_contact' ? 'sponsor' : type,
    ),
  },
  'contacts-create-company': {
    'contacts-filed-under-last-company': misfiling(
      ({ company_id }, own) => own.includes(company_id) && company_id !== own.at(-1),
    ),
  },
  'contacts-create-fields': {
    'contacts-create-drops-address2': {
      collateral: { 'contacts-create-unicode': 'its address2 is dropped as well' },
      wrap: without('address2'),
    },
    'contacts-create-drops-photo': without('photo_url'),
    'contacts-create-reads-zip-as-number': onText(create, 'zip', (zip) => String(Number(zip))),
    'contacts-create-doubles-apostrophes': onText(create, 'first_name', (name) => name.replaceAll("'", "''")),
    'contacts-create-fills-with-those-before': {
      collateral: {
        'contacts-create-once': 'who gives no last name gets that of another, by which contacts are counted',
        'contacts-list-record': 'who gives no last name gets that of another, by which contacts are found',
      },
      wrap: borrowing(create, ['contact_type', 'company_id']),
    },
    'contacts-create-escapes-ampersands': onText(create, 'title', (title) => title.replaceAll('&', '&amp;')),
  },
  'contacts-create-unicode': {
    'contacts-create-loses-astral-characters': everyText((text) => text.replace(/[\ud800-\udfff]/g, '?')),
    'contacts-create-decomposes-letters': everyText((text) => text.normalize('NFD')),
    'contacts-create-knows-latin-only': everyText((text) => text.replace(/[^ -\u017f\ud800-\udfff]/g, '?')),
  },
  'contacts-create-primary': {
    'contacts-none-is-primary': onBody(create, (body) => ({ ...body, is_primary: false })),
    'contacts-all-are-primary': onBody(create, (body) => ('is_primary' in body ? { ...body, is_primary: true } : body)),
  },
  'contacts-create-required-only': {
    'contacts-need-last-name': {
      collateral: because('it is refused before the token is looked at', ...badCredentials),
      wrap: strict(create, (body) => body.last_name === undefined),
    },
  },
  'contacts-create-once': {
    'contacts-create-makes-two-of-full-records': {
      collateral: { 'idempotency-contact-create': 'the contact whose creation is repeated may be full' },
      wrap: twice((seen) => seen.operation === create && isFull(bodyOf(seen))),
    },
  },
  'contacts-list-contains': {
    'contacts-list-lacks-full-records': {
      collateral: {
        'pagination-total-exact': 'a contact is full only where the fields that make it so are shown',
        'pagination-sort-pages': 'a contact is full only where the fields that make it so are shown',
        'pagination-traversal-complete': 'who reads to the end has fewer than are counted',
        'pagination-has-more-remains': 'who reads to the end has fewer than are counted',
        'authentication-refused-effect': 'the contact beside which refused ones are looked for is full',
        'errors-malformed-json-effect': 'the contact beside which refused ones are looked for is full',
      },
      wrap: hiding(list, isFull),
    },
  },
  'contacts-list-record': {
    'contacts-list-shows-first-phone-only': onMember(list, 'phones', (phones) => phonesIn({ phones }).slice(0, 1)),
    'contacts-list-lacks-extensions': onMember(list, 'phones', (phones) =>
      phonesIn({ phones }).map(({ extension: _, ...phone }) => phone),
    ),
    'contacts-list-lacks-department': onMember(list, 'department', () => null),
    'contacts-list-shows-all-as-primary': onMember(list, 'is_primary', () => true),
  },
  'contacts-create-missing-type': {
    'contacts-missing-type-answers-400': onStatus(missing('contact_type'), 422, 400),
    'contacts-missing-type-is-sponsor': lenient(create, (body) => !('contact_type' in body), asSponsor),
  },
  'contacts-create-missing-company': {
    'contacts-missing-company-answers-404': onStatus(missing('company_id'), 422, 404),
    'contacts-missing-company-is-last': misfiling((body) => !('company_id' in body)),
  },
  'contacts-type-unknown': {
    'contacts-type-unknown-is-sponsor': lenient(create, typeOf('broker'), asSponsor),
    'contacts-type-takes-those-of-companies': lenient(create, typeOf('lender'), asSponsor),
    'contacts-type-empty-is-sponsor': lenient(create, typeOf(''), asSponsor),
  },
  'contacts-required-wrong-type': {
    'contacts-type-null-is-sponsor': lenient(create, typeOf(null), asSponsor),
    'contacts-type-number-is-sponsor': lenient(create, typeOf(42), asSponsor),
    'contacts-company-null-is-last': misfiling(({ company_id }) => company_id === null),
    'contacts-company-of-text-is-last': misfiling(({ company_id }) => typeof company_id === 'string'),
  },
  'contacts-create-refused-effect': {
    'contacts-refused-type-stored-as-sponsor': {
      collateral: { 'contacts-phone-refused-effect': 'the primary contact that is stored takes the place of another' },
      wrap: storesRefused(whereBody(create, typeOf('broker')), asSponsor),
    },
    'contacts-missing-type-refused-and-stored': storesRefused(missing('contact_type'), asSponsor),
    'contacts-forbidden-is-stored': asFirstCaller(create, false),
  },
  'contacts-create-forbidden': {
    'contacts-forbidden-answers-422': onStatus(create, 403, 422),
    'contacts-forbidden-is-carried-out': asFirstCaller(create, true),
  },
});
