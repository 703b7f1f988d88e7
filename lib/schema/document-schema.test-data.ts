// Samples for the schemas of a line of evidence, of a product, and of what the commands beside `run` write; read by schema.test.ts.

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
const moved = [{ requirement: 'a', was: 'passed', is: 'failed' }];

/** The members of every kind of line at once: any of them may stand alone. */
export const evidence: Sample = {
  full: {
    format: 'covenant-evidence/2',
    suite: { version: '0.1.0', catalogue: sha256, code: sha256 },
    interface: '2026-03',
    id: 1,
    operation: 'GET /me',
    request: { method: 'GET', url: 'http://t.test/api/external/v2/me', headers: { accept: 'application/json' } },
    credential: 'COVENANT_API_KEY',
    owner: 'account-me-slug',
    sentAt: 1767225600000,
    receivedAt: 1767225600010,
    after: 0,
    status: 200,
    headers: { date: 'now' },
    text: '{}',
    judged: true,
    sha256OfReport: sha256,
    lost: [{ request: { method: 'POST', url: 'http://t.test/notes', headers: {} }, after: 3 }],
    allowances: { minuteMs: 60_000, key: 'COVENANT_API_KEY', limits: { read: 200 }, accounts: { COVENANT_JWT: ['a'] } },
    sha256,
  },
  open: [
    ...under(
      '',
      'format suite interface id operation request request/headers/accept credential owner sentAt receivedAt',
    ),
    ...under('', 'after status headers headers/date text judged sha256OfReport lost lost/0/after allowances sha256'),
    ...under('/allowances', 'limits/read accounts/COVENANT_JWT'),
  ],
  wrong: [
    ['/id', 0],
    ['/status', 99],
    ['/sentAt', '1'],
    ['/sha256', 'a'],
    ['/request/url', 'file:///etc'],
  ],
  also: [{ sha256 }],
};

export const product: Sample = {
  full: { implementation: 'Granite', version: '4.2', vendor: 'Granite Inc.', contact: 'api@granite.example' },
  wrong: [
    ['/implementation', ''],
    ['/vendor', '  '],
    ['/contact', 'a'],
  ],
};

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
    incomparable: { added: [], removed: [], reworded: [], unselectedBefore: [], unselectedNow: ['c'] },
    waivers: [],
  },
  open: [
    ...under('/before/suite', 'version catalogue'),
    ...under('/after/suite', 'version catalogue'),
    '/newly_failing/0/operations',
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
  open: under('', 'checks/0/remedy plan totals'),
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
  open: under('', 'requirements requirements/0/impact requirements/0/rulings requirements/0/reason rulings'),
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
  open: under('', 'verdict signer suite suite/version suite/catalogue suite/code as_recorded controls'),
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
  open: ['/signer', '/controls'],
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
  open: under('', 'plan plan/requests plan/residue plan/duration_ms request request/request_id accounts'),
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
