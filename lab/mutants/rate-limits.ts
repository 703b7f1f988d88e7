// Wrong rate limits: other numbers than told, untrue refusals, budgets that are shared or split where they must not be.
import type { RateClass } from '../reference/index.ts';
import { type Mutant, mutant } from './mutant.ts';
import { classOf, isBy, type Limit, limiting, onMessage, onRefusal, spilling, telling } from './wrappers/limiting.ts';

type Json = Record<string, unknown>;
type Duty = Omit<Mutant, 'id' | 'wrap' | 'reference'>;

/** A mutant of a limiter of its own. */
function limited(id: string, duty: Duty, rate: RateClass, rule: Limit): Mutant {
  const { reference, wrap } = limiting(rate, rule);
  return mutant(id, { ...duty, ...(reference ? { reference } : {}) }, wrap);
}

const never: Limit = { budget: () => undefined };
const exempt = (operation: string): Limit => ({
  budget: ({ seen }) => (seen.operation === operation ? undefined : 'all'),
});

const allowance: readonly Mutant[] = [
  mutant('rate-limits-tell-one-read-more', { breaks: ['rate-limits-read-allowed'] }, telling('read', 41)),
  mutant('rate-limits-tell-one-write-more', { breaks: ['rate-limits-write-allowed'] }, telling('write', 11)),
  mutant('rate-limits-tell-one-validation-more', { breaks: ['rate-limits-validate-allowed'] }, telling('validate', 11)),
  mutant('rate-limits-tell-one-read-less', { breaks: ['rate-limits-read-enforced'] }, telling('read', 39)),
  mutant('rate-limits-tell-one-write-less', { breaks: ['rate-limits-write-enforced'] }, telling('write', 9)),
  mutant('rate-limits-tell-one-validation-less', { breaks: ['rate-limits-validate-enforced'] }, telling('validate', 9)),
  limited('rate-limits-reads-never-end', { breaks: ['rate-limits-read-enforced'] }, 'read', never),
  limited('rate-limits-writes-never-end', { breaks: ['rate-limits-write-enforced'] }, 'write', never),
  limited('rate-limits-validations-never-end', { breaks: ['rate-limits-validate-enforced'] }, 'validate', never),
  limited('rate-limits-count-reads-by-six-seconds', { breaks: ['rate-limits-read-allowed'] }, 'read', {
    limit: 4,
    windowMs: 6000,
  }),
  limited('rate-limits-writes-are-doubled', { breaks: ['rate-limits-write-enforced'] }, 'write', { limit: 20 }),
];

const refusals: readonly Mutant[] = [
  mutant(
    'rate-limits-refused-reads-have-another-code',
    { breaks: ['rate-limits-refused-code'] },
    onRefusal('read', (json) => ({ ...json, error: { ...(json.error as Json), code: 'TOO_MANY_REQUESTS' } })),
  ),
  mutant(
    'rate-limits-refused-validations-have-another-code',
    { breaks: ['rate-limits-refused-code'] },
    onRefusal('validate', (json) => ({ ...json, error: { ...(json.error as Json), code: 'rate_limited' } })),
  ),
  mutant(
    'rate-limits-refused-writes-have-no-request-id',
    { breaks: ['rate-limits-refused-envelope'] },
    onRefusal('write', ({ request_id: _, ...json }) => json),
  ),
  mutant(
    'rate-limits-refused-validations-are-bare',
    { breaks: ['rate-limits-refused-envelope', 'rate-limits-refused-code', 'rate-limits-refused-seconds'] },
    onRefusal('validate', () => ({ detail: 'Too many requests' })),
  ),
  mutant(
    'rate-limits-refused-writes-tell-no-seconds',
    { breaks: ['rate-limits-refused-seconds'] },
    onMessage('write', () => 'Rate limit exceeded. Please retry later.'),
  ),
  mutant(
    'rate-limits-refused-reads-tell-minutes',
    { breaks: ['rate-limits-refused-seconds'] },
    onMessage('read', () => 'Rate limit exceeded. Please wait 1 minute before retrying.'),
  ),
  mutant(
    'rate-limits-reads-recover-late',
    { breaks: ['rate-limits-refused-recovery'] },
    onMessage('read', (seconds) => `Rate limit exceeded. Please wait ${Math.ceil(seconds / 4)} seconds.`),
  ),
  limited('rate-limits-writes-stay-blocked', { breaks: ['rate-limits-refused-recovery'] }, 'write', {
    penaltyMs: 90_000,
  }),
  limited('rate-limits-refused-edits-are-carried-out', { breaks: ['rate-limits-refused-effect'] }, 'write', {
    carriesOut: ({ operation }) => operation === 'PATCH /companies/{company_id}/notes/{note_id}',
  }),
  ...['POST /companies/{company_id}/notes', 'POST /companies', 'PATCH /companies/{company_id}', 'POST /contacts'].map(
    (operation, index) =>
      limited(
        `rate-limits-refused-write-${index + 1}-is-carried-out`,
        { breaks: ['rate-limits-refused-effect'] },
        'write',
        {
          carriesOut: (seen) => seen.operation === operation,
        },
      ),
  ),
];

const counting: readonly Mutant[] = [
  mutant(
    'rate-limits-spent-reads-refuse-writes',
    { breaks: ['rate-limits-read-write-apart'] },
    spilling('read', (seen, token) => classOf(seen) === 'write' && isBy(seen, token)),
  ),
  mutant(
    'rate-limits-spent-writes-refuse-reads',
    { breaks: ['rate-limits-read-write-apart'] },
    spilling('write', (seen, token) => classOf(seen) === 'read' && isBy(seen, token)),
  ),
  mutant(
    'rate-limits-spent-validations-refuse-reads',
    { breaks: ['rate-limits-validate-apart'] },
    spilling('validate', (seen, token) => classOf(seen) === 'read' && isBy(seen, token)),
  ),
  mutant(
    'rate-limits-spent-validations-refuse-writes',
    { breaks: ['rate-limits-validate-apart'] },
    spilling('validate', (seen, token) => classOf(seen) === 'write' && isBy(seen, token)),
  ),
  mutant(
    'rate-limits-spent-reads-refuse-everybody',
    { breaks: ['rate-limits-accounts-apart'] },
    spilling(
      'read',
      (seen, token) => classOf(seen) === 'read' && !isBy(seen, token) && seen.operation !== 'GET /health',
    ),
  ),
  mutant(
    'rate-limits-spent-writes-refuse-everybody',
    { breaks: ['rate-limits-accounts-apart'] },
    spilling('write', (seen, token) => classOf(seen) === 'write' && !isBy(seen, token)),
  ),
  limited('rate-limits-each-key-has-its-reads', { breaks: ['rate-limits-keys-together'] }, 'read', {
    budget: ({ token }) => token,
  }),
  limited('rate-limits-each-key-has-its-writes', { breaks: ['rate-limits-keys-together'] }, 'write', {
    budget: ({ token }) => token,
  }),
  limited('rate-limits-each-operation-has-its-reads', { breaks: ['rate-limits-every-operation'] }, 'read', {
    budget: ({ seen }) => seen.operation,
  }),
  ...['GET /billing/credits/balance', 'GET /me/team-accounts', 'GET /contacts'].map((operation, index) =>
    limited(
      `rate-limits-read-${index + 1}-is-exempt`,
      { breaks: ['rate-limits-every-operation'] },
      'read',
      exempt(operation),
    ),
  ),
  ...['POST /contacts', 'DELETE /api-keys/{key_id}', 'PATCH /me/active-account', 'PATCH /companies/{company_id}'].map(
    (operation, index) =>
      limited(
        `rate-limits-write-${index + 1}-is-exempt`,
        { breaks: ['rate-limits-every-operation'] },
        'write',
        exempt(operation),
      ),
  ),
];

const mutants: readonly Mutant[] = [...allowance, ...refusals, ...counting];

export default mutants;
