// The suites, in the document's order.
import type { Suite } from '../lib/index.ts';
import account from './account.ts';
import apiKeys from './api-keys.ts';
import authentication from './authentication.ts';
import billing from './billing.ts';
import companies from './companies.ts';
import contacts from './contacts.ts';
import envelope from './envelope.ts';
import errors from './errors.ts';
import idempotency from './idempotency.ts';
import notes from './notes.ts';
import pagination from './pagination.ts';
import publicOperations from './public.ts';
import rateLimits from './rate-limits.ts';

export const suites: readonly Suite[] = [
  envelope,
  errors,
  authentication,
  account,
  apiKeys,
  publicOperations,
  billing,
  companies,
  notes,
  contacts,
  pagination,
  idempotency,
  rateLimits,
];
