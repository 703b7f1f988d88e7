// Small made-up reports for the tests of the exit code and of the terminal.
import type { CaseResult, Report, ReportedExchange, RequirementResult, RunOptions } from '../../result.ts';
import { everything, totals, verdictOf } from '../sample.test-data.ts';

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
    latency: [],
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
