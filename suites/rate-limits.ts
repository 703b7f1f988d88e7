// Limits / Rate limits: what a minute allows, what a refusal says, and what is counted together.
import { suite } from '../lib/index.ts';
import { limitsExceeded } from './rate-limits/limits.ts';
import { rateLimitRules } from './rate-limits/rules.ts';
import { unaffectedByWrites, unauthenticated, values } from './rate-limits/unaffected.ts';
import { validatesExhausted } from './rate-limits/validates.ts';

/** In this order: what spends a class only uses the minute that must pass quietly before the limits are exceeded. */
export default suite(
  'rate-limits',
  [values, unaffectedByWrites, limitsExceeded, validatesExhausted, unauthenticated],
  rateLimitRules,
);
