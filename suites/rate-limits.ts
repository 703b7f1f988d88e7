// Limits / Rate limits: what a minute allows, what a refusal says, and what is counted together.
import { suite } from '../lib/index.ts';
import { keysTogether, unauthenticated, values } from './rate-limits/keys.ts';
import { readsExhausted } from './rate-limits/reads.ts';
import { validatesExhausted } from './rate-limits/validates.ts';
import { writesExhausted } from './rate-limits/writes.ts';

export default suite('rate-limits', [
  values,
  readsExhausted,
  writesExhausted,
  keysTogether,
  validatesExhausted,
  unauthenticated,
]);
