// Samples for the schemas of the files that Covenant reads, and what a sample is; read by schema.test.ts.
import { exchange, failedCase, report as reportOf, requirement } from '../report/terminal/example.test-data.ts';

export interface Sample {
  readonly full: object;
  /** Pointers of members that may be absent or null, but of no other type. */
  readonly optional?: readonly string[];
  /** Pointers of others that may be absent; what is neither must be there, of its type, and not null. */
  readonly open?: readonly string[];
  /** Pointer and value: each is refused at that very place. */
  readonly wrong?: readonly (readonly [string, unknown])[];
  /** Further values that are lawful. */
  readonly also?: readonly unknown[];
}

const waiver = {
  requirement: 'billing-summary-scope',
  operation: 'GET /billing/summary',
  reason: 'repaired in the next release',
  owner: 'billing team',
  link: 'https://tracker.example.com/7',
  expires: '2026-06-30',
};

const failed = failedCase().failure;
const full = {
  ...reportOf([
    requirement('failed', {
      cases: [failedCase({ ...(failed && { failure: { ...failed, steps: [{ exchange: 12 }] } }) })],
    }),
    requirement('not-tested', {
      level: 'should',
      reason: 'COVENANT_JWT is not given',
      cases: [{ verdict: 'inconclusive', reason: 'the network broke off', duration_ms: 0 }],
    }),
  ]),
  observations: [{ id: 'billing-shape', question: 'Which members?', answer: 'plan, credits' }],
  exchanges: [exchange(12, 'COVENANT_API_KEY_RESTRICTED', '{}')],
  budget: [{ account: 'primary', class: 'read', limit: 200, sent: 12, throttled: 0 }],
  residue: [{ kind: 'company', id: '12', name: 'covenant r1' }],
  untestable: [{ id: 'public-uptime', area: 'public', section: 'Health', statement: 'It is up', reason: 'always' }],
  out_of_scope: [{ id: 'account-x', level: 'must', area: 'account', section: 'Account', statement: 'It is so' }],
  traffic: [{ account: 'primary', class: 'read', slice_ms: 1000, sent: [0, 12] }],
  plan: {
    requests: [{ account: 'primary', class: 'read', requests: 12 }],
    residue: [{ kind: 'company', count: 1 }],
    duration_ms: 0,
  },
  waivers: [{ ...waiver, state: 'applied' }],
};
/** Pointers to several members of one place. */
const under = (prefix: string, names: string) => names.split(' ').map((name) => `${prefix}/${name}`);

const report: Sample = {
  full,
  optional: ['/budget/0/limit'],
  open: [
    ...under('/run/options', 'area requirement read_only exhaustion allow_incomplete concurrency effort profile'),
    ...under('/requirements/0/cases/0', 'operation failure failure/expected failure/actual failure/steps'),
    ...under('', 'observations/0/answer exchanges/0/operation untestable out_of_scope traffic waivers'),
    ...under('', 'plan plan/requests plan/residue plan/duration_ms waivers/0/operation waivers/0/link'),
    ...under('/exchanges/0', 'duration_ms request/headers request/headers/authorization request/credential'),
    ...under('/exchanges/0/response', 'headers headers/content-type body'),
  ],
  wrong: [
    ['/format', 'covenant-report/2'],
    ['/verdict', 'passed'],
    ['/requirements/0/level', 'may'],
    ['/requirements/0/verdict', 'not_tested'],
    ['/requirements/1/reason', ''],
    ['/requirements/0/cases/0/operation', 3],
    ['/budget/0/class', 'sort'],
    ['/waivers/0/state', 'forgotten'],
    ['/waivers/0/expires', 'tomorrow'],
    ['/suite/catalogue', 'A'.repeat(64)],
    ['/run/finished_at', '2026-03-01T09:30:00'],
  ],
  also: [
    { ...full, untestable: [], plan: {}, reason: 'unreachable' },
    { ...full, untestable: undefined, traffic: undefined, plan: undefined, waivers: undefined },
    { ...full, requirements: [], observations: [], exchanges: [], budget: [], residue: [] },
  ],
};

const waivers: Sample = {
  full: {
    format: 'covenant-waivers/1',
    waivers: [waiver],
  },
  open: ['/waivers/0/operation', '/waivers/0/link'],
  wrong: [
    ['/format', 'covenant-waivers/2'],
    ['/waivers/0/reason', ''],
    ['/waivers/0/owner', ''],
    ['/waivers/0/operation', ''],
    ['/waivers/0/expires', '30 June'],
  ],
  also: [{ format: 'covenant-waivers/1', waivers: [] }],
};

const sha256 = 'a'.repeat(64);

/** The members of every kind of line at once: any of them may stand alone. */
const evidence: Sample = {
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

const product: Sample = {
  full: { implementation: 'Granite', version: '4.2', vendor: 'Granite Inc.', contact: 'api@granite.example' },
  wrong: [
    ['/implementation', ''],
    ['/vendor', '  '],
    ['/contact', 'a'],
  ],
};

export const samples = { report, waivers, evidence, product };
