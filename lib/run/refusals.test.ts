// A valid request that is refused is a failure, unless something else shows it or the operator may be the cause.
import { expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import type { Handler } from '../../lab/reference/index.ts';
import { Mismatch } from '../client/errors.ts';
import { replyOf } from '../client/reply.test-data.ts';
import type { Reply } from '../client/reply.ts';
import { expectStatus, expectSuccess } from '../expect/expect.ts';
import { rootCauses, verdictSentence } from '../report/wording.ts';
import { Findings } from './findings.ts';
import { blameRefusals, isNotOffered } from './refusals.ts';
import { decide } from './verdict.ts';

const id = 'envelope-valid-served';

const reply = (more: Partial<Reply> = {}) => replyOf({ operation: 'GET /contacts', status: 400, ...more });

function thrownBy(expectation: () => void): unknown {
  try {
    expectation();
  } catch (error) {
    return error;
  }
  return undefined;
}

function findingsWith(error: unknown): Findings {
  const findings = new Findings(new Set([id, 'pagination-fields-kept', 'contacts-create-fields']));
  findings.add('pagination-fields-kept', { ...decide(error, 'preparation'), durationMs: 0 });
  return findings;
}

function blamed(error: unknown): readonly unknown[] {
  const findings = findingsWith(error);
  blameRefusals(findings, []);
  return findings.of(id).map(({ verdict, operation }) => `${verdict} ${operation}`);
}

test('a refused valid request is a failure of its operation', () =>
  expect(blamed(thrownBy(() => expectSuccess(reply())))).toEqual(['failed GET /contacts']));

test.each([
  { status: 403 },
  { status: 503 },
  { credential: 'COVENANT_JWT' },
  { credential: 'COVENANT_API_KEY_RESTRICTED' },
  { operation: 'POST /api-keys' },
  { operation: 'PATCH /companies/{company_id}' },
  { status: 404, request: { method: 'GET', url: 'http://target.test/companies/7/notes', headers: {} } },
  { undocumented: true },
  { request: { method: 'GET', url: 'http://target.test', headers: { 'x-active-account': 'other' } } },
  { operation: 'GET /account/team', request: { method: 'GET', url: 'http://target.test/?limit=2', headers: {} } },
] as const)('a refusal with %j may have another cause', (more) =>
  expect(blamed(thrownBy(() => expectSuccess(reply(more))))).toEqual([]),
);

test('an identifier that a reply showed is of something', () => {
  const request = { method: 'GET', url: 'http://target.test/companies/7/notes', headers: {} };
  const findings = findingsWith(thrownBy(() => expectSuccess(reply({ status: 404, request }))));
  blameRefusals(findings, [reply({ status: 201, text: '{"data":{"id":7}}' })]);
  expect(findings.of(id)).toMatchObject([{ verdict: 'failed' }]);
});

test('another expectation than success is none', () =>
  expect(blamed(thrownBy(() => expectStatus(reply(), 404)))).toEqual([]));

test('what another failure shows is not counted twice', () => {
  const findings = findingsWith(thrownBy(() => expectSuccess(reply())));
  const difference = { message: 'wrong', expected: 1, actual: 2, replies: [reply()] };
  findings.add('contacts-create-fields', { ...decide(new Mismatch(difference), 'check'), durationMs: 0 });
  blameRefusals(findings, []);
  expect(findings.of(id)).toEqual([]);
});

test('a session that acted on its account before is refused wrongly', () => {
  const credential = 'COVENANT_JWT';
  const before = (more: Partial<Reply>) => {
    const findings = findingsWith(thrownBy(() => expectSuccess(reply({ id: 2, credential }))));
    blameRefusals(findings, [reply({ credential, status: 200, ...more })]);
    return findings.of(id);
  };
  expect(before({})).toMatchObject([{ verdict: 'failed', operation: 'GET /contacts' }]);
  expect(before({ operation: 'GET /me' })).toEqual([]);
  expect(before({ id: 3 })).toEqual([]);
  const request = { method: 'GET', url: 'http://target.test', headers: { 'x-active-account': 'other' } };
  expect(before({ request })).toEqual([]);
});

test('an edit of a company need not be offered; every other operation must be', () => {
  const operation = 'PATCH /companies/{company_id}';
  const refused = reply({ operation, status: 422 });
  expect(isNotOffered(operation, [refused])).toBe(true);
  expect(isNotOffered(operation, [refused, reply({ operation, status: 200 })])).toBe(false);
  expect(isNotOffered(operation, [reply({ operation, status: 500 })])).toBe(false);
  expect(isNotOffered(operation, [])).toBe(false);
  expect(isNotOffered('GET /contacts', [reply({ status: 422 })])).toBe(false);
});

/** Everything under another name than `data`. */
const renaming =
  (honest: Handler): Handler =>
  async (request) => {
    const response = await honest(request);
    const text = (await response.text()).replace('"data":', '"payload":');
    return new Response(text, response);
  };

test('what rests on the envelope waits for the requirement that breaks it', async () => {
  const { report } = await examine({ wrap: renaming });
  const byId = new Map(report.requirements.map((row) => [row.id, row]));
  const waiting = report.requirements.filter((row) => row.waits_for !== undefined);
  expect(waiting.length).toBeGreaterThan(100);
  for (const row of waiting) {
    expect(row.verdict).toBe('not-tested');
    expect(byId.get(row.waits_for ?? '')?.verdict).toBe('failed');
    expect(row.reason).toMatch(`waits for ${row.waits_for}, which does not hold: `);
  }
  expect(rootCauses(report)[0]?.[0]).toBe('envelope-data-present');
  expect(byId.get('account-active-switch-effect')?.waits_for).toBe('envelope-data-present');
  const { passed, failed, not_tested, inconclusive } = report.totals.must;
  expect(verdictSentence(report)).toBe(
    `${passed} of ${passed + failed + not_tested + inconclusive} selected MUST requirements hold, ${failed} failed and ${not_tested + inconclusive} are open.`,
  );
});

test('where a credential is not set, nothing else is the cause', async () => {
  const { report } = await examine({ env: ({ COVENANT_JWT: _, ...rest }) => rest });
  expect(report.requirements.some(({ reason }) => reason?.includes('COVENANT_JWT is not set'))).toBe(true);
  expect(rootCauses(report)).toEqual([]);
});
