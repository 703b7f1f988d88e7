// Triggers that a request shows by itself: who calls, which headers, which operation, which query.
import { operationIds } from '../../lib/catalogue/operations.ts';
import type { Caller, Moment } from './trigger.ts';
import { type Trigger, triggersOf } from './trigger.ts';

const called =
  (...callers: readonly Caller[]) =>
  ({ caller }: Moment) =>
    callers.includes(caller);

export const callerTriggers = triggersOf('caller', {
  'the primary key calls': called('primary'),
  'the restricted key calls': called('restricted'),
  'the secondary key calls': called('secondary'),
  'a session calls': called('session'),
  'a session without an account calls': called('homeless'),
  'the key for rate limits calls': called('rate'),
  'its sibling calls': called('sibling'),
  'a made key calls': called('made'),
  'a key made by a session calls': called('made-by-session'),
  'a key made by a made key calls': called('grandchild'),
  'any made key calls': called('made', 'made-by-session', 'grandchild'),
  'a session or a key of its making calls': called('session', 'made-by-session'),
  'nobody known calls': called('stranger'),
});

const sent = ({ headers }: Moment, name: string): string => headers.get(name) ?? '';
const isKey = ({ caller }: Moment): boolean => caller !== 'session' && caller !== 'homeless' && caller !== 'stranger';

export const headerTriggers = triggersOf('header', {
  'X-Active-Account is sent': ({ headers }) => headers.has('x-active-account'),
  'X-Active-Account names an account by slug': (moment) => /[a-z]/.test(sent(moment, 'x-active-account')),
  'X-Active-Account stands beside a key': (moment) => moment.headers.has('x-active-account') && isKey(moment),
  'a session sends no X-Active-Account': ({ headers, caller }) =>
    caller === 'session' && !headers.has('x-active-account'),
  'an Idempotency-Key is sent': ({ idempotencyKey }) => idempotencyKey !== 'none',
  'a fresh Idempotency-Key is sent': ({ idempotencyKey }) => idempotencyKey === 'fresh',
  'a used Idempotency-Key is sent': ({ idempotencyKey }) => idempotencyKey === 'used',
  'a write comes without Idempotency-Key': ({ idempotencyKey, method }) =>
    idempotencyKey === 'none' && method !== 'GET',
  'the Idempotency-Key is in capitals': (moment) => /[A-F]/.test(sent(moment, 'idempotency-key')),
  'an Idempotency-Key stands where the document does not list it': ({ idempotencyKey, operation }) =>
    idempotencyKey !== 'none' && !operation.includes('/notes'),
  'Content-Type names a charset': (moment) => sent(moment, 'content-type').includes('charset'),
});

const on =
  (pattern: RegExp) =>
  ({ operation }: Moment) =>
    pattern.test(operation);
const methods = ['GET', 'POST', 'PATCH', 'DELETE'];

export const operationTriggers: readonly Trigger[] = [
  ...triggersOf(
    'operation',
    Object.fromEntries(methods.map((one) => [`the method is ${one}`, on(new RegExp(`^${one} `))])),
  ),
  ...triggersOf(
    'operation',
    Object.fromEntries(
      operationIds.map((id) => [`the operation is ${id}`, ({ operation }: Moment) => operation === id]),
    ),
  ),
  ...triggersOf('operation', {
    'the operation is about billing': on(/\/billing\//),
    'the operation is about notes': on(/\/notes/),
    'the operation is about companies themselves': on(/\/companies(\/\{company_id\})?$/),
    'the operation is about contacts': on(/\/contacts/),
    'the operation is about keys': on(/api-key/),
    'the operation is about the caller': on(/ \/(me|account)/),
  }),
];

const asks =
  (...names: readonly string[]) =>
  ({ query, method }: Moment) =>
    method === 'GET' && names.every((name) => query.has(name));
const lacks =
  (...names: readonly string[]) =>
  ({ query }: Moment) =>
    names.every((name) => !query.has(name));
const fieldsOf = ({ query }: Moment): string[] => (query.get('fields') ?? '').split(',');

export const queryTriggers = triggersOf('query', {
  'a limit is given': asks('limit'),
  'no limit is given on a GET': (moment) => moment.method === 'GET' && lacks('limit')(moment),
  'there is no query at all on a GET': ({ query, method }) => method === 'GET' && query.size === 0,
  'fields are named': asks('fields'),
  'one field is named': (moment) => asks('fields')(moment) && fieldsOf(moment).length === 1,
  'three fields or more are named': (moment) => asks('fields')(moment) && fieldsOf(moment).length >= 3,
  'fields come without an identifier': (moment) =>
    asks('fields')(moment) && !fieldsOf(moment).some((name) => /^(id|\w+_id)$/.test(name)),
  'fields and a limit are given': asks('fields', 'limit'),
  'fields and a cursor are given': asks('fields', 'cursor'),
  'fields come without a limit': (moment) => asks('fields')(moment) && lacks('limit')(moment),
  'a cursor is given': asks('cursor'),
  'a cursor comes without a limit': (moment) => asks('cursor')(moment) && lacks('limit')(moment),
  'the cursor stands before the limit': (moment) => {
    const names = [...moment.query.keys()];
    return asks('cursor', 'limit')(moment) && names.indexOf('cursor') < names.indexOf('limit');
  },
  'a cursor and a sort are given': asks('cursor', 'sort'),
  'a sort is given': asks('sort'),
  'the sort descends': (moment) => asks('sort')(moment) && (moment.query.get('sort') ?? '').startsWith('-'),
  'the sort ascends': (moment) => asks('sort')(moment) && !(moment.query.get('sort') ?? '').startsWith('-'),
  'a sort and fields are given': asks('sort', 'fields'),
  'a sort and an offset are given': asks('sort', 'offset'),
  'an offset is given': asks('offset'),
  'an offset comes without a limit': (moment) => asks('offset')(moment) && lacks('limit')(moment),
  'an offset of 0 is given': (moment) => asks('offset')(moment) && moment.query.get('offset') === '0',
  'an offset of 3 or more is given': (moment) => Number(moment.query.get('offset')) >= 3,
});
