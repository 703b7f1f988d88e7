// The duties of every reply after a clock was set, and when the refusal of a valid request is a failure.
import { expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import type { Handler } from '../../lab/reference/index.ts';
import { duties } from '../../suites/envelope/duties.ts';
import { everyReply, type Invariant } from '../case.ts';
import type { JudgedId } from '../catalogue/index.ts';
import type { OwnId } from '../catalogue/requirement.ts';
import { Mismatch } from '../client/errors.ts';
import { replyOf } from '../client/reply.test-data.ts';
import type { Reply } from '../client/reply.ts';
import { TargetClock } from '../client/target-clock.ts';
import { expectStatus, expectSuccess, expectThat } from '../expect/expect.ts';
import { rootCauses, verdictSentence } from '../report/wording.ts';
import { Findings } from './findings.ts';
import { Monitors } from './monitors.ts';
import { blameRefusals, isNotOffered } from './refusals.ts';
import { changedDuring, changedSince, decide, mayExcuse } from './verdict.ts';

const start = Date.UTC(2026, 2, 1);
const second = 1000;
const [clockDuty, movesDuty] = ['clock', 'moves'].map((what) =>
  duties.find(({ id }) => id === `envelope-timestamp-${what}`),
);

/** Replies at so many seconds, each with what it says of the time. */
type Replies = readonly (readonly [at: number, says: Partial<Record<'timestamp' | 'date', number>>])[];

/** The verdicts on a duty, and what was reported at once. */
function judged(duty: Invariant | undefined, replies: Replies): { verdicts: readonly string[]; reported: number } {
  if (duty === undefined) throw new Error('there is no such duty');
  const clock = new TargetClock();
  let reported = 0;
  const monitors = new Monitors(
    [{ ...duty, over: [] }],
    () => clock.changes,
    () => {
      reported += 1;
    },
  );
  for (const [at, { timestamp = at, date }] of replies) {
    const times = { sentAt: start + at * second, receivedAt: start + at * second + 50 };
    const json = { timestamp: new Date(start + timestamp * second).toISOString() };
    const headers = date === undefined ? {} : { date: new Date(start + date * second).toUTCString() };
    const reply = replyOf({ ...times, json, headers: headers as Record<string, string> });
    clock.saw(reply);
    monitors.judge(reply);
  }
  const findings = new Findings(new Set([duty.id]));
  monitors.conclude(findings, () => undefined);
  return { verdicts: findings.of(duty.id).map(({ verdict }) => verdict), reported };
}

const both = (at: number, says: number) => [at, { timestamp: says, date: says }] as const;

test('the same timestamp again after the clock was set back is no failure', () => {
  const seen = [both(1, 1), both(2, 2), both(12, 2), both(13, 3), both(22, 2), both(24, 4)];
  expect(judged(movesDuty, seen)).toEqual({ verdicts: ['inconclusive'], reported: 0 });
});

test('a timestamp that stands still while the Date moves, or where it stands still again after a put, is a failure', () => {
  const stuck = [1, 2, 10, 20].map((at) => [at, { timestamp: 1, date: at }] as const);
  expect(judged(movesDuty, stuck)).toEqual({ verdicts: ['failed'], reported: 1 });
  const later = [
    both(1, 1),
    both(12, 1),
    both(13, 2),
    ...[40, 50, 60].map((at) => [at, { timestamp: 29, date: at - 11 }]),
  ];
  expect(judged(movesDuty, later as Replies).verdicts).toContain('failed');
});

test('two nodes whose clocks differ by seven seconds accuse nobody', () => {
  const seen = [1, 8, 9, 16, 17, 24].map((at, place) => [at, { timestamp: place % 2 === 0 ? at : at - 7 }] as const);
  expect(judged(movesDuty, seen)).toEqual({ verdicts: ['passed'], reported: 0 });
});

test('without a Date, timestamps that were right until a clock was set are no failure; timestamps that never were right are', () => {
  const put = [1, 2, 3, 700, 701, 800].map((at) => [at, { timestamp: at < 700 ? at : at - 600 }] as const);
  expect(judged(clockDuty, put)).toEqual({ verdicts: Array(3).fill('inconclusive'), reported: 0 });
  const behind = [1, 2, 3, 4].map((at) => [at, { timestamp: at - 600 }] as const);
  expect(judged(clockDuty, behind)).toEqual({ verdicts: Array(3).fill('failed'), reported: 3 });
});

test('one wrong timestamp among right ones is a failure, although it looked like a clock that was set', () => {
  const once = [1, 2, 3, 4, 5].map((at) => [at, { timestamp: at === 3 ? 900 : at }] as const);
  expect(judged(clockDuty, once).verdicts).toEqual(['failed']);
});

test('a reply to what the document leaves open breaks no duty but one that holds for any input', () => {
  const verdictsOn = (scope: Pick<Invariant, 'anyInput'>, id: JudgedId | OwnId = 'account-accounts-slugs') => {
    const duty = everyReply(id, { over: [], applies: () => true, ...scope }, (reply) =>
      expectThat(false, 'no', { expected: 1, actual: 2, replies: reply }),
    );
    const monitors = new Monitors(
      [duty],
      () => [],
      () => {},
    );
    monitors.judge({ ...replyOf({ json: {} }), undocumented: true });
    const findings = new Findings(new Set([duty.id]));
    monitors.conclude(findings, () => undefined);
    return findings.of(duty.id).map(({ verdict }) => verdict);
  };
  expect(verdictsOn({})).toEqual([]);
  expect(verdictsOn({ anyInput: true })).toEqual(['failed']);
  expect(verdictsOn({}, 'x-house-header')).toEqual(['failed']);
});

test('what does not depend on a clock fails, whichever clock was set', () => {
  const duty = everyReply('envelope-data-present' as JudgedId, { over: [], applies: () => true }, (reply) =>
    expectThat(reply.sentAt < start + 12 * second, 'no', { expected: 1, actual: 2, replies: reply }),
  );
  expect(judged(duty, [both(1, 1), both(2, 2), both(12, 2), both(13, 3)]).verdicts).toEqual(['failed', 'failed']);
});

const s = 1000;
const minute = 60 * s;
const put = { at: 10 * minute, backMs: 3 * s };
const seen = (...times: readonly number[]) =>
  times.map((sentAt) => replyOf({ sentAt: put.at + sentAt, receivedAt: put.at + sentAt + 50 }));

test('what was begun since, or shortly before', () => {
  const since = (ms: number) => changedSince([put], put.at + ms);
  expect([since(-minute), since(0), since(12 * s)]).toEqual([true, true, true]);
  expect([since(14 * s), changedSince([{ ...put, backMs: 24 * 60 * minute }], put.at + 21 * s)]).toEqual([
    false,
    false,
  ]);
});

test('replies between which it was set', () => {
  expect(changedDuring([put], seen(-minute, minute))).toBe(true);
  expect(changedDuring([put], seen(5 * s, 8 * s))).toBe(true);
  expect(changedDuring([put], seen(-minute, -s))).toBe(false);
  expect(changedDuring([put], seen(11 * s, 20 * s))).toBe(false);
  expect(changedDuring([], seen(-minute, minute))).toBe(false);
  expect(changedDuring([put], [])).toBe(false);
});

test('of those only where one came soon enough afterwards to be wrong for it', () => {
  expect(mayExcuse([put], seen(-minute, 2 * s, 5 * minute))).toBe(true);
  expect(mayExcuse([put], seen(-minute, 5 * minute))).toBe(false);
  expect(mayExcuse([{ ...put, backMs: 10 * minute }], seen(-minute, 5 * minute))).toBe(true);
  expect(mayExcuse([put], seen(-2 * minute, -minute))).toBe(false);
});

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

test('an edit of a company, and a switch with a key, need not be offered; every other operation must be', () => {
  const operation = 'PATCH /companies/{company_id}';
  const refused = reply({ operation, status: 422 });
  expect(isNotOffered(operation, [refused])).toBe(true);
  expect(isNotOffered(operation, [refused, reply({ operation, status: 200 })])).toBe(false);
  expect(isNotOffered(operation, [reply({ operation, status: 500 })])).toBe(false);
  expect(isNotOffered(operation, [])).toBe(false);
  expect(isNotOffered('GET /contacts', [reply({ status: 422 })])).toBe(false);
  const change = 'PATCH /me/active-account';
  const byKey = reply({ operation: change, status: 403 });
  expect(isNotOffered(change, [byKey])).toBe(true);
  expect(isNotOffered(change, [byKey, reply({ operation: change, status: 200 })])).toBe(false);
  const bySession = reply({ operation: 'GET /me', status: 200, credential: 'COVENANT_JWT' });
  expect(isNotOffered(change, [byKey, bySession])).toBe(false);
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
