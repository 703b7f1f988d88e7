// Samples for the schemas of a line of evidence and of a product; read by schema.test.ts.
import { type Sample, under } from './report-schema.test-data.ts';

const sha256 = 'a'.repeat(64);

/** The members of every kind of line at once: any of them may stand alone. */
export const evidence: Sample = {
  full: {
    format: 'covenant-evidence/1',
    suite: { version: '0.1.0', catalogue: sha256, code: sha256 },
    interface: '2026-03',
    settings: {
      seed: 1,
      readOnly: false,
      exhaustion: true,
      allowIncomplete: false,
      concurrency: 4,
      effort: 'standard',
    },
    target: { baseUrl: 'http://t.test', limits: { read: 200 }, minuteMs: 60000, originApp: 'c', timeoutMs: 10000 },
    credentials: { COVENANT_API_KEY: 'svc_sk_invented' },
    ask: 1,
    now: [1767225600000, 0, 3],
    case: 'notes-delete-effect',
    request: { method: 'GET', url: 'http://t.test/api/external/v2/me', headers: { accept: 'application/json' } },
    reply: 1,
    status: 200,
    headers: { date: 'now' },
    body: '{}',
    verdict: 'conformant',
    verdicts: { 'notes-delete-effect': 'passed' },
    report: sha256,
    given: { 'settings.seed': 'a'.repeat(16) },
    follows: sha256,
    sha256,
  },
  required: [
    ...under('/suite', 'version catalogue code'),
    ...under('/settings', 'seed readOnly exhaustion allowIncomplete concurrency effort'),
    ...under('/target', 'baseUrl limits minuteMs originApp timeoutMs'),
    ...under('/request', 'method url headers'),
  ],
  wrong: [
    ['/ask', 0],
    ['/status', 99],
    ['/now/0', '1'],
    ['/verdicts/notes-delete-effect', 'green'],
    ['/sha256', 'a'],
    ['/given/settings.seed', 'a'],
    ['/follows', 'a'],
    ['/target/baseUrl', 'file:///etc'],
  ],
  also: [
    { slept: 1 },
    { lost: 2, why: 'no reply' },
    { broke: 3, error: 'Error', why: 'x' },
    { stopped: 'interrupted' },
  ],
};

export const product: Sample = {
  full: { implementation: 'Granite', version: '4.2', vendor: 'Granite Inc.', contact: 'api@granite.example' },
  required: under('', 'implementation version vendor contact'),
  wrong: [
    ['/implementation', ''],
    ['/vendor', '  '],
    ['/contact', 'a'],
  ],
};
