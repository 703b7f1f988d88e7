// Wrong ways to authenticate: tokens accepted or refused on one operation, checked in part, or checked too late.
import { highLimits, mutants } from '../mutant.ts';
import {
  anybody,
  claimsOf,
  impostor,
  refusedTooLate,
  revokedKey,
  sentKey,
  similarKey,
  similarSession,
} from '../wrappers/impostor.ts';
import { instead, onReply, refusal, unauthorized } from '../wrappers/mutator.ts';
import { isSession } from '../wrappers/tokens.ts';

export default mutants(
  {
    'authentication-key-accepted': {
      'authentication-refuses-keys-at-active-account': instead('PATCH /me/active-account', (seen) =>
        sentKey(seen) ? unauthorized() : undefined,
      ),
      'authentication-refuses-keys-at-team': instead('GET /account/team', (seen) =>
        sentKey(seen) ? unauthorized() : undefined,
      ),
    },
    'authentication-jwt-accepted': {
      'authentication-refuses-sessions-at-note-deletion': instead(
        'DELETE /companies/{company_id}/notes/{note_id}',
        (seen) => (isSession(seen) ? unauthorized() : undefined),
      ),
      'authentication-refuses-sessions-at-contacts': instead('GET /contacts', (seen) =>
        isSession(seen) ? unauthorized() : undefined,
      ),
    },
    'authentication-missing': {
      'authentication-contacts-are-public': impostor(['GET /contacts'], anybody),
      'authentication-note-edit-is-public': impostor(
        ['PATCH /companies/{company_id}/notes/{note_id}'],
        (token, known, seen) => (token === undefined ? known.owner(seen) : undefined),
      ),
      'authentication-missing-is-forbidden': (honest) => async (request) => {
        const response = await honest(request);
        const bare = response.status === 401 && !request.headers.has('authorization');
        return bare ? refusal(403, 'FORBIDDEN', 'No credentials') : response;
      },
      'authentication-missing-is-bad-request-at-key-creation': instead('POST /api-keys', ({ request }) =>
        request.headers.has('authorization') ? undefined : refusal(400, 'BAD_REQUEST', 'Authorization is required'),
      ),
    },
    'authentication-refused-code': {
      'authentication-names-expiry-in-the-code': onReply(isSession, (json, _, status) =>
        status === 401 ? { ...json, error: { code: 'TOKEN_EXPIRED', message: 'Session expired' } } : json,
      ),
      'authentication-code-in-lower-case-at-one-deletion': onReply(
        'DELETE /companies/{company_id}/notes/{note_id}',
        (json, _, status) =>
          status === 401 ? { ...json, error: { code: 'unauthorized', message: 'Unauthorized' } } : json,
      ),
    },
    'authentication-refused-effect': {
      'authentication-writes-a-note-before-it-refuses': refusedTooLate(
        ['POST /companies/{company_id}/notes'],
        (token, known, seen) => (token === undefined ? known.owner(seen) : undefined),
      ),
      'authentication-deletes-a-note-before-it-refuses': {
        collateral: {
          'envelope-valid-served': 'who deletes or edits the note later is refused',
          'notes-others-untouched': 'what a stranger deleted is missing among others that are deleted',
        },
        wrap: refusedTooLate(
          ['DELETE /companies/{company_id}/notes/{note_id}'],
          similarKey((key, token) => key.slice(0, 24) === token.slice(0, 24)),
        ),
      },
      'authentication-edits-a-company-for-a-revoked-key': {
        collateral: {
          'companies-read-record': 'what was written last is compared with every reply that shows the company',
          'companies-list-record': 'what was written last is compared with every list that shows the company',
          'companies-edit-others': 'a revoked key edits a company that stands beside an edited one',
          'companies-edit-reply': 'a revoked key edits a company that is edited right then',
          'errors-malformed-json-effect': 'a revoked key edits a company that malformed requests leave alone',
          'authentication-foreign-write': 'a revoked key edits a company that a key of another account tries to write',
        },
        wrap: refusedTooLate(['PATCH /companies/{company_id}'], revokedKey),
      },
      'authentication-makes-a-contact-before-it-refuses': refusedTooLate(
        ['POST /contacts'],
        similarKey((key, token) => key.slice(0, 24) === token.slice(0, 24)),
      ),
      'authentication-revokes-a-key-for-a-revoked-key': refusedTooLate(['DELETE /api-keys/{key_id}'], revokedKey),
      'authentication-switches-for-an-expired-session': {
        collateral: {
          'account-active-switch-effect': 'the session is where the expired one has moved it',
          'companies-list-contains': 'a list of the session is read where the expired one has moved it',
          'pagination-total-exact': 'a list of the session is followed from one account into another',
        },
        wrap: refusedTooLate(
          ['PATCH /me/active-account'],
          similarSession(([, payload], [, otherPayload]) => claimsOf(payload).sub === claimsOf(otherPayload).sub),
        ),
      },
    },
  },
  highLimits,
);
