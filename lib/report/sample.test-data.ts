// Made-up results for the tests of the views: every verdict, hostile texts, failures of each kind, as many exchanges as wanted.
import { catalogue, catalogueDigest, requirementIds } from '../catalogue/index.ts';
import { type OperationId, operationIds } from '../catalogue/operations.ts';
import type {
  CaseResult,
  CaseVerdict,
  Failure,
  JudgedTotals,
  Report,
  ReportedExchange,
  RequirementResult,
  RunOptions,
  RunResult,
  RunVerdict,
} from '../result.ts';

/** What a target may send to break a report that believes it. */
export const hostile = [
  '</script><script>document.title="broken out"</script>',
  '</pre></details><img src=x onerror="document.title=1">',
  '"\'`&<>]]>--><!-- {{7*7}} <%= 7*7 %> | a | b |',
  'NUL \u0000, BEL \u0007, ESC \u001b[31m, DEL \u007f, NEL \u0085, noncharacters \ufffe \uffff',
  'lone surrogates \ud800 and \udfff, right-to-left \u202eesrever\u202c',
  '```\n# heading\n<h1>heading</h1>\n~~~\n[link](javascript:alert(1)) ![i](http://x.invalid/i.png)',
].join('\n');

const startedAt = Date.parse('2026-03-01T09:30:00.000Z');
const at = (ms: number): string => new Date(startedAt + ms).toISOString();

const failures: readonly Omit<Failure, 'exchanges' | 'curl'>[] = [
  {
    message: 'the status should be 422',
    expected: 422,
    actual: '201 Created: {"request_id":"r-8","data":{"note_id":7,"text":"   "}}',
  },
  {
    message: '/data/items/0/id should be an integer (and 1 more)',
    expected: ['/data/id: an integer', '/data/created_at: a date-time'],
    actual: ['/data/id: "17"', '/data/created_at: absent'],
  },
  {
    message: 'the company should come back as it was given',
    expected: { name: 'Acme Bank', company_type: 'lender', city: 'Zürich', org_id: 7, tags: ['a', 'b'] },
    actual: { name: 'Acme Bank', company_type: 'sponsor', city: 'Zu\u0308rich', tags: ['a'], extra: null },
    counterexample: { seed: 42, path: '3:1:0', value: { limit: 1, length: 3 } },
  },
  { message: `error.message should be a text: ${hostile}`, expected: 'a text that is not empty', actual: hostile },
  {
    message: 'the text should be kept',
    expected: `${'x'.repeat(300)}A${'y'.repeat(300)}`,
    actual: `${'x'.repeat(300)}B${'y'.repeat(300)}`,
  },
];

const operationOf = (index: number): OperationId => operationIds[index % operationIds.length] ?? 'GET /me';

function exchange(index: number, requirement: string | undefined, body: string): ReportedExchange {
  const operation = operationOf(index);
  const [method = 'GET', path = '/'] = operation.split(' ');
  const writes = method !== 'GET';
  return {
    id: index + 1,
    at: at(index * 40),
    duration_ms: 3 + ((index * 7) % 90),
    operation,
    ...(requirement === undefined ? {} : { case: `looks at ${requirement}`, requirements: [requirement] }),
    request: {
      method,
      url: `https://staging.example.com/api/external/v2${path.replace(/\{\w+\}/g, '17')}${writes ? '' : '?limit=1&cursor=a|b"%zz[]'}`,
      headers: {
        authorization: 'Bearer <COVENANT_API_KEY>',
        'x-origin-app': 'covenant',
        'content-type': 'application/json',
      },
      credential: 'COVENANT_API_KEY',
      ...(writes ? { body: '{"text":"   "}' } : {}),
    },
    response: {
      status: index % 5 === 0 ? 500 : 200,
      headers: { 'content-type': 'application/json', 'x-hostile': index === 3 ? hostile : 'no' },
      body,
    },
  };
}

const verdicts: readonly CaseVerdict[] = [
  'passed',
  'passed',
  'passed',
  'passed',
  'passed',
  'passed',
  'failed',
  'not-tested',
  'passed',
  'inconclusive',
];

const reasons: Readonly<Partial<Record<CaseVerdict, string>>> = {
  'not-tested': 'COVENANT_JWT is not set, so nothing was sent with a JWT session',
  inconclusive: 'the connection was closed three times before a reply came',
};

function failure(index: number, exchanges: number): Failure {
  // Each kind in turn: every tenth requirement fails.
  const kind = failures[Math.floor(index / verdicts.length) % failures.length] ?? {
    message: '',
    expected: '',
    actual: '',
  };
  const ids = [1 + (index % exchanges), 1 + ((index + 1) % exchanges)];
  const curl = `curl -i -X POST "$COVENANT_BASE_URL/api/external/v2/companies/17/notes" -H "Authorization: Bearer $COVENANT_API_KEY" -d '{"text":"   "}'`;
  return { ...kind, exchanges: ids, curl: [curl, curl] };
}

function requirement(index: number, verdict: CaseVerdict, exchanges: number): RequirementResult[] {
  const id = requirementIds[index];
  if (id === undefined) return [];
  const { level, area, section, statement, ...row } = catalogue[id];
  if (level === 'untestable') return [];
  const own: CaseVerdict = level === 'observe' ? 'observed' : verdict;
  const reason = reasons[own];
  const one: CaseResult = {
    operation: operationOf(index),
    verdict: own,
    duration_ms: 5 + index,
    ...(reason === undefined ? {} : { reason }),
    ...(own === 'failed' ? { failure: failure(index, exchanges) } : {}),
  };
  const passed: CaseResult = {
    verdict: own === 'failed' ? 'passed' : own,
    duration_ms: 2,
    ...(reason === undefined ? {} : { reason }),
  };
  return [
    {
      id,
      level,
      area,
      section,
      statement,
      verdict: own,
      ...(reason === undefined ? {} : { reason }),
      ...('impact' in row ? { impact: row.impact } : {}),
      ...('rulings' in row ? { rulings: row.rulings } : {}),
      cases: own === 'not-tested' ? [] : [one, passed],
    },
  ];
}

export function totals(rows: readonly RequirementResult[], level: string): JudgedTotals {
  const count = (verdict: CaseVerdict) => rows.filter((row) => row.level === level && row.verdict === verdict).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    not_tested: count('not-tested'),
    inconclusive: count('inconclusive'),
  };
}

const accounts = ['COVENANT_API_KEY', 'COVENANT_API_KEY_SECONDARY', 'COVENANT_RATE_API_KEY'] as const;
const limits = { read: 200, write: 30, validate: 10 } as const;
const classes = ['read', 'write', 'validate'] as const;

export const pools = accounts.flatMap((account) => classes.map((name) => ({ account, class: name })));

const untestable = requirementIds.flatMap((id) => {
  const row = catalogue[id];
  return row.level === 'untestable'
    ? [{ id, area: row.area, section: row.section, statement: row.statement, reason: row.reason ?? '' }]
    : [];
});

export function verdictOf({ passed, failed, not_tested, inconclusive }: JudgedTotals): RunVerdict {
  if (failed > 0) return 'non-conformant';
  return not_tested + inconclusive > 0 || passed === 0 ? 'incomplete' : 'conformant';
}

/** Everything is selected. */
export const everything: RunOptions = {
  area: null,
  requirement: null,
  read_only: false,
  exhaustion: true,
  allow_incomplete: false,
  concurrency: 4,
  effort: 'standard',
  profile: 'full',
};

export interface SampleOptions {
  /** The verdict of the requirement with this number; by default a mixture of all. */
  readonly verdict?: (index: number) => CaseVerdict;
  readonly exchanges?: number;
  readonly body?: (index: number) => string;
}

const bodyOf = (index: number): string =>
  index === 1
    ? hostile
    : JSON.stringify({ request_id: `r-${index}`, timestamp: at(index), data: { id: '17', text: hostile } });

/** Every verdict among the MUSTs; of the SHOULDs every other one fails. */
function mixed(index: number): CaseVerdict {
  const id = requirementIds[index];
  if (id !== undefined && catalogue[id].level === 'should') return index % 2 === 0 ? 'failed' : 'passed';
  return verdicts[index % verdicts.length] ?? 'passed';
}

export function sample({ verdict = mixed, exchanges = 12, body = bodyOf }: SampleOptions = {}): RunResult {
  const requirements = requirementIds.flatMap((_, index) => requirement(index, verdict(index), exchanges));
  const observed = requirements.filter((row) => row.level === 'observe');
  const must = totals(requirements, 'must');
  const transcript = Array.from({ length: exchanges }, (_, index) =>
    exchange(index, index === 0 ? undefined : requirements[(index * 3) % requirements.length]?.id, body(index)),
  );
  const report: Report = {
    format: 'covenant-report/1',
    suite: { version: '0.1.0', catalogue: catalogueDigest() },
    target: { base_url: 'https://staging.example.com/gateway', api_path: '/api/external/v2', interface: '2026-03' },
    run: {
      id: 'run-7f3a',
      seed: 20260301,
      started_at: at(0),
      finished_at: at(120_000),
      duration_ms: 120_000,
      minute_ms: 60_000,
      options: everything,
    },
    verdict: verdictOf(must),
    totals: { must, should: totals(requirements, 'should'), observe: { observed: observed.length, not_tested: 0 } },
    requirements,
    observations: observed.map((row, index) => ({
      id: row.id,
      question: row.statement,
      answer: index === 2 ? hostile : `answer ${index}, as seen`,
    })),
    exchanges: transcript,
    budget: pools.map((pool, index) => ({
      ...pool,
      limit: limits[pool.class],
      sent: 40 + index * 3,
      throttled: index === 1 ? 2 : 0,
    })),
    residue: [{ kind: 'company', id: '17', name: `covenant run-7f3a ${hostile.slice(0, 40)}` }],
    untestable,
    traffic: pools.map((pool) => ({ ...pool, slice_ms: 1000, sent: [40, 2] })),
  };
  return { report, transcript };
}

/** Everything passed: the only kind of result that is a certificate. */
export const conformant = (): RunResult => sample({ verdict: () => 'passed' });

/** Every requirement out of reach of a defect, some without what they need. */
export const incomplete = (): RunResult => sample({ verdict: (index) => (index % 9 === 4 ? 'not-tested' : 'passed') });

/** The result with some of its report changed. */
export const changed = ({ report, transcript }: RunResult, parts: Partial<Report>): RunResult => ({
  report: { ...report, ...parts },
  transcript,
});

/** A seventh of the requirements: still of every verdict, and read seven times as fast by validators. */
export const excerpt = (result: RunResult): RunResult =>
  changed(result, { requirements: result.report.requirements.filter((_, index) => index % 7 === 0) });
