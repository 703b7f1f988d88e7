// Samples for the schemas of a line of evidence and of a product; read by schema.test.ts.
import { type Sample, under } from './report-schema.test-data.ts';

const sha256 = 'a'.repeat(64);

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
  required: [...under('/suite', 'version catalogue code'), ...under('/request', 'method url headers')],
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
  required: under('', 'implementation version vendor contact'),
  wrong: [
    ['/implementation', ''],
    ['/vendor', '  '],
    ['/contact', 'a'],
  ],
};
