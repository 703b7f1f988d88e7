// Cases for the documented errors: one of each status with few requests, and several defects at once.
import {
  type Api,
  anonymous,
  at,
  type Call,
  conforms,
  isObject,
  type OperationId,
  type Reply,
  wordOf,
} from '../../lib/index.ts';
import { distinct } from '../shared/answer.ts';
import { errorDuties } from '../shared/groups.ts';
import { unknownId } from './rules.ts';

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

/** Requests without credentials and with further defects: they count against no account's limit. */
const withoutCredentials: readonly (readonly [OperationId, Call])[] = [
  ['GET /companies/{company_id}', { path: { company_id: unknownId } }],
  [
    'PATCH /companies/{company_id}/notes/{note_id}',
    { path: { company_id: unknownId, note_id: unknownId }, body: { text: '' } },
  ],
  ['POST /companies/{company_id}/notes', { path: { company_id: unknownId }, body: { text: ' \t\n' } }],
  ['DELETE /companies/{company_id}/notes/{note_id}', { path: { company_id: unknownId, note_id: unknownId } }],
  ['POST /companies', { body: {} }],
  ['POST /contacts', { body: { phones: [{ raw: 'none' }] } }],
  ['PATCH /me/active-account', { body: {} }],
  ['GET /companies', { query: { cursor: 'none', sort: '-created_at' } }],
  ['GET /contacts', { query: { cursor: 'none', sort: '-created_at' } }],
];

/** Requests with valid credentials and at least two documented defects. */
const withCredentials: readonly (readonly [OperationId, Call])[] = [
  ['POST /companies/{company_id}/notes', { path: { company_id: unknownId }, body: { text: ' \t\n' } }],
  ['POST /contacts', { body: { company_id: unknownId, phones: [{ raw: 'none' }] } }],
  [
    'PATCH /companies/{company_id}/notes/{note_id}',
    { path: { company_id: unknownId, note_id: unknownId }, body: { text: '' } },
  ],
  ['POST /companies', { body: {} }],
];

async function sendAll(api: Api, calls: typeof withCredentials): Promise<Reply[]> {
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
