// A reply for tests, of which each test says only what it is about; ledgers, and the replies that settle them.

import type { OperationId } from '../catalogue/operations.ts';
import type { Credential } from './credential.ts';
import { type Entry, Ledger } from './ledger.ts';
import type { Reply, Sent } from './reply.ts';

export const replyOf = (more: Partial<Reply> = {}): Reply => ({
  id: 1,
  operation: 'GET /companies/{company_id}',
  request: { method: 'GET', url: 'http://target.test', headers: {} },
  credential: 'COVENANT_API_KEY',
  owner: 'a case',
  sentAt: 0,
  receivedAt: 0,
  after: 0,
  status: 200,
  headers: {},
  text: '',
  json: undefined,
  ...more,
});

export const primary: Credential = { name: 'COVENANT_API_KEY', kind: 'key', token: 'svc_sk_secret', accounts: ['A'] };
export const base = 'http://t.test/api/external/v2';
export const creation = (label: string): Sent => ({
  method: 'POST',
  url: `${base}/api-keys`,
  headers: { authorization: 'Bearer svc_sk_secret' },
  body: JSON.stringify({ label }),
});
export const reply = (operation: OperationId, status: number, json: unknown, url = `${base}/api-keys`): Reply =>
  replyOf({ operation, request: { method: 'POST', url, headers: {} }, status, json });
export const made = (id: number) => reply('POST /api-keys', 201, { data: { id, label: 'x', api_key: 'svc_sk_new' } });

export function intended(entries: Entry[] = []) {
  const ledger = new Ledger((entry) => entries.push(entry));
  const n = ledger.intend(creation('Covenant 1 key'), 'POST /api-keys', primary, 1000);
  return { ledger, n, entries };
}
