// Cases for the documented errors, for bodies that are not JSON, and for what is open; and the duties of every error.
import {
  type Api,
  anonymous,
  at,
  type Call,
  conforms,
  dataOf,
  defined,
  everyReply,
  expectThat,
  isObject,
  type OperationId,
  type Reply,
  wordOf,
} from '../../lib/index.ts';
import { answered, distinct, expectMember, isNonEmptyText, isText, wasAccepted } from '../shared/answer.ts';
import { errorDuties, protectedIds } from '../shared/groups.ts';
import { makeTargets, readTargets, writesOn } from '../shared/refusals.ts';
import { unknownId, unknownRoute } from './rules.ts';

function membersBeyond(replies: readonly Reply[]): string {
  const beyond = replies.flatMap(({ json }) => {
    const error = at(json, 'error');
    const outer = isObject(json) ? Object.keys(json).filter((name) => !['request_id', 'error'].includes(name)) : [];
    const inner = isObject(error) ? Object.keys(error).filter((name) => !['code', 'message'].includes(name)) : [];
    return [...outer, ...inner.map((name) => `error.${name}`)];
  });
  return distinct(beyond) || 'none';
}

const codeOf = (reply: Reply): string => `${reply.status} ${wordOf(at(reply.json, 'error', 'code'))}`;

const unknownCompany = { company_id: unknownId };
const onUnknownNote = { ...unknownCompany, note_id: unknownId };
const withoutCompany = { phones: [{ raw: 'none' }] };
const blankNote = ['POST /companies/{company_id}/notes', { path: unknownCompany, body: { text: ' \t\n' } }] as const;
const emptyEdit = [
  'PATCH /companies/{company_id}/notes/{note_id}',
  { path: onUnknownNote, body: { text: '' } },
] as const;
const emptyCompany = ['POST /companies', { body: {} }] as const;
type Calls = readonly (readonly [OperationId, Call])[];

/** Requests without credentials and with further defects: they count against no account's limit. */
const withoutCredentials: Calls = [
  ['GET /companies/{company_id}', { path: unknownCompany }],
  emptyEdit,
  blankNote,
  ['DELETE /companies/{company_id}/notes/{note_id}', { path: onUnknownNote }],
  emptyCompany,
  ['POST /contacts', { body: withoutCompany }],
  ['PATCH /me/active-account', { body: {} }],
  ['GET /companies', { query: { cursor: 'none', sort: '-created_at' } }],
  ['GET /contacts', { query: { cursor: 'none', sort: '-created_at' } }],
];

/** Requests with valid credentials and at least two documented defects. */
const withCredentials: Calls = [
  blankNote,
  ['POST /contacts', { body: { ...unknownCompany, ...withoutCompany } }],
  emptyEdit,
  emptyCompany,
];

async function sendAll(api: Api, calls: Calls): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const [operation, call] of calls) replies.push(await api.send(operation, call));
  return replies;
}

export const named = [
  conforms(
    ['errors-defects-combined', 'errors-check-order'],
    { needs: ['spare'], writes: [2, 2, 4] },
    async ({ api, spare, observe, effort }) => {
      const known = await sendAll(api.as(spare), effort === 'thorough' ? withCredentials : withCredentials.slice(0, 2));
      const unknown = await sendAll(api.as(anonymous), withoutCredentials);
      const [blankOnNothing] = known;
      const first = unknown.every(({ status }) => status === 401)
        ? 'credentials first'
        : 'not always credentials first';
      observe(
        'errors-check-order',
        `${first}; then a blank text on a company that does not exist: ${blankOnNothing?.status}`,
        ...known.slice(0, 1),
        ...unknown.slice(0, 1),
      );
    },
  ),

  conforms(
    ['errors-body-codes', 'errors-body-extra', 'errors-body-request-id-unique'],
    { needs: ['spare'], writes: true, feeds: errorDuties },
    async ({ api, spare, observe }) => {
      const replies = [
        await api.send('GET /companies/{company_id}', { path: { company_id: unknownId } }),
        // Lacks all required members; the rules judge the status.
        await api.as(spare).send('POST /companies', { body: {}, exactly: true }),
        await api.send('GET /companies', { query: { cursor: 'none', sort: '-created_at' } }),
      ];
      observe('errors-body-codes', distinct(replies.map(codeOf)), ...replies);
      observe('errors-body-extra', membersBeyond(replies), ...replies);
      const ids = replies.map(({ json }) => at(json, 'request_id'));
      const unique = new Set(ids).size === ids.length;
      observe('errors-body-request-id-unique', unique ? 'yes' : 'some are equal', ...replies);
    },
  ),

  conforms('errors-body-codes', { needs: ['restricted'], feeds: errorDuties }, async ({ api, restricted, observe }) => {
    const reply = await api.as(restricted).send('GET /billing/summary');
    observe('errors-body-codes', codeOf(reply), reply);
  }),
];

type JsonWrite = readonly [OperationId, string, Call];

type Damage = (json: string) => string;

/** Complete except for the last character. */
const cutShort: Damage = (json) => json.slice(0, -1);
/** A parser that reads from a stream stops at the end of the first value. */
const behindTheEnd: Damage = (json) => `${json} and more`;
/** Other bodies that no parser accepts as JSON. */
const others: readonly [Damage, ...Damage[]] = [
  (json) => `${json.slice(0, -1)},,}}`,
  (json) => json.slice(0, Math.ceil(json.length / 2)),
  () => 'text that is not JSON',
  () => '{"',
];

/** The number of operations; undefined: all. */
const sample = { quick: 3, standard: undefined, thorough: undefined } as const;

const withBody = (all: Calls): JsonWrite[] =>
  all.flatMap(([operation, { path, body }]) =>
    body ? [[operation, JSON.stringify(body), defined({ path })] as const] : [],
  );

export const malformed = [
  conforms(
    ['errors-malformed-json-envelope', 'errors-malformed-json-status', 'errors-malformed-json-effect'],
    { needs: ['spare', 'spareContact'], writes: [7, 11, 40], validates: [0, 1, 1], leaves: { companies: 1 } },
    async ({ api: primary, spare, spareContact, make, random, effort, clock, check, atEnd }) => {
      const api = primary.as(spare);
      const damage = async (sender: Api, [operation, json, call]: JsonWrite, how: Damage) => {
        const request = sender.send(operation, { ...call, text: how(json), key: random.uuid(), undocumented: true });
        const isAnswered = async () => void (await answered(request, () => api.send('GET /me')));
        // Rules do not see a missing reply.
        await check('errors-malformed-json-envelope', isAnswered, operation);
      };

      // Sent first: validations have the lowest limit, and a request beyond it waits until no other is sent.
      if (effort !== 'quick')
        await damage(api.as(anonymous), ['POST /auth/validate-api-key', '{"api_key": "svc_sk_none"}', {}], cutShort);
      const targets = await makeTargets({ make }, api, spareContact);
      const writes = random.shuffled(withBody(writesOn(targets, make.name('malformed'))));
      for (const write of writes.slice(0, sample[effort])) await damage(api, write, cutShort);
      // In every second run.
      const other = random.pick([behindTheEnd, random.pick(others)]);
      for (const how of { quick: [], standard: [other], thorough: [behindTheEnd, ...others] }[effort])
        for (const write of effort === 'thorough' ? writes : writes.slice(-1)) await damage(api, write, how);
      const slug = JSON.stringify({ slug: 'covenant-nobody' });
      await damage(api, ['PATCH /me/active-account', slug, {}], cutShort);
      const look = () => readTargets({ api, clock }, targets);
      await look();
      atEnd(look);
    },
  ),
];

const statuses = (names: readonly string[], replies: readonly Reply[]): string =>
  names.map((name, index) => `${name}: ${replies[index]?.status}`).join('; ');

export const observed = [
  conforms('errors-path-identifier-form', {}, async ({ api, observe }) => {
    const forms = ['abc', '-1', '0', '1.5'];
    const replies: Reply[] = [];
    for (const company_id of forms)
      replies.push(await api.send('GET /companies/{company_id}', { path: { company_id }, undocumented: true }));
    observe('errors-path-identifier-form', statuses(forms, replies), ...replies);
  }),

  conforms(
    'errors-unknown-members',
    { needs: ['spare', 'spareCompany'], writes: 2, beyondQuick: true },
    async ({ api, spare, spareCompany, make, random, observe }) => {
      const create = (call: Call) =>
        api.as(spare).send('POST /companies/{company_id}/notes', {
          path: { company_id: spareCompany.id },
          key: random.uuid(),
          undocumented: true,
          ...call,
        });
      const more = await create({ body: { text: make.name('note'), covenant_unknown: 'kept' } });
      const kept = at(dataOf(more), 'covenant_unknown') === 'kept' ? 'kept' : 'not kept';
      observe('errors-unknown-members', wasAccepted(more) ? `yes, ${kept}` : `no: ${more.status}`, more);
    },
  ),

  conforms('errors-unknown-route', {}, async ({ api }) => {
    for (const path of ['', '/companies/1']) await api.route('GET', `${path}/${unknownRoute}`);
  }),

  conforms('errors-wrong-method', { needs: ['spare'], writes: true }, async ({ api, spare }) => {
    await api.as(spare).route('PUT', '/companies', { body: {} });
    await api.as(anonymous).route('POST', '/health', { body: {} });
  }),

  conforms('errors-long-query', {}, async ({ api }) => {
    const fields = Array.from({ length: 240 }, (_, index) => `field_${index}`).join(',');
    await api.send('GET /companies', { query: { limit: 1, fields }, undocumented: true });
  }),

  conforms('errors-unshown-operations', { needs: ['contact'], writes: 0 }, async ({ api, contact, observe }) => {
    const deals = await api.route('GET', '/deals', { query: { limit: 1 } });
    const one = await api.route('GET', `/contacts/${encodeURIComponent(contact.id ?? 1)}`);
    observe('errors-unshown-operations', statuses(['GET /deals', 'GET /contacts/{id}'], [deals, one]), deals, one);
  }),
];

/** Other requirements judge 429. */
const isError = ({ status }: Reply): boolean => status >= 400 && status !== 429;
const isBody = (reply: Reply): boolean => isError(reply) && isObject(reply.json);
const hasError = (reply: Reply): boolean => isBody(reply) && isObject(at(reply.json, 'error'));

export const duties = [
  everyReply('errors-body-object', { over: protectedIds, applies: isError }, (reply) =>
    expectThat(hasError(reply), 'an error should be a JSON object with an object under error', {
      expected: '{"request_id": ..., "error": {"code": ..., "message": ...}}',
      actual: reply.text === '' ? 'no body' : reply.text.slice(0, 200),
      replies: reply,
    }),
  ),

  everyReply('errors-body-request-id', { over: protectedIds, applies: isBody }, (reply) =>
    expectMember(reply, 'request_id', isNonEmptyText, 'a text that is not empty'),
  ),

  ...(['code', 'message'] as const).map((name) =>
    everyReply(`errors-body-${name}`, { over: protectedIds, applies: hasError }, (reply) =>
      expectMember(reply, `error.${name}`, isText, 'a text'),
    ),
  ),
];
