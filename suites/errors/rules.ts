// Rules for errors: their envelope and their status, whatever is wrong with the request.
import {
  at,
  bodyOf,
  isOutage,
  isProtected,
  type Judge,
  type JudgedId,
  leftNothingRule,
  operationIds,
  pathOf,
  queryOf,
  type Reply,
  type Rule,
  rules,
  saysJson,
  violations,
  wasAccepted,
} from '../../lib/index.ts';

/** No gateway refuses what is smaller, in characters. */
const [urlMax, bodyMax, queryMax] = [2000, 64_000, 2048];
const isSmall = ({ request: { url, body = '' } }: Reply): boolean => url.length <= urlMax && body.length <= bodyMax;

function isJson(body: string): boolean {
  try {
    return JSON.parse(body) !== undefined;
  } catch {
    return false;
  }
}

/** A small body that is labelled as JSON and is none. */
const isDamaged = (reply: Reply): boolean => {
  const { body } = reply.request;
  return reply.undocumented === true && saysJson(reply) && body !== undefined && isSmall(reply) && !isJson(body);
};

/** An error has its envelope, on any route. */
const envelopes: Rule = ({ replies }, judge) => {
  for (const reply of replies) {
    const id = idOf(reply);
    // A path that serves a further method offers it.
    if (id !== undefined && (reply.status >= 400 || id === 'errors-unknown-route')) judgeError(id, reply, judge);
    else if (id === 'errors-long-query' && wasAccepted(reply)) judge.count(id, reply);
  }
};

/** No path of the interface, and of none of its gaps, ends so. */
export const unknownRoute = 'covenant-unknown';

/** The requirement for an error reply to this request. */
function idOf(reply: Reply): JudgedId | undefined {
  const [path, { method, url }] = [pathOf(reply), reply.request];
  if (path.endsWith(unknownRoute)) return 'errors-unknown-route';
  if (reply.operation === undefined) {
    const methods = operationIds.map((id) => id.split(' ')).filter(([, known = '']) => path.endsWith(known));
    return methods.length > 0 && methods.every(([known]) => known !== method) ? 'errors-wrong-method' : undefined;
  }
  if ((url.split('?')[1]?.length ?? 0) >= queryMax) return 'errors-long-query';
  if (!reply.undocumented || !isSmall(reply)) return undefined;
  return isDamaged(reply) ? 'errors-malformed-json-envelope' : 'errors-strange-input-envelope';
}

function judgeError(id: JudgedId, reply: Reply, { expect, count }: Judge): void {
  const { status, text, json } = reply;
  const [violation] = violations('error', json);
  if (status < 400) expect(id, reply, false, 'the request should be refused', { expected: '4xx' });
  else if (violation === undefined) count(id, reply);
  else {
    const { pointer, expected } = violation;
    const actual = json === undefined ? text.slice(0, 200) || 'no body' : violation.actual;
    const message = `an error lacks its envelope: ${pointer || 'the body'} should be ${expected}`;
    expect(id, reply, false, message, { expected, actual });
  }
}

const is4xx = ({ status }: Reply): boolean => status >= 400 && status < 500;

/** What the document does not name is no outage. */
const statuses: Rule = ({ replies }, { expect }) => {
  for (const reply of replies) {
    const [damaged, odd] = ['a body that is not JSON should be refused', 'wrong input should not be an outage'];
    if (isDamaged(reply)) expect('errors-malformed-json-status', reply, is4xx(reply), damaged, { expected: '4xx' });
    else if (reply.undocumented && isSmall(reply))
      expect('errors-strange-input-status', reply, reply.status < 500, odd, { expected: 'a status below 500' });
  }
};

/** The identifier of no record, within the range of every integer type. */
export const unknownId = 2_147_483_001;

/** How many of the named defects a request has. A record of that number might exist, so it does not count alone. */
function defectsIn(reply: Reply): number {
  const { operation, request } = reply;
  const [path, query, body = {}] = [pathOf(reply), queryOf(reply), bodyOf(reply)];
  const { text, phones } = body;
  const certain = [
    request.headers.authorization === undefined,
    query.has('cursor') && query.has('sort'),
    operation === 'PATCH /me/active-account' && body.slug === undefined,
    operation === 'POST /companies' && (body.name === undefined || body.company_type === undefined),
    operation === 'POST /contacts' && body.contact_type === undefined,
    Array.isArray(phones) && phones.some((one) => /^\D+$/.test(String(at(one, 'raw') ?? 0))),
    path.includes('/notes') && typeof text === 'string' && /^[ \t\r\n]*$/.test(text),
  ].filter(Boolean).length;
  const isNowhere = path.includes(`/${unknownId}`) || body.company_id === unknownId;
  return certain === 0 || !isNowhere ? certain : certain + 1;
}

const combined: Rule = ({ replies }, { expect }) => {
  for (const reply of replies) {
    if (!isProtected(reply) || reply.undocumented || reply.mayReplay) continue;
    if (defectsIn(reply) < 2 || (reply.status >= 500 && !isOutage(reply))) continue;
    const message = 'a request with several defects should be refused with 4xx';
    expect('errors-defects-combined', reply, is4xx(reply), message, { expected: '4xx' });
  }
};

export const errorRules = rules(
  [],
  envelopes,
  statuses,
  combined,
  leftNothingRule((refused) => (isDamaged(refused) ? 'errors-malformed-json-effect' : undefined)),
);
