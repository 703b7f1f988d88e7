// Samples for the schemas of what the commands beside `run` write; read by schema.test.ts.
import { product } from './evidence-schema.test-data.ts';
import { type Sample, under } from './report-schema.test-data.ts';

const at = '2026-03-01T09:30:00Z';
const sha256 = 'a'.repeat(64);
const suite = { version: '0.1.0', catalogue: sha256 };
const tally = { passed: 1, failed: 0, not_tested: 0, inconclusive: 0 };
const totals = { must: tally, should: { ...tally }, observe: { observed: 1, not_tested: 0 } };
const side = { run: 'r1', at, suite, target: 'http://t.test' };
const change = {
  id: 'a',
  level: 'must',
  statement: 'it holds',
  was: 'passed',
  verdict: 'failed',
  operations: ['GET /me'],
};
const cost = { what: 'primary, read', before: 1, after: 30 };
const moved = [{ requirement: 'a', was: 'passed', is: 'failed' }];

export const comparison: Sample = {
  full: {
    format: 'covenant-comparison/1',
    before: side,
    after: { ...side },
    sentence: 'Worse.',
    exit_code: 1,
    cause: 'target',
    terms: ['effort'],
    compared: 3,
    worse: { failing: ['a'], untested: [] },
    newly_failing: [change],
    newly_passing: [],
    newly_untested: [],
    no_longer_offered: [],
    observations: [{ id: 'b', question: 'which?', before: 'x', after: 'y' }],
    cost: { sent: [cost], limits: [], throttled: [], latency: [] },
    incomparable: { added: [], removed: [], reworded: [], unselectedBefore: [], unselectedNow: ['c'] },
    waivers: [],
  },
  required: [
    ...under('', 'format before after sentence exit_code cause terms compared worse newly_failing newly_passing'),
    ...under('', 'newly_untested no_longer_offered observations cost incomparable waivers'),
    ...under('/before', 'run at suite target'),
    ...under('/newly_failing/0', 'id level statement was verdict'),
    ...under('/cost/sent/0', 'what before after'),
  ],
  wrong: [
    ['/exit_code', 4],
    ['/cause', 'weather'],
    ['/newly_failing/0/was', 'green'],
  ],
};

export const diagnosis: Sample = {
  full: {
    format: 'covenant-doctor/1',
    checks: [{ what: 'target', state: 'fine', says: 'It answers.', remedy: 'None.' }],
    plan: { requests: [{ account: 'primary', class: 'read', requests: 3 }], residue: [], duration_ms: 10 },
    totals,
  },
  required: [...under('', 'format checks'), ...under('/checks/0', 'what state says')],
  wrong: [
    ['/checks/0/state', 'ill'],
    ['/checks/0/remedy', ''],
    ['/plan/requests/0/class', 'sort'],
  ],
  also: [{ format: 'covenant-doctor/1', checks: [] }],
};

export const matrix: Sample = {
  full: {
    format: 'covenant-matrix/1',
    requirements: [{ id: 'a', level: 'must', area: 'notes', statement: 'it holds' }],
    questions: [{ id: 'b', question: 'which?', answers: ['x'] }],
    columns: [
      { name: 'one', verdict: 'incomplete', at, minute_ms: 60000, profile: 'full', verdicts: 'p', answers: [-1] },
    ],
  },
  required: [
    ...under('', 'format requirements questions columns'),
    ...under('/requirements/0', 'id level area statement'),
    ...under('/columns/0', 'name verdict at minute_ms profile verdicts answers'),
  ],
  wrong: [
    ['/columns/0/verdicts', 'x'],
    ['/columns/0/answers/0', -2],
  ],
};

const id = 'a';
const section = 'Endpoints / Notes';

export const catalogue: Sample = {
  full: {
    format: 'covenant-catalogue/1',
    requirements: [
      {
        id,
        level: 'must',
        area: 'notes',
        section,
        statement: 'it holds',
        impact: 'lost',
        rulings: ['c'],
        reason: 'no',
      },
    ],
    rulings: [{ id: 'c', question: 'which?', readings: ['x'], ruling: 'x', why: 'it says so', requirements: [id] }],
  },
  required: [
    '/format',
    ...under('/requirements/0', 'id level area section statement'),
    ...under('/rulings/0', 'id question readings ruling why requirements'),
  ],
  wrong: [
    ['/requirements/0/level', 'shall'],
    ['/rulings/0/readings/0', 7],
  ],
  also: [
    { format: 'covenant-catalogue/1', requirements: [] },
    { format: 'covenant-catalogue/1', rulings: [] },
  ],
};

export const verification: Sample = {
  full: {
    format: 'covenant-verification/2',
    outcome: 'follows',
    verdict: 'conformant',
    sha256,
    signer: sha256,
    suite: { ...suite, code: sha256 },
    troubles: [],
    moved,
    as_recorded: ['b'],
    controls: { musts: 2, shown: 1, notShown: ['a'] },
  },
  required: [...under('', 'format outcome sha256 troubles moved'), '/moved/0/requirement'],
  wrong: [
    ['/outcome', 'fine'],
    ['/sha256', 'a'],
  ],
};

export const certificate: Sample = {
  full: {
    format: 'covenant-certificate/2',
    product: product.full,
    interface: { name: 'External REST Interface v2', revision: '2026-03', profile: 'full' },
    suite: { ...suite, code: sha256 },
    run: {
      id: 'r1',
      seed: 1,
      effort: 'standard',
      target: 'http://t.test',
      started_at: at,
      finished_at: at,
      limits: [{ account: 'primary', class: 'read', limit: 200 }],
    },
    result: { verdict: 'conformant', totals, judged: 1, warnings: [], not_testable: ['c'], out_of_scope: ['d'] },
    evidence: { name: 'evidence.jsonl.gz', sha256 },
    verify: 'covenant verify evidence.jsonl.gz',
    signer: sha256,
    controls: { musts: 2, shown: 1, notShown: ['a'] },
  },
  required: [
    ...under('', 'format product interface suite run result evidence verify'),
    ...under('/run', 'id seed effort target started_at finished_at limits'),
    ...under('/result', 'verdict totals warnings not_testable out_of_scope'),
    ...under('/suite', 'version catalogue code'),
    '/product/vendor',
    '/interface/profile',
  ],
  wrong: [
    ['/result/verdict', 'incomplete'],
    ['/evidence/sha256', 'A'],
  ],
};

const started = {
  event: 'started',
  at,
  format: 'covenant-events/1',
  run: 'abc123',
  seed: 7,
  base_url: 'http://t.test',
  requirements: 3,
  cases: 2,
};
const finished = { event: 'finished', at, verdict: 'conformant', totals, duration_ms: 12 };

export const event: Sample = {
  full: {
    ...started,
    plan: { requests: [{ account: 'primary', class: 'read', requests: 12 }], residue: [], duration_ms: 0 },
    request: { method: 'GET', url: 'http://t.test/me', credential: 'COVENANT_API_KEY', status: 200, request_id: 'a' },
    accounts: ['COVENANT_API_KEY'],
  },
  required: [
    ...under('', 'event at format run seed base_url requirements cases'),
    ...under('/request', 'method url credential status'),
  ],
  wrong: [
    ['/format', 'covenant-events/2'],
    ['/at', 'now'],
    ['/request/status', 0],
    ['/accounts/0', ''],
  ],
  also: [
    { event: 'phase', at, phase: 'clean-up', things: 3 },
    { event: 'case-started', at, case: 'a', requirements: ['a'] },
    { event: 'something new', at },
    finished,
  ],
};
