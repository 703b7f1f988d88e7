// Small made-up results for the tests of exit code, terminal and views: reports, and results of every kind, by what they show.
import type {
  CaseResult,
  JudgedTotals,
  Report,
  ReportedExchange,
  RequirementResult,
  RunOptions,
  RunResult,
} from '../../result.ts';
import {
  changed,
  conformant,
  everything,
  hostile,
  incomplete,
  pools,
  sample,
  totals,
  verdictOf,
} from '../sample.test-data.ts';

const statement = 'the billing summary is refused with 403 to a token without billing:read';

export function requirement(
  verdict: RequirementResult['verdict'],
  more: Partial<RequirementResult> = {},
): RequirementResult {
  return {
    id: 'billing-summary-scope',
    level: more.verdict === 'observed' ? 'observe' : 'must',
    area: 'billing',
    section: 'Endpoints / Billing',
    statement,
    verdict,
    cases: [{ verdict, duration_ms: 3 }],
    ...more,
  };
}

interface Example extends Partial<Omit<Report, 'run'>> {
  readonly options?: Partial<RunOptions>;
  readonly minuteMs?: number;
}

export function report(
  requirements: readonly RequirementResult[],
  { options, minuteMs, ...more }: Example = {},
): Report {
  const must = totals(requirements, 'must');
  const observed = requirements.filter(({ verdict }) => verdict === 'observed').length;
  const silent = requirements.filter(({ level }) => level === 'observe').length - observed;
  return {
    format: 'covenant-report/1',
    suite: { version: '0.1.0', catalogue: '0123456789abcdef'.repeat(4) },
    target: { base_url: 'https://staging.example.com', api_path: '/api/external/v2', interface: '2026-03' },
    run: {
      id: 'a1b2c3',
      seed: 42,
      started_at: '2026-03-01T09:30:00.000Z',
      finished_at: '2026-03-01T09:30:08.400Z',
      duration_ms: 8400,
      minute_ms: minuteMs ?? 60_000,
      options: { ...everything, ...options },
    },
    verdict: verdictOf(must),
    totals: { must, should: totals(requirements, 'should'), observe: { observed, not_tested: silent } },
    requirements,
    observations: [],
    exchanges: [],
    budget: [],
    residue: [],
    untestable: [],
    traffic: [],
    ...more,
  };
}

export function exchange(id: number, credential: string, body: string): ReportedExchange {
  return {
    id,
    at: '2026-03-01T09:30:02.000Z',
    duration_ms: 12,
    operation: 'GET /billing/summary',
    request: {
      method: 'GET',
      url: 'https://staging.example.com/api/external/v2/billing/summary',
      headers: { authorization: `Bearer <${credential}>` },
      credential,
    },
    response: { status: 200, headers: { 'content-type': 'application/json' }, body },
  };
}

export const failedCase = (more: Partial<CaseResult> = {}): CaseResult => ({
  operation: 'GET /billing/summary',
  verdict: 'failed',
  duration_ms: 14,
  failure: {
    message: 'the status should be 403',
    expected: 403,
    actual: 200,
    exchanges: [12],
    curl: [
      'curl -H "Authorization: Bearer $COVENANT_API_KEY_RESTRICTED" \'https://staging.example.com/api/external/v2/billing/summary\'',
    ],
  },
  ...more,
});

const nothing: JudgedTotals = { passed: 0, failed: 0, not_tested: 0, inconclusive: 0 };

const [firstId = '', secondId = ''] = sample()
  .report.requirements.filter((row) => row.level === 'must' && row.verdict === 'failed')
  .map((row) => row.id);

/** With a plan, and with waivers in every state. */
const waived = (): RunResult =>
  changed(sample(), {
    plan: {
      requests: pools.map((pool) => ({ ...pool, requests: 40 })),
      residue: [{ kind: 'company', count: 1 }],
      duration_ms: 60_000,
    },
    waivers: [
      {
        requirement: firstId,
        reason: hostile,
        owner: 'payments',
        link: 'https://example.com/1',
        expires: '2026-06-30',
        state: 'applied',
      },
      {
        requirement: secondId,
        operation: 'GET /me',
        reason: 'known',
        owner: hostile,
        expires: '2026-01-01',
        state: 'expired',
        note: 'renew it',
      },
      { requirement: 'no-such-requirement', reason: 'known', owner: 'payments', expires: '2026-06-30', state: 'idle' },
      {
        requirement: 'envelope-success-object',
        reason: 'was broken',
        owner: 'payments',
        expires: '2026-06-30',
        state: 'stale',
      },
    ],
  });

/** What needs a session is out of its scope. */
export const ofProfile = (): RunResult => {
  const result = conformant();
  const { run, requirements } = result.report;
  const isForeign = ({ id }: { readonly id: string }) => id.startsWith('account-');
  return changed(result, {
    run: { ...run, options: { ...run.options, profile: 'server-to-server' } },
    requirements: requirements.filter((row) => !isForeign(row)),
    out_of_scope: requirements
      .filter(isForeign)
      .map(({ id, level, area, section, statement }) => ({ id, level, area, section, statement })),
  });
};

export const results: Readonly<Record<string, () => RunResult>> = {
  'of every verdict': () => sample(),
  'with a plan and waivers': waived,
  'that is a certificate': conformant,
  'that is incomplete': incomplete,
  'of a profile': ofProfile,
  'that was aborted before anything was judged': () =>
    changed(
      { report: sample().report, transcript: [] },
      {
        verdict: 'aborted',
        reason: `the target could not be reached: ${hostile}`,
        totals: { must: nothing, should: nothing, observe: { observed: 0, not_tested: 0 } },
        requirements: [],
        observations: [],
        exchanges: [],
        budget: [],
        residue: [],
        traffic: [],
      },
    ),
};
