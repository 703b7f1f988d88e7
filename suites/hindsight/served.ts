// Reads that the document describes, by somebody who is served otherwise: none is refused for what it asks for,
// and none of anybody who is let in ends in an outage.
import {
  type JudgedId,
  type OperationId,
  operations,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { mayBeElsewhereIn } from './elsewhere.ts';
import { type Families, familiesOf } from './families.ts';
import { wrong } from './judgement.ts';
import { madeIn } from './made.ts';
import { members } from './members.ts';
import { isBare, isOutage, isSession, mayBeHomeless, queryOf, refusals, tokenOf } from './sent.ts';
import type { Tokens } from './tokens.ts';

export const servedIds = ['envelope-valid-served', 'pagination-limit-bounds'] as const satisfies readonly JudgedId[];

const lists: { readonly [Id in OperationId]?: readonly string[] } = {
  'GET /companies': [...members.company],
  'GET /contacts': [...members.contact, 'phones', 'is_primary'],
};

/** Nothing in it but a limit within its bounds, an offset of keys, and fields that the document shows. */
export function isPlain({ operation, request, undocumented }: Reply): boolean {
  if (operation === undefined || undocumented || operation.includes('{')) return false;
  // What becomes of a request without it is open.
  if (request.headers['x-origin-app'] === undefined) return false;
  const { protected: isProtected, rate, list } = operations[operation];
  if (!isProtected || rate !== 'read') return false;
  const query = [...queryOf({ request })];
  return query.every(([name, value]) => {
    if (name === 'limit') return (list === 'cursor' || list === 'offset') && /^(?:[1-9]\d?|1\d\d|200)$/.test(value);
    if (name === 'offset') return operation === 'GET /api-keys' && /^\d{1,4}$/.test(value);
    const known = lists[operation];
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

/** Whom the contract promises no rights: what is opened to it by mistake is a requirement of its own. */
const restricted = 'COVENANT_API_KEY_RESTRICTED';

/**
 * A right that the keys of a user have before and after is there in between. A session may be elsewhere meanwhile; a key that
 * is never let in has not inherited the right.
 */
function isLockedOut(reply: Reply, alike: readonly Reply[], tokens: Tokens): boolean {
  const served = alike.filter(wasAccepted);
  const token = tokenOf(reply);
  return (
    reply.status === 403 &&
    token !== undefined &&
    tokens.isLive(token, reply) &&
    served.some(({ id }) => id <= reply.after) &&
    served.some(({ after }) => after >= reply.id) &&
    served.some(({ credential }) => credential === reply.credential)
  );
}

/** By operation and user, each on the account of the keys. */
function byUser(plain: readonly Reply[], families: Families): readonly (readonly Reply[])[] {
  const users = new Map<string, Reply[]>();
  for (const reply of plain) {
    const root = families.rootOf(reply.credential);
    const isOfKey = !isSession(reply.credential) && reply.request.headers['x-active-account'] === undefined;
    if (!isOfKey || root === restricted) continue;
    // A session makes keys on whichever account it is.
    const name = `${reply.operation} ${isSession(root) ? reply.credential : root}`;
    users.set(name, [...(users.get(name) ?? []), reply]);
  }
  return [...users.values()];
}

function ofLockedOut(plain: readonly Reply[], families: Families, tokens: Tokens): readonly Wrong[] {
  return byUser(plain, families).flatMap((alike) =>
    alike.flatMap((reply): readonly Wrong[] => {
      const { operation } = reply;
      if (operation === undefined || !isLockedOut(reply, alike, tokens)) return [];
      const found = { expected: '2xx, as before and after', actual: 403, replies: [reply] };
      return [wrong('envelope-valid-served', operation, 'who is let in should be let in each time', found)];
    }),
  );
}

const bodiless = ({ request: { method } }: Reply): boolean => method === 'GET' || method === 'DELETE';

/** A session without an account may be refused for want of one; a failure of the target is no refusal. */
function ofOutage(reply: Reply): readonly Wrong[] {
  const { operation, status } = reply;
  if (operation === undefined) return [];
  const expected = mayBeHomeless(reply) ? '2xx or 400' : '2xx';
  const found = { expected, actual: status, replies: [reply] };
  return [wrong('envelope-valid-served', operation, 'a valid request should not end in an outage', found)];
}

export function judgeServed({ replies }: Story, tokens: Tokens): readonly Wrong[] {
  const mayBeElsewhere = mayBeElsewhereIn(replies);
  const plain = replies.filter(isPlain);
  const served = plain.filter(wasAccepted);
  const callers = new Set(served.map(callerOf));
  const shapes = new Set(served.map(shapeOf));
  const refused = plain.flatMap((reply): readonly Wrong[] => {
    const { operation, status } = reply;
    if (operation === undefined || !refusals.includes(status)) return [];
    if (mayBeElsewhere(reply) || !callers.has(callerOf(reply)) || !shapes.has(shapeOf(reply))) return [];
    const found = { expected: '2xx', actual: status, replies: [reply] };
    return [
      wrong(
        isBound(reply) ? 'pagination-limit-bounds' : 'envelope-valid-served',
        operation,
        'a valid request should be carried out',
        found,
      ),
    ];
  });
  const made = madeIn(replies);
  const isLetIn = (reply: Reply): boolean => tokens.isLive(tokenOf(reply) ?? '', reply);
  const asksForOwn = (reply: Reply): boolean => isBare(reply) && bodiless(reply) && made.wasThere(reply);
  const isMeant = (reply: Reply): boolean => isPlain(reply) || asksForOwn(reply);
  const outages = replies.filter((reply) => isOutage(reply) && isLetIn(reply) && isMeant(reply));
  return [...refused, ...outages.flatMap(ofOutage), ...ofLockedOut(plain, familiesOf(replies), tokens)];
}
