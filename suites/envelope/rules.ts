// Rules for documented reads by callers that may send them: no refusal for the parameters, and no 500 for a live key.
import {
  accountHeaderOf,
  fieldNames,
  grouped,
  isBare,
  isLimit,
  isOutage,
  isSession,
  isStored,
  type Judge,
  lagMsMax,
  operations,
  queryOf,
  type Reply,
  type Rule,
  refusals,
  restricted,
  rules,
  tokenOf,
  type World,
  wasAccepted,
  wasThere,
} from '../../lib/index.ts';
import { charsets, creations } from './creation-rules.ts';

export const served: Rule = (world, judge) => {
  const plain = world.replies.filter(isPlain);
  judgeRefusals(plain, world, judge);
  for (const reply of world.replies) judgeOutage(reply, world, judge);
  for (const alike of byUser(plain, world)) for (const reply of alike) judgeForbidden(reply, alike, world, judge);
};

/** A read with no parameters but a valid `limit`, an `offset` for API keys, and documented `fields`. */
function isPlain({ operation, request, undocumented }: Reply): boolean {
  if (operation === undefined || undocumented || operation.includes('{')) return false;
  // The document does not say what happens without X-Origin-App.
  if (request.headers['x-origin-app'] === undefined) return false;
  const { protected: isProtected, rate, list } = operations[operation];
  if (!isProtected || rate !== 'read') return false;
  return [...queryOf({ request })].every(([name, value]) => {
    if (name === 'limit') return (list === 'cursor' || list === 'offset') && isLimit(value);
    if (name === 'offset') return operation === 'GET /api-keys' && /^\d{1,4}$/.test(value);
    const known = fieldNames[operation];
    return name === 'fields' && known !== undefined && value.split(',').every((one) => known.includes(one));
  });
}

/** The sender and its headers; other rules judge the effect of the headers. */
const callerOf = ({ operation, credential, request: { headers } }: Reply): string =>
  JSON.stringify([operation, credential, headers['x-active-account'], headers['x-origin-app'], headers.accept]);
/** The requested fields; a target may not support one of them. */
const shapeOf = ({ operation, request }: Reply): string => `${operation} ${queryOf({ request }).get('fields')}`;
/** Other requirements judge the smallest and the largest limit. */
const isBound = ({ request }: Reply): boolean => /^(1|200)$/.test(queryOf({ request }).get('limit') ?? '');

function judgeRefusals(plain: readonly Reply[], { callers }: World, { expect }: Judge): void {
  const accepted = plain.filter(wasAccepted);
  const known = new Set(accepted.map(callerOf));
  const shapes = new Set(accepted.map(shapeOf));
  for (const reply of plain) {
    if (callers.mayBeOnOtherAccount(reply) || !known.has(callerOf(reply)) || !shapes.has(shapeOf(reply))) continue;
    const id = isBound(reply) ? 'pagination-limit-bounds' : 'envelope-valid-served';
    const holds = !refusals.includes(reply.status);
    expect(id, reply, holds, 'a valid request should be carried out', { expected: '2xx' });
  }
}

/** A session without an active account may be refused, but not with 500. */
function judgeOutage(reply: Reply, world: World, { expect }: Judge): void {
  if (!isOutage(reply) || !world.keys.isLive(tokenOf(reply), reply)) return;
  const { method } = reply.request;
  const isOfOwn = isBare(reply) && (method === 'GET' || method === 'DELETE') && wasThere(reply, world);
  if (!isPlain(reply) && !isOfOwn) return;
  const found = { expected: isStored(reply) ? '2xx or 400' : '2xx' };
  expect('envelope-valid-served', reply, false, 'a valid request should not end in an outage', found);
}

/** Replies by operation and user, without sessions and X-Active-Account. */
function byUser(plain: readonly Reply[], { callers }: World): Iterable<readonly Reply[]> {
  const ownerOf = ({ credential }: Reply): string => callers.ownerOf(credential);
  // Without the restricted key. Access it should not have is judged by `*-scope`.
  const ofKeys = plain.filter(
    (reply) => !isSession(reply.credential) && accountHeaderOf(reply) === undefined && ownerOf(reply) !== restricted,
  );
  // A session may create keys on any of its accounts.
  const nameOf = (reply: Reply): string => (isSession(ownerOf(reply)) ? reply.credential : ownerOf(reply));
  return grouped(ofKeys, (reply) => `${reply.operation} ${nameOf(reply)}`).values();
}

/** A user's keys keep a permission that they have before and after. A key never accepted may lack it. */
function judgeForbidden(reply: Reply, alike: readonly Reply[], { keys }: World, { expect }: Judge): void {
  if (reply.status !== 403 || !keys.isLive(tokenOf(reply), reply)) return;
  const accepted = alike.filter(wasAccepted);
  const isKnown =
    accepted.some(({ id }) => id <= reply.after) &&
    accepted.some(({ after }) => after >= reply.id) &&
    accepted.some(({ credential }) => credential === reply.credential);
  const found = { expected: '2xx, as before and after' };
  if (isKnown)
    expect('envelope-valid-served', reply, false, '403 although the same key was accepted before and after', found);
}

/** The name of the calling application is free text: under another one the same call was accepted. */
export const origins: Rule<'envelope-origin-app-text'> = ({ replies, callers, keys }, { expect }) => {
  const originOf = ({ request }: Reply) => request.headers['x-origin-app'];
  const plain = replies.filter((reply) => isPlain(reply) && !callers.mayBeOnOtherAccount(reply));
  const callOf = (reply: Reply): string =>
    `${reply.operation} ${reply.credential} ${accountHeaderOf(reply)} ${queryOf(reply)}`;
  const accepted = grouped(plain.filter(wasAccepted), callOf);
  for (const reply of plain.filter((one) => keys.isLive(tokenOf(one), one))) {
    const alike = accepted.get(callOf(reply)) ?? [];
    const other = alike.find((one) => originOf(one) !== originOf(reply));
    // Where the same name was accepted, something else is the cause, as where a session has lost its account.
    const isOfName =
      !(reply.status === 400 && isSession(reply.credential)) &&
      [401, 403, ...refusals].includes(reply.status) &&
      !alike.some((one) => originOf(one) === originOf(reply));
    if (other === undefined || !(wasAccepted(reply) || isOfName)) continue;
    const found = { expected: `${other.status}, as under another name`, because: [other] };
    expect('envelope-origin-app-text', reply, wasAccepted(reply), 'X-Origin-App should be free text', found);
  }
};

/** After a switch the session has an active account, so a plain read cannot lack one. */
export const switched: Rule = ({ replies, accounts }, { expect }) => {
  for (const reply of replies) {
    if (reply.status !== 400 || !isPlain(reply)) continue;
    const last = accounts.switchBefore(reply);
    if (last === undefined || reply.sentAt - last.receivedAt <= lagMsMax) continue;
    const message = 'a session should have the account of its switch';
    expect('account-active-switch-effect', reply, false, message, { expected: '2xx', because: [last] });
  }
};

export const envelopeRules = rules(
  ['account-active-switch-effect', 'envelope-valid-served', 'pagination-limit-bounds'],
  served,
  switched,
  origins,
  creations,
  charsets,
);
