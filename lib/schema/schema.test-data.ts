// One full sample for each schema of what is read, and what may and may not be done to it; read by schema.test.ts.

import { evidence, product, report, type Sample, under, waivers } from './report-schema.test-data.ts';
import type { SchemaName } from './schema.ts';

const at = '2026-03-01T09:30:00Z';
const envelope = { request_id: 'req_1', timestamp: at };
const wrongEnvelope = [
  ['/request_id', ''],
  ['/timestamp', 'yesterday'],
  ['/timestamp', '2026-03-01'],
  ['/timestamp', '2026-03-01 09:30:00'],
] as const;
const times = [at, '2026-03-01T09:30:00', '2026-03-01T09:30:00.123456+02:00', '20260301T093000Z'];

const cursorPage = { total: 3, limit: 50, cursor: null, has_more: true, next_cursor: 'eyJpZCI6M30=' };
const lastPage = { total: 3, limit: 50, cursor: 'YWI', has_more: false, next_cursor: null };
const offsetPage = { total: 3, limit: 50, offset: 0, has_more: false };
const page = (pagination: object) => ({ ...envelope, data: [], pagination });
const counts = [
  ['/pagination/total', -1],
  ['/pagination/total', 1.5],
  ['/pagination/limit', 0],
  ['/pagination/limit', 201],
] as const;

const key = { id: 7, label: 'nightly', key_prefix: 'svc_sk_ab12', created_at: at };
const wrongKey = [
  ['/id', 1.5],
  ['/label', ''],
  ['/label', 'é'.repeat(256)],
  ['/key_prefix', ''],
  ['/created_at', 'yesterday'],
  ['/last_used_at', 'never'],
] as const;

const company = { company_id: 3, name: 'Granite Bank', company_type: 'lender' };
const place = { address: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' };
const placed = ['/address', '/city', '/state', '/zip'];
const contact = {
  contact_type: 'lender_contact',
  company_id: 3,
  first_name: 'Ada',
  last_name: 'Hill',
  email: 'ada@example.com',
  title: 'Director',
  department: 'Credit',
  ...place,
  address2: 'Suite 4',
  linkedin_url: 'https://linkedin.com/in/ada',
  photo_url: 'https://example.com/ada.png',
  phones: [{ raw: '(512) 555-0100', e164: '+15125550100', type: 'office', country: 'US', extension: '12' }],
  is_primary: true,
};
const { contact_type, company_id, ...contactOptional } = contact;

/** What is only written: the tests of the commands that write it have documents. */
export const written = [
  'event',
  'catalogue',
  'certificate',
  'comparison',
  'diagnosis',
  'matrix',
  'verification',
] as const;
export type Sampled = Exclude<SchemaName, (typeof written)[number]>;

const open: Sample = { full: {}, also: [{ anything: null }, { id: 'x', nested: { more: [1] } }] };
export const samples: Readonly<Record<Sampled, Sample>> = {
  success: {
    full: { ...envelope, data: {} },
    wrong: [...wrongEnvelope, ['/data', []]],
    also: [
      { ...envelope, data: {}, pagination: null },
      ...times.map((timestamp) => ({ ...envelope, timestamp, data: {} })),
    ],
  },
  'plain-list': {
    full: { ...envelope, data: [{}] },
    wrong: [...wrongEnvelope, ['/data', {}]],
    also: [{ ...envelope, data: [], pagination: null }],
  },
  'cursor-list': {
    full: page(cursorPage),
    optional: ['/pagination/cursor'],
    wrong: [
      ...wrongEnvelope,
      ...counts,
      ['/data', {}],
      ['/pagination/next_cursor', ''],
      ['/pagination/next_cursor', 'a+b_'],
    ],
    also: [
      page(lastPage),
      page({ ...lastPage, next_cursor: '' }),
      page({ total: 0, limit: 1, has_more: false }),
      ...['YWI', 'YWI=', '-_-_', '+/+/'].map((next_cursor) => page({ ...cursorPage, next_cursor })),
    ],
  },
  'offset-list': {
    full: page(offsetPage),
    wrong: [...wrongEnvelope, ...counts, ['/data', {}], ['/pagination/offset', -1]],
    also: [page({ ...offsetPage, next_cursor: null })],
  },
  error: {
    full: { request_id: 'req_1', error: { code: 'UNAUTHORIZED', message: 'Invalid token' } },
    wrong: [
      ['/request_id', ''],
      ['/error', 'UNAUTHORIZED'],
      ['/error', []],
    ],
    also: [{ request_id: 'r', error: { code: 'X', message: '', details: [] }, timestamp: null }],
  },
  me: {
    full: { platform: { rate_limits: { read: 200 } } },
    open: ['/platform/rate_limits/read'],
    also: [200, [], '200 per minute'].map((rate_limits) => ({ platform: { rate_limits } })),
  },
  account: open,
  'active-account': open,
  'team-member': open,
  health: open,
  'billing-summary': open,
  credits: open,
  'api-key': {
    full: { ...key, last_used_at: at },
    optional: ['/last_used_at'],
    wrong: wrongKey,
    also: [{ ...key, label: '😀'.repeat(255), api_key: null }],
  },
  'api-key-created': {
    full: { ...key, api_key: 'svc_sk_ab12cd34', last_used_at: at },
    optional: ['/last_used_at'],
    wrong: [...wrongKey, ['/api_key', 'svc_sk_'], ['/api_key', 'sk_ab12cd34']],
  },
  deletion: {
    full: { deleted: true },
    wrong: [['/deleted', 'true']],
    also: [{ deleted: false }],
  },
  validation: {
    full: { valid: true, user_id: 1, account_id: 'acc_1', scopes: ['account:read'], tier: 'pro' },
    wrong: [
      ['/valid', null],
      ['/valid', 'true'],
      ['/scopes', 'account:read'],
    ],
    also: [
      { valid: false },
      { valid: false, user_id: null, account_id: null, scopes: null, tier: null, reason: 'revoked' },
    ],
  },
  company: {
    full: {
      ...company,
      ...place,
      website: 'https://granite.example/home',
      org_id: 5,
      linkedin_url: 'https://l.example/g',
    },
    optional: [...placed, '/website', '/org_id', '/linkedin_url'],
    open: ['/company_id'],
    wrong: [
      ['/name', ''],
      ['/name', 'n'.repeat(256)],
      ['/company_type', 'bank'],
      ['/company_id', '3'],
      ['/org_id', 0.5],
    ],
    also: [{ id: 3, name: '😀'.repeat(255), company_type: 'sponsor' }],
  },
  note: {
    full: { note_id: 9, text: ' first line\n\tsecond ' },
    open: ['/note_id'],
    wrong: [
      ['/text', ''],
      ['/text', ' \t\r\n'],
      ['/note_id', '9'],
    ],
    also: [{ id: 9, text: '\u00a0' }, { text: 'x'.repeat(100_000) }],
  },
  contact: {
    full: contact,
    optional: Object.keys(contactOptional).map((name) => `/${name}`),
    open: under('/phones/0', 'raw e164 type country extension'),
    wrong: [
      ['/contact_type', 'lender'],
      ['/company_id', '3'],
      ['/phones/0', null],
      ['/phones/0/type', 'home'],
      ['/is_primary', 1],
    ],
    also: [{ contact_type, company_id, id: 'c_1', phones: [] }],
  },
  phone: {
    full: { raw: '5125550100', type: 'mobile', country: 'US', extension: '1' },
    optional: ['/raw', '/type', '/country', '/extension'],
    wrong: [
      ['/type', 'Mobile'],
      ['/type', ''],
    ],
    also: [{ number: '+15125550100' }],
  },
  report,
  waivers,
  evidence,
  product,
};
