// The two operations that need no credentials: health and key validation.
import { must, observe, requirements } from './requirement.ts';

const heading = 'Endpoints / Public operations (no authentication)';

const health = requirements('public', `${heading}, row GET /health`, {
  'public-health-open': must('The health check answers 200 without credentials', {
    impact: 'Monitors and load balancers report an outage.',
    rulings: ['public-credentials'],
  }),
  'public-health-content': observe('What does the health check return?', { rulings: ['silent-is-observed'] }),
});

const validation = requirements('public', `${heading}, row POST /auth/validate-api-key`, {
  'public-validate-open': must('The key validation answers 200 without credentials', {
    impact: 'A gateway would need a key to check keys.',
    rulings: ['public-credentials'],
  }),
  'public-validate-valid': must('The validation reports a live key as valid', {
    impact: 'Gateways turn away rightful callers.',
  }),
  'public-validate-facts': must(
    'The validation of a live key returns user_id, account_id, scopes as an array of texts and tier as a text',
    { impact: 'Gateways cannot match the caller or choose rights and limits.' },
  ),
  'public-validate-identity': must(
    'The validation returns a different user_id and account_id for a key of another user and account',
    {
      impact: 'Customers are taken for each other.',
      rulings: ['caller-evidence'],
    },
  ),
  'public-validate-scopes-granted': must(
    'The validated scopes include every scope that the key has been seen to have',
    {
      impact: 'Functions are withheld that the key may use.',
      rulings: ['scope-evidence'],
    },
  ),
  'public-validate-scopes-lacking': must('The validated scopes include no scope that the key has been seen to lack', {
    impact: 'Functions are offered that then fail with 403.',
    rulings: ['scope-evidence'],
  }),
  'public-validate-invalid': must(
    'A key that was never issued, or is a live one with a changed character, is reported as invalid with status 200',
    { impact: 'Gateways let anybody in, or take a wrong key for an outage.', rulings: ['validate-invalid'] },
  ),
  'public-validate-invalid-bare': must('The validation of an invalid key returns no user, account, scopes or tier', {
    impact: 'A guess gives away facts about an account.',
    rulings: ['validate-invalid'],
  }),
  'public-validate-garbage': observe(
    'What does the validation of an empty text or of one without the key prefix answer?',
  ),
  'public-validate-missing': observe('How is a validation answered whose api_key is absent or not a text?'),
  'public-validate-jwt': observe('What does the validation answer when it is given a JWT?'),
  'public-validate-values': observe(
    'Which tiers, and which types of user_id and account_id, does the validation return?',
    {
      rulings: ['silent-is-observed'],
    },
  ),
  'public-bad-credentials': observe('What do the public operations answer to a request with a bad token?', {
    at: 'Authentication, rule 6',
    rulings: ['public-credentials'],
  }),
});

export const publicOperations = { ...health, ...validation };
