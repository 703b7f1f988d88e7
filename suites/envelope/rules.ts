// Requests that the document describes, by somebody who sends such requests otherwise, are carried out: here the reads. None is
// refused for what it asks for, and none of anybody who is let in ends in an outage.
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
  together,
  tokenOf,
  type World,
  wasAccepted,
  wasThere,
} from '../../lib/index.ts';
import { creations } from './creation-rules.ts';

export const servedIds = ['account-active-switch-effect', 'envelope-valid-served', 'pagination-limit-bounds'] as const;
type Id = (typeof servedIds)[number];

export const served: Rule<Id> = (world, judge) => {
  const plain = world.replies.filter(isPlain);
  judgeRefusals(plain, world, judge);
  for (const reply of world.replies) judgeOutage(reply, world, judge);
  for (const alike of byUser(plain, world)) for (const reply of alike) judgeForbidden(reply, alike, world, judge);
};

/** Nothing in it but a limit within its bounds, an offset of keys, and fields that the document shows. */
function isPlain({ operation, request, undocumented }: Reply): boolean {
  if (operation === undefined || undocumented || operation.includes('{')) return false;
  // What becomes of a request without it is open.
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

/** Who asks, and with which headers beside: what they open is judged elsewhere. */
const callerOf = ({ operation, credential, request: { headers } }: Reply): string =>
  JSON.stringify([operation, credential, headers['x-active-account'], headers['x-origin-app'], headers.accept]);
/** The members of a query; one of them alone may be what a target does not offer. */
const shapeOf = ({ operation, request }: Reply): string => `${operation} ${queryOf({ request }).get('fields')}`;
/** The least limit and the greatest are requirements of their own. */
const isBound = ({ request }: Reply): boolean => /^(1|200)$/.test(queryOf({ request }).get('limit') ?? '');

function judgeRefusals(plain: readonly Reply[], { callers }: World, { expect }: Judge<Id>): void {
  const accepted = plain.filter(wasAccepted);
  const known = new Set(accepted.map(callerOf));
  const shapes = new Set(accepted.map(shapeOf));
  for (const reply of plain) {
    const { status } = reply;
    if (callers.mayBeElsewhere(reply) || !known.has(callerOf(reply)) || !shapes.has(shapeOf(reply))) continue;
    const id = isBound(reply) ? 'pagination-limit-bounds' : 'envelope-valid-served';
    const holds = !refusals.includes(status);
    expect(id, reply, holds, 'a valid request should be carried out', { expected: '2xx', actual: status });
  }
}

/** A session without an account may be refused for want of one; a failure of the target is no refusal. */
function judgeOutage(reply: Reply, world: World, { expect }: Judge<Id>): void {
  if (!isOutage(reply) || !world.keys.isLive(tokenOf(reply), reply)) return;
  const { method } = reply.request;
  const isOfOwn = isBare(reply) && (method === 'GET' || method === 'DELETE') && wasThere(reply, world);
  if (!isPlain(reply) && !isOfOwn) return;
  const found = { expected: isStored(reply) ? '2xx or 400' : '2xx', actual: reply.status };
  expect('envelope-valid-served', reply, false, 'a valid request should not end in an outage', found);
}

/** By operation and user, each on the account of the keys. */
function byUser(plain: readonly Reply[], { callers }: World): Iterable<readonly Reply[]> {
  const ownerOf = ({ credential }: Reply): string => callers.ownerOf(credential);
  // Whom the contract promises no rights: what is opened to it by mistake is a requirement of its own.
  const ofKeys = plain.filter(
    (reply) => !isSession(reply.credential) && accountHeaderOf(reply) === undefined && ownerOf(reply) !== restricted,
  );
  // A session makes keys on whichever account it is.
  const nameOf = (reply: Reply): string => (isSession(ownerOf(reply)) ? reply.credential : ownerOf(reply));
  return grouped(ofKeys, (reply) => `${reply.operation} ${nameOf(reply)}`).values();
}

/** A right that the keys of a user have before and after is there in between; one that is never let in has not inherited it. */
function judgeForbidden(reply: Reply, alike: readonly Reply[], { keys }: World, { expect }: Judge<Id>): void {
  if (reply.status !== 403 || !keys.isLive(tokenOf(reply), reply)) return;
  const accepted = alike.filter(wasAccepted);
  const isKnown =
    accepted.some(({ id }) => id <= reply.after) &&
    accepted.some(({ after }) => after >= reply.id) &&
    accepted.some(({ credential }) => credential === reply.credential);
  const found = { expected: '2xx, as before and after', actual: 403 };
  if (isKnown)
    expect('envelope-valid-served', reply, false, '403 although the same key was accepted before and after', found);
}

/** After a switch the session has an active account, so no plain read is refused for want of one. */
export const switched: Rule<Id> = ({ replies, accounts }, { expect }) => {
  for (const reply of replies) {
    if (reply.status !== 400 || !isPlain(reply)) continue;
    const last = accounts.switchBefore(reply);
    if (last === undefined || reply.sentAt - last.receivedAt <= lagMsMax) continue;
    const found = { expected: '2xx', actual: 400, because: [last] };
    expect('account-active-switch-effect', reply, false, 'a session should have the account of its switch', found);
  }
};

export const envelopeRules = together(rules(servedIds, served, switched), rules(['envelope-valid-served'], creations));
