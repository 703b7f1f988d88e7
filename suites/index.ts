// The suites, in the document's order.
import type { Suite } from '../lib/index.ts';
import billing from './billing.ts';
import companies from './companies.ts';
import contacts from './contacts.ts';
import pagination from './pagination.ts';

export const suites: readonly Suite[] = [billing, companies, contacts, pagination];
