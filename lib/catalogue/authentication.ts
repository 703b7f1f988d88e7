// Which tokens are accepted and refused, and what a token of one account may never reach in another.
import { must, observe, requirements, should, untestable } from './requirement.ts';

const accepted = requirements('authentication', 'Authentication, row API key', {
  'authentication-key-accepted': must('Every protected operation accepts an API key as Bearer token', {
    impact: 'Server-to-server integrations cannot use this operation.',
    rulings: ['scope-evidence', 'revoked-makers'],
  }),
  'authentication-jwt-accepted': must('Every protected operation accepts a session JWT as Bearer token', {
    at: 'Authentication, row JWT issued by an identity provider',
    impact: 'Interactive clients cannot use this operation.',
    rulings: ['scope-evidence'],
  }),
  'authentication-jwt-issue': untestable(
    'A JWT is obtained through an OAuth 2.1 authorization flow with PKCE',
    'the flow runs between a person, a browser and an identity provider outside this interface',
    'Authentication, rule 2',
  ),
  'authentication-jwt-lifetime': untestable(
    'A JWT lives for a short, configurable time',
    'the configured time is not shown, and one run is shorter than a session may be',
    'Authentication, row JWT issued by an identity provider',
  ),
  'authentication-key-lifetime': untestable(
    'An API key stays usable until it is revoked',
    'no run lasts long enough to see that a key does not expire by itself',
  ),
});

const refused = requirements('authentication', 'Authentication, rule 7', {
  'authentication-missing': must('Every protected operation refuses a request without credentials with 401', {
    impact: 'Anybody on the network reads or writes deal data.',
  }),
  'authentication-key-unknown': must('A well-formed key that was never issued gets 401', {
    impact: 'A guessed key opens the account.',
    rulings: ['bad-tokens'],
  }),
  'authentication-key-altered': must('A real key with one character changed, left out or added gets 401', {
    impact: 'The visible prefix of a key is as good as the key.',
    rulings: ['bad-tokens'],
  }),
  'authentication-malformed': must('A Bearer token that is neither key nor JWT gets 401', {
    impact: 'Rubbish in the header passes for a user.',
    rulings: ['bad-tokens'],
  }),
  'authentication-tampered-signature': must('A JWT whose signature was altered gets 401', {
    impact: 'Anybody can forge a session.',
    rulings: ['bad-tokens'],
  }),
  'authentication-tampered-payload': must('A JWT whose payload was altered under its old signature gets 401', {
    impact: 'A user turns one session into that of somebody else.',
    rulings: ['bad-tokens'],
  }),
  'authentication-alg-none': must('A JWT that declares the algorithm none and has no signature gets 401', {
    impact: 'An unsigned token is as good as a signed one.',
    rulings: ['bad-tokens'],
  }),
  'authentication-expired': must('An expired JWT gets 401 on every protected operation', {
    impact: 'A leaked session never ends, and clients never learn to renew theirs.',
    rulings: ['bad-tokens'],
  }),
  'authentication-revoked': must('A revoked key gets 401 on every protected operation, reads and writes alike', {
    impact: 'A leaked key keeps one door open after its revocation.',
    rulings: ['revocation-reach'],
  }),
  'authentication-refused-code': must('Every 401 carries the code UNAUTHORIZED', {
    at: 'Errors, row 401',
    impact: 'Clients do not recognise that they have to sign in again.',
  }),
  'authentication-refused-effect': must('A write that was refused with 401 has changed nothing', {
    impact: 'The check of credentials comes after the damage.',
    rulings: ['effect-over-form', 'otherwise-valid'],
  }),
  'authentication-refused-message': observe('What does the message of a 401 say for each kind of bad token?', {
    at: 'Errors, row 401',
  }),
  'authentication-refused-challenge': observe('Does a 401 carry a WWW-Authenticate header?', { at: 'Errors, row 401' }),
  'authentication-bearer-case': observe('Is the scheme accepted in lower or upper case?', {
    at: 'Authentication, rule 1',
    rulings: ['bad-tokens'],
  }),
  'authentication-bare-token': observe('What does a token without a scheme, or under another scheme, answer?', {
    at: 'Authentication, rule 1',
    rulings: ['bad-tokens'],
  }),
  'authentication-key-case': observe('What does a key in another letter case answer?', {
    at: 'Resources and their fields / API key, paragraph 1',
    rulings: ['bad-tokens'],
  }),
});

const isolation = requirements('authentication', 'Resources and their fields / API key, paragraph 1', {
  'authentication-foreign-read': should(
    'A company of another account, or its notes, cannot be read, neither by its id nor by an Idempotency-Key',
    {
      impact: 'Competitors read each other by counting up identifiers.',
      rulings: ['foreign-records', 'numbers-of-accounts'],
    },
  ),
  'authentication-foreign-write': should(
    'No write reaches a company of another account: no edit, no note, no contact',
    {
      impact: 'An outsider plants, falsifies and destroys records.',
      rulings: ['foreign-records', 'effect-over-form', 'numbers-of-accounts'],
    },
  ),
  'authentication-foreign-list': should('The lists of one account show no company and no contact of another', {
    impact: 'Customers and personal data of one firm appear in the application of another.',
    rulings: ['foreign-records'],
  }),
  'authentication-foreign-cursor': should('A cursor of one account shows no record of it to a key of another account', {
    impact: 'A logged cursor is a way into the lists of others.',
    rulings: ['foreign-records'],
  }),
  'authentication-foreign-status': observe('Which status does each attempt on a record of another account get?', {
    rulings: ['foreign-records'],
  }),
});

export const authentication = { ...accepted, ...refused, ...isolation };
