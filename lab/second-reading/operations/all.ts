// All operations of the interface.
import type { Operation } from '../visit.ts';
import { accountOperations } from './account.ts';
import { billingOperations } from './billing.ts';
import { companyOperations } from './companies.ts';
import { contactOperations } from './contacts.ts';
import { keyOperations } from './keys.ts';
import { noteOperations } from './notes.ts';
import { publicOperations } from './public.ts';

export const operations: readonly Operation[] = [
  ...publicOperations,
  ...accountOperations,
  ...keyOperations,
  ...billingOperations,
  ...companyOperations,
  ...noteOperations,
  ...contactOperations,
];
