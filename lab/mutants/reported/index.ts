// Mutants that behave as real software did, by the class of the defect; each has the public report.
import { declared } from '../declared.ts';
import type { Mutant } from '../mutant.ts';
import idempotency from './idempotency.ts';
import lists from './lists.ts';
import rateLimits from './rate-limits.ts';
import records from './records.ts';
import requests from './requests.ts';
import tokens from './tokens.ts';

export const reportedByClass: Readonly<Record<string, readonly Mutant[]>> = {
  'Lists and cursors': lists.map(declared),
  'Idempotency-Key': idempotency.map(declared),
  'Sessions, keys and caches': tokens.map(declared),
  'Rate limits': rateLimits.map(declared),
  'Reading requests': requests.map(declared),
  'Storing records': records.map(declared),
};

export const reported: readonly Mutant[] = Object.values(reportedByClass).flat();
