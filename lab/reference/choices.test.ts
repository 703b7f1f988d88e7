// Every value of every choice has an effect.
import { expect, test } from 'vitest';
import { type Choices, choiceValues } from './index.ts';
import { type Answer, type Data, ids, type Trial, trial } from './trial.test-data.ts';

const company = { name: 'Aspen', company_type: 'lender' };
const contact = { contact_type: 'sponsor', company_id: 1 };
const phones = [{ raw: '(212) 555-0123' }];
const newNote = (t: Trial, text = 'x', headers = {}) => t.ask('POST /companies/2/notes', { body: { text }, headers });
const newContact = (t: Trial, more = {}) => t.ask('POST /contacts', { body: { ...contact, ...more } });
const newCompany = (t: Trial, more = {}, headers = {}) =>
  t.ask('POST /companies', { body: { ...company, ...more }, headers });
const names = (record: Data | undefined) => Object.keys(record ?? {});
const statusOf = async (answer: Promise<Answer>) => (await answer).status;

/** What a client sees of a choice; every value must show something different. */
type Look = (t: Trial) => Promise<unknown>;

const validateOf = async (t: Trial) =>
  (await t.ask('POST /auth/validate-api-key', { as: null, body: { api_key: 'x' } })).data;
const replayed: Look = async (t) => {
  const first = await newNote(t, 'x', { 'idempotency-key': 'k' });
  const again = await newNote(t, 'x', { 'idempotency-key': 'k' });
  const total = (await t.ask('GET /companies/2/notes')).pagination.total;
  return [again.status, again.text === first.text, again.status === 409 || again.data.id === first.data.id, total];
};
const active =
  (value: 'slug' | 'id'): Look =>
  async (t) => {
    const record = (await t.ask('GET /me/accounts', { as: 'JWT' })).data[1];
    return statusOf(t.ask('GET /companies', { as: 'JWT', headers: { 'x-active-account': String(record?.[value]) } }));
  };
/** Which requests are refused, spread over the end of a clock minute and of the first request's minute. */
const burst: Look = async (t) => {
  t.pass(50_000);
  const line: number[] = [];
  for (const wait of [0, 5_000, 5_000, 10_000, 30_000, 11_000, 1_000]) {
    t.pass(wait);
    for (let index = 0; index < 3; index += 1) line.push(await statusOf(t.ask('GET /me', { as: 'RATE_API_KEY' })));
  }
  return line;
};

const looks: { [Name in keyof Choices]: Look } = {
  companyIdentifier: async (t) => names((await newCompany(t)).data)[0],
  noteIdentifier: async (t) => names((await newNote(t)).data)[0],
  contactIdentifier: async (t) => names((await newContact(t)).data)[0],
  contactIdentifierType: async (t) => typeof (await newContact(t)).data.id,
  firstIdentifier: async (t) => Math.min(...ids(await t.ask('GET /companies'))),
  absent: async (t) => [(await newContact(t)).data.phones, names((await newCompany(t)).data).includes('city')],
  extraFields: async (t) => names((await newCompany(t)).data).includes('etag'),
  phoneRecord: async (t) => names((await newContact(t, { phones })).data.phones?.[0]),
  outerSpace: async (t) => (await newNote(t, ' x ')).data.text,
  unknownOrganization: async (t) => [
    await statusOf(newCompany(t, { org_id: 5 })),
    await statusOf(newCompany(t, { org_id: 1_001 })),
  ],
  secondPrimary: async (t) => {
    await newContact(t, { is_primary: true });
    await newContact(t, { is_primary: true });
    return (await t.ask('GET /contacts?limit=2')).data.map(({ is_primary }) => is_primary);
  },
  timestamps: async (t) => (await t.ask('GET /me')).envelope.timestamp,
  requestIds: async (t) => String((await t.ask('GET /me')).envelope.request_id).length,
  listOrder: async (t) => ids(await t.ask('GET /companies')),
  shortPages: async (t) => ids(await t.ask('GET /companies?limit=8')).length,
  cursorAlphabet: async (t) => {
    const cursor = String((await t.ask('GET /companies?limit=1')).pagination.next_cursor);
    const next = await t.ask(`GET /companies?limit=1&cursor=${encodeURIComponent(cursor)}`);
    return [next.status, cursor];
  },
  limitOutOfRange: async (t) => {
    const answers = await Promise.all(['201', '0', 'x'].map((limit) => t.ask(`GET /companies?limit=${limit}`)));
    return answers.map(({ status, pagination }) => [status, pagination.limit]);
  },
  firstPageCursor: async (t) => Object.hasOwn((await t.ask('GET /companies')).pagination, 'cursor'),
  lastPageCursor: async (t) => Object.hasOwn((await t.ask('GET /companies')).pagination, 'next_cursor'),
  sortSupported: async (t) => statusOf(t.ask('GET /companies?sort=name')),
  listLagMs: async (t) => {
    const { id } = (await newCompany(t)).data;
    const seen = [(await t.ask(`GET /companies/${id}`)).status];
    for (const wait of [0, 1_000, 4_000]) {
      t.pass(wait);
      const { pagination, data } = await t.ask('GET /companies');
      seen.push(Number(pagination.total), data.length);
    }
    return seen;
  },
  accountsPaginated: async (t) => (await t.ask('GET /me/accounts', { as: 'JWT' })).pagination,
  teamMode: async (t) => names((await t.ask('GET /account/team')).pagination as Data),
  keysListed: async (t) => (await t.ask('GET /api-keys')).pagination.total,
  keysNumbered: async (t) => [
    (await t.ask('GET /api-keys', { as: 'API_KEY_SECONDARY' })).data[0]?.id,
    await statusOf(t.ask('DELETE /api-keys/1', { as: 'API_KEY_SECONDARY' })),
  ],
  refusal: async (t) => [
    await statusOf(newCompany(t, { name: 5 })),
    await statusOf(t.ask('POST /companies', { body: {} })),
  ],
  noteEmptyOnCreate: async (t) => statusOf(newNote(t, '')),
  unknownContactCompany: async (t) => statusOf(newContact(t, { company_id: 999_999 })),
  checkOrder: async (t) => statusOf(t.ask('PATCH /companies/999999', { body: { name: 5 } })),
  unknownContentType: async (t) => statusOf(newCompany(t, {}, { 'content-type': 'text/plain' })),
  missingOriginApp: async (t) => {
    const headers = { authorization: `Bearer ${t.env.COVENANT_API_KEY}` };
    return (await t.handler(new Request('http://sandbox.test/api/external/v2/me', { headers }))).status;
  },
  wrongMethod: async (t) => statusOf(t.ask('PUT /companies')),
  bearer: async (t) => statusOf(t.ask('GET /me', { headers: { authorization: `bearer ${t.env.COVENANT_API_KEY}` } })),
  foreignActiveAccount: async (t) =>
    statusOf(t.ask('GET /me', { as: 'JWT', headers: { 'x-active-account': 'lakeshore' } })),
  activeAccountValue: async (t) => [await active('slug')(t), await active('id')(t)],
  meShape: async (t) => names((await t.ask('GET /me')).data),
  rateLimitsShape: async (t) => (await t.ask('GET /me')).data.platform?.rate_limits,
  keyCreation: async (t) => statusOf(t.ask('POST /api-keys', { body: { label: 'x' } })),
  restrictedMayCreateKeys: async (t) =>
    statusOf(t.ask('POST /api-keys', { as: 'API_KEY_RESTRICTED', body: { label: 'x' } })),
  maxKeys: async (t) => (await t.ask('GET /me')).data.max_api_keys,
  unknownKeyDeletion: async (t) => [
    (await t.ask('DELETE /api-keys/999')).status,
    (await t.ask('DELETE /api-keys/999')).data,
  ],
  foreignKeyDeletion: async (t) => {
    const { status, data } = await t.ask('DELETE /api-keys/2');
    expect(await statusOf(t.ask('GET /me', { as: 'API_KEY_RESTRICTED' }))).toBe(200);
    return [status, data];
  },
  lastUsedAt: async (t) => (await t.ask('GET /api-keys')).data[0]?.last_used_at,
  invalidKeyDetails: async (t) => names(await validateOf(t)),
  replay: replayed,
  reusedIdempotencyKey: async (t) => {
    await newNote(t, 'one', { 'idempotency-key': 'k' });
    return statusOf(newNote(t, 'two', { 'idempotency-key': 'k' }));
  },
  idempotentCreates: async (t) => {
    for (let index = 0; index < 2; index += 1) await newCompany(t, {}, { 'idempotency-key': 'k' });
    return (await t.ask('GET /companies')).pagination.total;
  },
  limiter: burst,
  refusedCount: burst,
  validateBudget: async (t) => {
    const ask = () => t.ask('POST /auth/validate-api-key', { as: null, body: { api_key: t.env.COVENANT_API_KEY } });
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) statuses.push((await ask()).status);
    return [statuses, (await t.ask('GET /me')).data.platform?.rate_limits];
  },
  waitMessage: async (t) => (await exhausted(t)).error.message,
  retryAfter: async (t) => (await exhausted(t)).headers.has('retry-after'),
};

async function exhausted(t: Trial): Promise<Answer> {
  for (let index = 0; index < 50; index += 1) await t.ask('GET /me', { as: 'RATE_API_KEY' });
  return t.ask('GET /me', { as: 'RATE_API_KEY' });
}

const limitChoices = ['limiter', 'refusedCount', 'validateBudget', 'waitMessage', 'retryAfter'];

test.each(Object.keys(choiceValues) as (keyof Choices)[])(
  'every value of %s has its own visible effect',
  async (name) => {
    const seen: string[] = [];
    for (const choice of choiceValues[name]) {
      // Whether refused requests count makes a difference in a sliding window.
      const also = name === 'refusedCount' ? { limiter: 'sliding' as const } : {};
      const options = limitChoices.includes(name) ? { tiers: { starter: { read: 8 } } } : {};
      const t = await trial({ ...also, [name]: choice }, options);
      seen.push(JSON.stringify((await looks[name](t)) ?? 'nothing'));
    }
    expect(new Set(seen).size).toBe(choiceValues[name].length);
  },
);
