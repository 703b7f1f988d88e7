// Rate limits: what is allowed in a minute, what a refusal says, and what is counted together.
import { must, observe, requirements, untestable } from './requirement.ts';

const allowance = requirements('rate-limits', 'Limits / Rate limits, row Read (GET)', {
  'rate-limits-read-allowed': must('In a quiet minute no read is refused up to the read limit', {
    impact: 'A client that keeps to the limit is refused all the same.',
    rulings: ['rate-burst', 'rate-reported-number'],
  }),
  'rate-limits-write-allowed': must('In a quiet minute no write is refused up to the write limit', {
    at: 'Limits / Rate limits, row Write (POST, PATCH, DELETE)',
    impact: 'A client that keeps to the limit is refused all the same.',
    rulings: ['rate-burst', 'rate-reported-number'],
  }),
  'rate-limits-validate-allowed': must('In a quiet minute no key validation is refused up to the validation limit', {
    at: 'Limits / Rate limits, row POST /auth/validate-api-key',
    impact: 'A client that keeps to the limit is refused all the same.',
    rulings: ['rate-burst', 'rate-reported-number'],
  }),
  'rate-limits-read-enforced': must('Reads beyond the read limit are refused with 429', {
    impact: 'One account slows down all others.',
    rulings: ['rate-burst', 'rate-algorithm', 'rate-reported-number'],
  }),
  'rate-limits-write-enforced': must('Writes beyond the write limit are refused with 429', {
    at: 'Limits / Rate limits, row Write (POST, PATCH, DELETE)',
    impact: 'One account slows down all others.',
    rulings: ['rate-burst', 'rate-algorithm', 'rate-reported-number'],
  }),
  'rate-limits-validate-enforced': must('Key validations beyond their limit are refused with 429', {
    at: 'Limits / Rate limits, row POST /auth/validate-api-key',
    impact: 'Keys can be guessed at full speed.',
    rulings: ['rate-burst', 'rate-algorithm', 'rate-reported-number'],
  }),
  'rate-limits-values': observe(
    'Which limits does GET /me report, in which form, and are they the defaults 200, 30 and 10?',
    { at: 'Limits / Rate limits, paragraph 1', rulings: ['rate-limits-shape'] },
  ),
  'rate-limits-tier': untestable(
    'The limits depend on the subscription tier of the account',
    'the interface has no way to change a subscription',
    'Limits / Rate limits, paragraph 1',
  ),
});

const refusal = requirements('rate-limits', 'Errors, row 429', {
  'rate-limits-refused-code': must('Every 429 carries the code RATE_LIMITED', {
    impact: 'Clients do not recognise that they have to wait.',
  }),
  'rate-limits-refused-envelope': must('Every 429 comes in the error envelope', {
    impact: 'Error handling crashes in the moment of most load.',
    rulings: ['error-envelope-reach'],
  }),
  'rate-limits-refused-seconds': must('The message of a 429 says how many seconds to wait', {
    impact: 'Clients guess, and wait too short or too long.',
    rulings: ['rate-seconds'],
  }),
  'rate-limits-refused-recovery': must('After the seconds that a 429 names, a request is accepted', {
    impact: 'Clients that obey are refused again.',
    rulings: ['rate-seconds', 'client-duties'],
  }),
  'rate-limits-refused-effect': must('A write that was refused with 429 was not carried out', {
    impact: 'The retry makes a duplicate.',
    rulings: ['effect-over-form'],
  }),
  'rate-limits-refused-retry-after': observe('Does a 429 carry Retry-After, and does it agree with the message?'),
  'rate-limits-headers': observe('Which headers about limits do replies carry?', {
    at: 'Limits / Rate limits, paragraph 1',
  }),
});

const counting = requirements('rate-limits', 'Limits / Rate limits, paragraph 1', {
  'rate-limits-read-write-apart': must('Spent reads leave writes accepted, and spent writes leave reads accepted', {
    at: 'Limits / Rate limits, rows Read (GET) to Write (POST, PATCH, DELETE)',
    impact: 'A reader blocks the writers of the same firm.',
    rulings: ['rate-classes'],
  }),
  'rate-limits-validate-apart': must('Spent key validations leave reads and writes accepted', {
    at: 'Limits / Rate limits, row POST /auth/validate-api-key',
    impact: 'Checking keys stops the work.',
    rulings: ['rate-classes'],
  }),
  'rate-limits-keys-together': must('The keys and sessions of one account share one allowance', {
    impact: 'The limit is doubled by making a second key.',
    rulings: ['rate-classes'],
  }),
  'rate-limits-accounts-apart': must('Another account is served while one has spent its allowance', {
    impact: 'One customer blocks all others.',
    rulings: ['rate-classes'],
  }),
  'rate-limits-every-operation': must('Once its class is spent, every reading or writing operation is refused', {
    at: 'Limits / Rate limits, rows Read (GET) to Write (POST, PATCH, DELETE)',
    impact: 'One operation is a way round the limit.',
    rulings: ['rate-classes'],
  }),
  'rate-limits-algorithm': observe('How does the target count: aligned minute, sliding window or bucket?', {
    rulings: ['rate-algorithm'],
  }),
  'rate-limits-refused-counted': observe('Do refused requests prolong the wait?', { rulings: ['rate-algorithm'] }),
  'rate-limits-unauthenticated': observe('Are requests without valid credentials ever refused with 429?', {
    rulings: ['rate-classes'],
  }),
  'rate-limits-health': observe('Is the health check served while the reads of the account are spent?', {
    at: 'Limits / Rate limits, row Read (GET)',
    rulings: ['rate-classes'],
  }),
  'rate-limits-validate-charged': observe('To whom are key validations charged: caller, key or everybody?', {
    at: 'Limits / Rate limits, row POST /auth/validate-api-key',
    rulings: ['rate-classes'],
  }),
});

export const rateLimits = { ...allowance, ...refusal, ...counting };
