// Wrong ways to tell who is asking: tokens accepted or refused on one operation, by half a look, or too late.
import { type Mutant, mutant } from '../mutant.ts';
import {
  anybody,
  claimsOf,
  impostor,
  refusedTooLate,
  revokedKey,
  sentJwt,
  sentKey,
  similarKey,
  similarSession,
} from '../wrappers/impostor.ts';
import { instead, onReply, refusal } from '../wrappers/mutator.ts';

const unauthorized = () => refusal(401, 'UNAUTHORIZED', 'Invalid or expired authentication token');

const accepting: readonly Mutant[] = [
  mutant(
    'authentication-refuses-keys-at-active-account',
    { breaks: ['authentication-key-accepted'] },
    instead('PATCH /me/active-account', (seen) => (sentKey(seen) ? unauthorized() : undefined)),
  ),
  mutant(
    'authentication-refuses-keys-at-team',
    { breaks: ['authentication-key-accepted'] },
    instead('GET /account/team', (seen) => (sentKey(seen) ? unauthorized() : undefined)),
  ),
  mutant(
    'authentication-refuses-sessions-at-note-deletion',
    { breaks: ['authentication-jwt-accepted'] },
    instead('DELETE /companies/{company_id}/notes/{note_id}', (seen) => (sentJwt(seen) ? unauthorized() : undefined)),
  ),
  mutant(
    'authentication-refuses-sessions-at-contacts',
    { breaks: ['authentication-jwt-accepted'] },
    instead('GET /contacts', (seen) => (sentJwt(seen) ? unauthorized() : undefined)),
  ),
];

const missing: readonly Mutant[] = [
  mutant(
    'authentication-contacts-are-public',
    { breaks: ['authentication-missing'] },
    impostor(['GET /contacts'], anybody),
  ),
  mutant(
    'authentication-note-edit-is-public',
    { breaks: ['authentication-missing'] },
    impostor(['PATCH /companies/{company_id}/notes/{note_id}'], (token, known, seen) =>
      token === undefined ? known.owner(seen) : undefined,
    ),
  ),
  mutant('authentication-missing-is-forbidden', { breaks: ['authentication-missing'] }, (honest) => async (request) => {
    const response = await honest(request);
    const bare = response.status === 401 && !request.headers.has('authorization');
    return bare ? refusal(403, 'FORBIDDEN', 'No credentials') : response;
  }),
  mutant(
    'authentication-missing-is-bad-request-at-key-creation',
    { breaks: ['authentication-missing'] },
    instead('POST /api-keys', ({ request }) =>
      request.headers.has('authorization') ? undefined : refusal(400, 'BAD_REQUEST', 'Authorization is required'),
    ),
  ),
];

const refusing: readonly Mutant[] = [
  mutant(
    'authentication-names-expiry-in-the-code',
    { breaks: ['authentication-refused-code'] },
    onReply(sentJwt, (json, _, status) =>
      status === 401 ? { ...json, error: { code: 'TOKEN_EXPIRED', message: 'Session expired' } } : json,
    ),
  ),
  mutant(
    'authentication-code-in-lower-case-at-one-deletion',
    { breaks: ['authentication-refused-code'] },
    onReply('DELETE /companies/{company_id}/notes/{note_id}', (json, _, status) =>
      status === 401 ? { ...json, error: { code: 'unauthorized', message: 'Unauthorized' } } : json,
    ),
  ),
  mutant(
    'authentication-writes-a-note-before-it-refuses',
    { breaks: ['authentication-refused-effect'] },
    refusedTooLate(['POST /companies/{company_id}/notes'], (token, known, seen) =>
      token === undefined ? known.owner(seen) : undefined,
    ),
  ),
  mutant(
    'authentication-deletes-a-note-before-it-refuses',
    { breaks: ['authentication-refused-effect'] },
    refusedTooLate(
      ['DELETE /companies/{company_id}/notes/{note_id}'],
      similarKey((key, token) => key.slice(0, 24) === token.slice(0, 24)),
    ),
  ),
  mutant(
    'authentication-edits-a-company-for-a-revoked-key',
    { breaks: ['authentication-refused-effect'] },
    refusedTooLate(['PATCH /companies/{company_id}'], revokedKey),
  ),
  mutant(
    'authentication-makes-a-contact-before-it-refuses',
    { breaks: ['authentication-refused-effect'] },
    refusedTooLate(
      ['POST /contacts'],
      similarKey((key, token) => key.slice(0, 24) === token.slice(0, 24)),
    ),
  ),
  mutant(
    'authentication-revokes-a-key-for-a-revoked-key',
    { breaks: ['authentication-refused-effect'] },
    refusedTooLate(['DELETE /api-keys/{key_id}'], revokedKey),
  ),
  mutant(
    'authentication-switches-for-an-expired-session',
    { breaks: ['authentication-refused-effect'] },
    refusedTooLate(
      ['PATCH /me/active-account'],
      similarSession(([, payload], [, otherPayload]) => claimsOf(payload).sub === claimsOf(otherPayload).sub),
    ),
  ),
];

/** What a mutant does in another's name must not fail for another's rate limit. */
const reference = { tiers: { business: { read: 3000, write: 1000 } } };

export default [...accepting, ...missing, ...refusing].map((one): Mutant => ({ ...one, reference }));
