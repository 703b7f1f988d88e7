// Cursors that a list gave: whoever got one is served the page behind it, as long as it asks for nothing else.
import { at, type JudgedId, operations, type Reply, type Story, type Wrong, wasAccepted } from '../../lib/index.ts';
import { mayBeElsewhereIn } from './elsewhere.ts';
import { wrong } from './judgement.ts';
import { pathOf, queryOf, refusals } from './sent.ts';

export const cursorIds = [
  'pagination-fields-later-pages',
  'pagination-traversal-complete',
] as const satisfies readonly JudgedId[];

/** The document names no end of a cursor; one may have ended after so many milliseconds all the same. */
const freshMsMax = 15_000;

/** Who asks for which list, with which headers and members of the query beside the cursor. */
function wayOf(reply: Reply): string {
  const { credential, request } = reply;
  const query = [...queryOf(reply)].filter(([name]) => name !== 'cursor').sort();
  const headers = ['x-active-account', 'x-origin-app', 'accept'].map((name) => request.headers[name]);
  return JSON.stringify([credential, pathOf(reply), query, headers]);
}

const isOfList = ({ operation, undocumented, request }: Reply): boolean =>
  operation !== undefined &&
  operations[operation].list === 'cursor' &&
  undocumented === undefined &&
  request.headers['x-origin-app'] !== undefined;

export function judgeCursors({ replies }: Story): readonly Wrong[] {
  const mayBeElsewhere = mayBeElsewhereIn(replies);
  /** When each cursor was last given, by the way in which it was asked for. */
  const given = new Map<string, number>();
  return replies.filter(isOfList).flatMap((reply): readonly Wrong[] => {
    const { operation, status, sentAt, receivedAt } = reply;
    const next = at(reply.json, 'pagination', 'next_cursor');
    const query = queryOf(reply);
    if (wasAccepted(reply) && typeof next === 'string' && !query.has('sort'))
      given.set(`${next} ${wayOf(reply)}`, receivedAt);
    const since = given.get(`${query.get('cursor')} ${wayOf(reply)}`);
    if (operation === undefined || since === undefined || !refusals.includes(status)) return [];
    if (sentAt - since > freshMsMax || mayBeElsewhere(reply)) return [];
    const id = query.has('fields') ? 'pagination-fields-later-pages' : 'pagination-traversal-complete';
    const found = { expected: 'the page behind it', actual: status, replies: [reply] };
    return [wrong(id, operation, 'a list should take the cursor that it gave', found)];
  });
}
