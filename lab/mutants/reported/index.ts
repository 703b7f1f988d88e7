// Mutants that behave as real software did, by the class of the defect; each has the public report.
import type { Mutant } from '../mutant.ts';
import idempotency from './idempotency.ts';
import lists from './lists.ts';
import rateLimits from './rate-limits.ts';
import records from './records.ts';
import requests from './requests.ts';
import tokens from './tokens.ts';

export const reportedByClass: Readonly<Record<string, readonly Mutant[]>> = {
  'Lists and cursors': lists,
  'Idempotency-Key': idempotency,
  'Sessions, keys and caches': tokens,
  'Rate limits': rateLimits,
  'Reading requests': requests,
  'Storing records': records,
};

export const reported: readonly Mutant[] = Object.values(reportedByClass).flat();
