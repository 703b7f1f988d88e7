// Wrong ways to create and show companies.
import { type Mutant, mutant, type Wrap } from '../mutant.ts';
import { onStatus, refusal, type Seen, see } from '../wrappers/mutator.ts';
import {
  asFirstCaller,
  beyondAll,
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

const create = 'POST /companies';
const read = 'GET /companies/{company_id}';
const edit = 'PATCH /companies/{company_id}';
const list = 'GET /companies';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const isFull = ({ linkedin_url }: Json): boolean => typeof linkedin_url === 'string';

/** Shows something else of a company younger than so long, if nobody has edited it. */
const whileYoung =
  (ms: number, change: (record: Json) => Json): Wrap =>
  (honest, clock) => {
    const births = new Map<string, number>();
    return async (request) => {
      const seen = await see(request);
      const id = seen.url.pathname.split('/').at(-1) ?? '';
      if (seen.operation === edit) births.delete(id);
      const young = seen.operation === read && clock.now() - (births.get(id) ?? -ms) < ms;
      const response = await (young ? onRecords(read, change)(honest, clock)(request) : honest(request));
      if (seen.operation !== create || response.status !== 201) return response;
      const { data } = (await response.clone().json()) as { data: Json };
      if (isFull(data)) births.set(String(data.id), clock.now());
      return response;
    };
  };

const showing: readonly Mutant[] = [
  mutant(
    'companies-create-tells-id-as-text',
    { breaks: ['companies-create-id'] },
    onRecords(create, (one) => ({ ...one, id: String(one.id) })),
  ),
  mutant(
    'companies-create-tells-no-id',
    { breaks: ['companies-create-id'] },
    onRecords(create, ({ id: _, ...one }) => one),
  ),
  mutant(
    'companies-create-escapes-ampersands',
    { breaks: ['companies-create-name'] },
    onBody(create, (body) => ({
      ...body,
      ...(typeof body.name === 'string' ? { name: body.name.replaceAll('&', '&amp;') } : {}),
    })),
  ),
  mutant(
    'companies-create-folds-umlauts',
    { breaks: ['companies-create-name'] },
    onBody(create, (body) => ({
      ...body,
      ...(typeof body.name === 'string' ? { name: body.name.replaceAll('ü', 'ue') } : {}),
    })),
  ),
  mutant(
    'companies-sponsor-comes-back-as-lender',
    { breaks: ['companies-create-type'] },
    onBody(create, (body) => (body.company_type === 'sponsor' ? { ...body, company_type: 'lender' } : body)),
  ),
  mutant(
    'companies-create-reads-zip-as-number',
    { breaks: ['companies-create-fields'] },
    onBody(create, (body) => (typeof body.zip === 'string' ? { ...body, zip: String(Number(body.zip)) } : body)),
  ),
  mutant(
    'companies-create-drops-linkedin',
    { breaks: ['companies-create-fields'] },
    onBody(create, ({ linkedin_url: _, ...body }) => body),
  ),
  mutant(
    'companies-create-exchanges-city-and-state',
    { breaks: ['companies-create-fields'] },
    onBody(create, (body) => ('city' in body ? { ...body, city: body.state, state: body.city } : body)),
  ),
  mutant(
    'companies-create-makes-two-of-full-records',
    { breaks: ['companies-create-once'] },
    twice((seen) => seen.operation === create && isFull(bodyOf(seen))),
  ),
  mutant(
    'companies-sponsor-needs-website',
    { breaks: ['companies-create-required-only'] },
    strict(create, (body) => body.company_type === 'sponsor' && body.website === undefined),
  ),
  mutant(
    'companies-read-invents-website-where-there-is-none',
    { breaks: ['companies-read-record'] },
    onRecords(read, (one) => ({ ...one, website: one.website ?? 'https://www.example.com/' })),
  ),
  mutant(
    'companies-read-misses-address-for-two-seconds',
    { breaks: ['companies-read-record'] },
    whileYoung(2000, (one) => ({ ...one, address: null })),
  ),
  mutant(
    'companies-list-lacks-full-records',
    {
      breaks: ['companies-list-contains'],
      collateral: { 'pagination-total-exact': 'What is missing still counts.' },
    },
    hiding(list, isFull),
  ),
  mutant(
    'companies-list-shortens-website',
    { breaks: ['companies-list-record'] },
    onRecords(list, (one) =>
      typeof one.website === 'string' ? { ...one, website: new URL(one.website).origin } : one,
    ),
  ),
  mutant(
    'companies-read-unknown-answers-400',
    { breaks: ['companies-read-unknown'] },
    beyondAll(read, () => refusal(400, 'BAD_REQUEST', 'No such company')),
  ),
  mutant(
    'companies-read-unknown-answers-410',
    { breaks: ['companies-read-unknown'] },
    beyondAll(read, () => refusal(410, 'GONE', 'No such company')),
  ),
];

const lengths: readonly Mutant[] = [
  mutant(
    'companies-name-counted-in-bytes',
    { breaks: ['companies-name-lengths'] },
    strict(create, ({ name }) => Buffer.byteLength(text(name)) > 255),
  ),
  mutant(
    'companies-name-of-255-refused',
    { breaks: ['companies-name-lengths'] },
    strict(create, ({ name }) => text(name).length > 254),
  ),
  mutant(
    'companies-name-of-1-refused',
    { breaks: ['companies-name-lengths'] },
    strict(create, ({ name }) => text(name).length === 1),
  ),
  mutant(
    'companies-name-cut-to-254',
    { breaks: ['companies-name-lengths'] },
    lenient(
      create,
      ({ name }) => text(name).length === 255,
      (body) => ({ ...body, name: text(body.name).slice(0, 254) }),
    ),
  ),
  mutant(
    'companies-name-of-256-cut',
    { breaks: ['companies-name-out-of-bounds'] },
    lenient(
      create,
      ({ name }) => text(name).length === 256,
      (body) => ({ ...body, name: text(body.name).slice(0, 255) }),
    ),
  ),
  mutant(
    'companies-name-of-256-accepted-outside-ascii',
    { breaks: ['companies-name-out-of-bounds'] },
    lenient(
      create,
      ({ name }) => text(name).length === 256 && text(name).startsWith('Ü'),
      (body) => ({ ...body, name: text(body.name).slice(0, 255) }),
    ),
  ),
  mutant(
    'companies-name-empty-replaced',
    { breaks: ['companies-name-out-of-bounds'] },
    lenient(
      create,
      ({ name }) => name === '',
      (body) => ({ ...body, name: 'Unnamed' }),
    ),
  ),
];

const missing = (name: string) => (seen: Seen) =>
  seen.operation === create && isJson(seen.body) && !(name in seen.body);
const named = (body: Json): Json => ({ ...body, name: 'Unnamed' });
const asLender = (body: Json): Json => ({ ...body, company_type: 'lender' });

const refusing: readonly Mutant[] = [
  mutant(
    'companies-missing-name-answers-400',
    { breaks: ['companies-create-missing-name'] },
    onStatus(missing('name'), 422, 400),
  ),
  mutant(
    'companies-missing-name-replaced',
    { breaks: ['companies-create-missing-name'] },
    lenient(create, (body) => !('name' in body), named),
  ),
  mutant(
    'companies-missing-type-answers-400',
    { breaks: ['companies-create-missing-type'] },
    onStatus(missing('company_type'), 422, 400),
  ),
  mutant(
    'companies-missing-type-is-lender',
    { breaks: ['companies-create-missing-type'] },
    lenient(create, (body) => !('company_type' in body), asLender),
  ),
  mutant(
    'companies-type-unknown-is-lender',
    { breaks: ['companies-type-unknown'] },
    lenient(create, ({ company_type }) => company_type === 'broker', asLender),
  ),
  mutant(
    'companies-type-takes-those-of-contacts',
    { breaks: ['companies-type-unknown'] },
    lenient(create, ({ company_type }) => company_type === 'lender_contact', asLender),
  ),
  mutant(
    'companies-type-empty-is-lender',
    { breaks: ['companies-type-unknown'] },
    lenient(create, ({ company_type }) => company_type === '', asLender),
  ),
  mutant(
    'companies-name-number-becomes-text',
    { breaks: ['companies-required-wrong-type'] },
    lenient(
      create,
      ({ name }) => typeof name === 'number',
      (body) => ({ ...body, name: String(body.name) }),
    ),
  ),
  mutant(
    'companies-name-null-replaced',
    { breaks: ['companies-required-wrong-type'] },
    lenient(create, ({ name }) => name === null, named),
  ),
  mutant(
    'companies-type-null-is-lender',
    { breaks: ['companies-required-wrong-type'] },
    lenient(create, ({ company_type }) => company_type === null, asLender),
  ),
  mutant(
    'companies-type-of-array-is-unwrapped',
    { breaks: ['companies-required-wrong-type'] },
    lenient(create, ({ company_type }) => Array.isArray(company_type), asLender),
  ),
  mutant(
    'companies-refused-name-stored-cut',
    { breaks: ['companies-create-refused-effect'] },
    storesRefused(
      (seen) => seen.operation === create && text(bodyOf(seen).name).length === 256,
      (body) => ({ ...body, name: text(body.name).slice(0, 255) }),
    ),
  ),
  mutant(
    'companies-refused-type-stored-as-lender',
    { breaks: ['companies-create-refused-effect'] },
    storesRefused((seen) => seen.operation === create && text(bodyOf(seen).company_type) === 'broker', asLender),
  ),
  mutant('companies-forbidden-answers-404', { breaks: ['companies-create-forbidden'] }, onStatus(create, 403, 404)),
  mutant('companies-forbidden-is-carried-out', { breaks: ['companies-create-forbidden'] }, asFirstCaller(create, true)),
  mutant(
    'companies-forbidden-is-stored',
    { breaks: ['companies-create-refused-effect'] },
    asFirstCaller(create, false),
  ),
];

export default [...showing, ...lengths, ...refusing];
