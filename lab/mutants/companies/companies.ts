// Wrong ways to create and show companies.

import { mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, instead, lastSegment, onStatus, refusal, see } from '../wrappers/mutator.ts';
import {
  createCompany as create,
  editCompany as edit,
  companies as list,
  readCompany as read,
} from '../wrappers/operations.ts';
import {
  asFirstCaller,
  beyondAll,
  bodyOf,
  borrowing,
  hiding,
  lenient,
  onBody,
  onRecords,
  onText,
  storesRefused,
  strict,
  twice,
  whereBody,
} from '../wrappers/records.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const isFull = ({ linkedin_url }: Json): boolean => typeof linkedin_url === 'string';

/** Changes what is shown of a company for `ms` after its creation, unless it was edited. */
const whileYoung =
  (ms: number, change: (record: Json) => Json): Wrap =>
  (honest, clock) => {
    const createdAt = new Map<string, number>();
    return async (request) => {
      const seen = await see(request);
      const id = lastSegment(seen);
      if (seen.operation === edit) createdAt.delete(id);
      const isNew = seen.operation === read && clock.now() - (createdAt.get(id) ?? -ms) < ms;
      const response = await (isNew ? onRecords(read, change)(honest, clock)(request) : honest(request));
      if (seen.operation !== create || response.status !== 201) return response;
      const { data } = (await response.clone().json()) as { data: Json };
      if (isFull(data)) createdAt.set(String(data.id), clock.now());
      return response;
    };
  };

const lowBits = (digits: string): string => String(BigInt.asUintN(32, BigInt(digits)));
/** Reads the number in the path by its low 32 bits. */
const inLowBits: Wrap = instead(read, async (seen, honest) =>
  honest(await altered(seen, { url: seen.url.href.replace(/(?<=\/companies\/)\d+(?=$|\?)/, lowBits) })),
);

const missing = (name: string) => whereBody(create, (body) => !(name in body));
const named = (body: Json): Json => ({ ...body, name: 'Unnamed' });
const asLender = (body: Json): Json => ({ ...body, company_type: 'lender' });

/** Takes the word null for no value. */
const withoutWord = (name: string): Wrap => onText(create, name, (value) => (/^null$/i.test(value) ? null : value));

/** A name of so many characters, and the name cut to as many. */
const isOf =
  (length: number) =>
  ({ name }: Json): boolean =>
    text(name).length === length;
const cutTo = (length: number) => (body: Json) => ({ ...body, name: text(body.name).slice(0, length) });
const typeOf =
  (type: unknown) =>
  ({ company_type }: Json): boolean =>
    company_type === type;

export default mutants({
  'companies-create-id': {
    'companies-create-tells-id-as-text': onRecords(create, (one) => ({ ...one, id: String(one.id) })),
    'companies-create-tells-no-id': onRecords(create, ({ id: _, ...one }) => one),
  },
  'companies-create-name': {
    'companies-create-escapes-ampersands': onText(create, 'name', (name) => name.replaceAll('&', '&amp;')),
    'companies-create-folds-umlauts': onText(create, 'name', (name) => name.replaceAll('ü', 'ue')),
  },
  'companies-create-type': {
    'companies-sponsor-comes-back-as-lender': onText(create, 'company_type', (type) =>
      type === 'sponsor' ? 'lender' : type,
    ),
  },
  'companies-create-fields': {
    'companies-create-reads-zip-as-number': onText(create, 'zip', (zip) => String(Number(zip))),
    'companies-create-takes-a-city-called-null-for-none': withoutWord('city'),
    'companies-create-takes-an-address-called-null-for-none': withoutWord('address'),
    'companies-create-drops-organizations': onBody(create, ({ org_id: _, ...body }) => body),
    'companies-create-tells-organizations-as-text': onRecords(create, ({ org_id, ...one }) => ({
      ...one,
      org_id: typeof org_id === 'number' ? String(org_id) : org_id,
    })),
    'companies-create-drops-linkedin': onBody(create, ({ linkedin_url: _, ...body }) => body),
    'companies-create-fills-with-those-before': borrowing(create, ['name', 'company_type']),
    'companies-create-exchanges-city-and-state': onBody(create, (body) =>
      'city' in body ? { ...body, city: body.state, state: body.city } : body,
    ),
  },
  'companies-create-once': {
    'companies-create-makes-two-of-full-records': {
      collateral: { 'idempotency-company-create': 'the company that is created again is a full record' },
      wrap: twice((seen) => seen.operation === create && isFull(bodyOf(seen))),
    },
  },
  'companies-create-required-only': {
    'companies-sponsor-needs-website': {
      collateral: { 'companies-create-forbidden': 'whoever may create none is refused for want of the website' },
      wrap: strict(create, (body) => body.company_type === 'sponsor' && body.website === undefined),
    },
  },
  'companies-read-record': {
    'companies-read-invents-website-where-there-is-none': onRecords(read, (one) => ({
      ...one,
      website: one.website ?? 'https://www.example.com/',
    })),
    'companies-read-misses-address-for-two-seconds': {
      collateral: {
        'companies-edit-effect': 'a company that is edited while it is young is read without its address',
        'companies-edit-others': 'its neighbours have their address by the time that it is edited',
      },
      wrap: whileYoung(2000, (one) => ({ ...one, address: null })),
    },
  },
  'companies-list-contains': {
    'companies-list-lacks-full-records': {
      collateral: {
        'pagination-total-exact': 'the missing companies still count',
        'pagination-traversal-complete': 'who reads to the end has fewer than are counted',
        'pagination-has-more-remains': 'who reads to the end has fewer than are counted',
        'pagination-sort-pages': 'the missing companies are missing in sorted pages, too',
        'errors-malformed-json-effect': 'the company that is looked for may have a full record',
      },
      wrap: hiding(list, isFull),
    },
  },
  'companies-list-record': {
    'companies-list-shortens-website': onRecords(list, (one) =>
      typeof one.website === 'string' ? { ...one, website: new URL(one.website).origin } : one,
    ),
  },
  'companies-read-unknown': {
    'companies-read-unknown-answers-400': beyondAll(read, () => refusal(400, 'BAD_REQUEST', 'No such company')),
    'companies-read-by-low-32-bits': inLowBits,
    'companies-read-unknown-answers-410': beyondAll(read, () => refusal(410, 'GONE', 'No such company')),
  },
  'companies-name-lengths': {
    'companies-name-counted-in-bytes': strict(create, ({ name }) => Buffer.byteLength(text(name)) > 255),
    'companies-name-of-255-refused': strict(create, ({ name }) => text(name).length > 254),
    'companies-name-of-1-refused': strict(create, isOf(1)),
    'companies-name-cut-to-254': lenient(create, isOf(255), cutTo(254)),
  },
  'companies-name-out-of-bounds': {
    'companies-name-of-256-cut': lenient(create, isOf(256), cutTo(255)),
    'companies-name-of-256-accepted-outside-ascii': lenient(
      create,
      (body) => isOf(256)(body) && text(body.name).startsWith('Ü'),
      cutTo(255),
    ),
    'companies-name-empty-replaced': lenient(create, ({ name }) => name === '', named),
  },
  'companies-create-missing-name': {
    'companies-missing-name-answers-400': onStatus(missing('name'), 422, 400),
    'companies-missing-name-replaced': lenient(create, (body) => !('name' in body), named),
  },
  'companies-create-missing-type': {
    'companies-missing-type-answers-400': {
      collateral: { 'companies-create-missing-name': 'where the name is missing as well, it is refused like this' },
      wrap: onStatus(missing('company_type'), 422, 400),
    },
    'companies-missing-type-is-lender': lenient(create, (body) => !('company_type' in body), asLender),
  },
  'companies-type-unknown': {
    'companies-type-unknown-is-lender': lenient(create, typeOf('broker'), asLender),
    'companies-type-takes-those-of-contacts': lenient(create, typeOf('lender_contact'), asLender),
    'companies-type-empty-is-lender': lenient(create, typeOf(''), asLender),
  },
  'companies-required-wrong-type': {
    'companies-name-number-becomes-text': lenient(
      create,
      ({ name }) => typeof name === 'number',
      (body) => ({ ...body, name: String(body.name) }),
    ),
    'companies-name-null-replaced': lenient(create, ({ name }) => name === null, named),
    'companies-type-null-is-lender': lenient(create, typeOf(null), asLender),
    'companies-type-of-array-is-unwrapped': lenient(
      create,
      ({ company_type }) => Array.isArray(company_type),
      asLender,
    ),
  },
  'companies-create-refused-effect': {
    'companies-refused-name-stored-cut': storesRefused(whereBody(create, isOf(256)), cutTo(255)),
    'companies-refused-type-stored-as-lender': storesRefused(whereBody(create, typeOf('broker')), asLender),
    'companies-forbidden-is-stored': asFirstCaller(create, false),
  },
  'companies-create-forbidden': {
    'companies-forbidden-answers-404': onStatus(create, 403, 404),
    'companies-forbidden-is-carried-out': asFirstCaller(create, true),
  },
});
