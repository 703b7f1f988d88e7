// A reply for tests, of which each test says only what it is about.
import type { Reply } from './reply.ts';

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
