// Cursors that a list gave: whoever got one is served the page behind it, as long as it asks for nothing else.
import { at, operations, pathOf, queryOf, type Reply, type Rule, refusals, wasAccepted } from '../../lib/index.ts';

export const cursorIds = ['pagination-fields-later-pages', 'pagination-traversal-complete'] as const;

/** The document names no end of a cursor; one may have ended after so many milliseconds all the same. */
const freshMsMax = 15_000;

export const cursors: Rule<(typeof cursorIds)[number]> = ({ replies, callers }, { expect }) => {
  /** When each cursor was last given, by the way in which it was asked for. */
  const given = new Map<string, number>();
  for (const reply of replies.filter(isOfList)) {
    const { status, sentAt, receivedAt } = reply;
    const next = at(reply.json, 'pagination', 'next_cursor');
    const query = queryOf(reply);
    if (wasAccepted(reply) && typeof next === 'string' && !query.has('sort'))
      given.set(`${next} ${wayOf(reply)}`, receivedAt);
    const since = given.get(`${query.get('cursor')} ${wayOf(reply)}`);
    if (since === undefined || sentAt - since > freshMsMax || callers.mayBeElsewhere(reply)) continue;
    const id = query.has('fields') ? 'pagination-fields-later-pages' : 'pagination-traversal-complete';
    const found = { expected: 'the page behind it', actual: status };
    expect(id, reply, !refusals.includes(status), 'a list should take the cursor that it gave', found);
  }
};

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
