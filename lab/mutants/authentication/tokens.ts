// Wrong ways to check a token: only half of it, without its signature, after it has expired.
import { mutants } from '../mutant.ts';
import {
  anyKey,
  claimsOf,
  first,
  impostor,
  revokedKey,
  sentKey,
  similarKey,
  similarSession,
} from '../wrappers/impostor.ts';
import { onStatus, refusal } from '../wrappers/mutator.ts';
import { isKey, tokenOf } from '../wrappers/tokens.ts';

const hasAlgorithm = (header = '', alg: RegExp): boolean => alg.test(String(claimsOf(header).alg));
const dayMs = 24 * 3_600_000;

/** Accepts expired sessions. */
function lingering(operation: string) {
  return impostor(
    [operation],
    similarSession(([, payload], [, otherPayload]) => {
      const [lives, ended] = [claimsOf(payload), claimsOf(otherPayload)];
      const behind = Number(lives.exp) - Number(ended.exp);
      return lives.sub === ended.sub && behind * 1000 > dayMs / 2;
    }),
  );
}

export default mutants({
  'authentication-key-unknown': {
    'authentication-any-key-reads-a-company': impostor(['GET /companies/{company_id}'], anyKey),
    'authentication-any-key-deletes-keys': impostor(['DELETE /api-keys/{key_id}'], anyKey),
  },
  'authentication-key-altered': {
    'authentication-compares-the-beginning-of-keys': {
      collateral: { 'authentication-key-unknown': 'a key that was never issued may begin like a real one' },
      wrap: impostor(
        ['GET /companies', 'GET /contacts'],
        similarKey((key, token) => key.slice(0, 24) === token.slice(0, 24)),
      ),
    },
    'authentication-ignores-what-follows-a-key': impostor(
      ['GET /me/accounts'],
      similarKey((key, token) => token.startsWith(key)),
    ),
    'authentication-ignores-the-last-character-of-a-key': {
      collateral: {
        'authentication-key-unknown': 'a key that ends in a wildcard differs in its last character alone',
        'rate-limits-write-allowed': 'what it writes amid a burst is taken from the limit of the genuine key',
      },
      wrap: impostor(
        ['POST /companies/{company_id}/notes'],
        similarKey((key, token) => key.length === token.length && key.slice(0, -1) === token.slice(0, -1)),
      ),
    },
    'authentication-completes-a-short-key': {
      collateral: { 'authentication-key-unknown': 'it may draw such a key' },
      wrap: impostor(
        ['GET /billing/summary'],
        similarKey((key, token) => key.startsWith(token)),
      ),
    },
  },
  'authentication-malformed': {
    'authentication-lets-rubbish-pass-as-guest': {
      collateral: { 'authentication-alg-none': 'an unsigned JWT of two parts is rubbish, too' },
      wrap: impostor(['GET /account/team'], (token = '', { keys: known }) =>
        token !== '' && !isKey(token) && token.split('.').length !== 3 ? first(known) : undefined,
      ),
    },
    'authentication-takes-three-parts-for-a-session': impostor(
      ['PATCH /me/active-account'],
      (token = '', { sessions }) => {
        const [header = '', ...more] = token.split('.');
        return more.length === 2 && Object.keys(claimsOf(header)).length === 0 ? first(sessions) : undefined;
      },
    ),
    'authentication-rubbish-is-an-outage': {
      collateral: { 'authentication-missing': 'the scheme alone is rubbish, too' },
      wrap: onStatus(
        (seen) =>
          tokenOf(seen) !== '' && !sentKey(seen) && Object.keys(claimsOf(tokenOf(seen).split('.')[0])).length === 0,
        401,
        500,
      ),
    },
  },
  'authentication-revoked': {
    'authentication-revoked-key-reads-the-team': {
      collateral: { 'api-keys-revoked-at-once': 'it reads the team as well' },
      wrap: impostor(['GET /account/team'], revokedKey),
    },
    'authentication-revoked-key-writes-notes': {
      collateral: {
        'api-keys-revoked-at-once': 'the write that it tries is a note',
        'api-keys-revoked-for-good': 'the write that it tries again is a note',
        'errors-malformed-json-effect': 'the note may stand beside what was refused',
      },
      wrap: impostor(['POST /companies/{company_id}/notes'], revokedKey),
    },
  },
  'authentication-tampered-signature': {
    'authentication-ignores-signatures-at-billing': impostor(
      ['GET /billing/credits/balance'],
      similarSession(
        ([header, payload], [otherHeader, otherPayload, signature]) =>
          header === otherHeader && payload === otherPayload && signature !== '',
      ),
    ),
    'authentication-accepts-an-empty-signature': impostor(
      ['GET /api-keys'],
      similarSession(([header], [otherHeader, , signature]) => header === otherHeader && signature === ''),
    ),
    'authentication-compares-half-a-signature': {
      collateral: { 'authentication-tampered-payload': 'it may leave half of the signature' },
      wrap: impostor(
        ['POST /contacts'],
        similarSession(
          ([, payload, signature = ''], [, otherPayload, other = '']) =>
            payload === otherPayload &&
            other.length === signature.length &&
            signature.slice(0, 12) === other.slice(0, 12),
        ),
      ),
    },
  },
  'authentication-tampered-payload': {
    'authentication-believes-a-known-signature': impostor(
      ['GET /companies/{company_id}/notes'],
      similarSession(([, , signature], [, , other]) => signature === other),
    ),
    'authentication-believes-any-further-claim': impostor(
      ['POST /api-keys'],
      similarSession(
        ([, payload, signature], [, otherPayload, other]) =>
          signature === other && claimsOf(payload).exp === claimsOf(otherPayload).exp,
      ),
    ),
  },
  'authentication-alg-none': {
    'authentication-accepts-algorithm-none': impostor(
      ['GET /me/team-accounts'],
      similarSession((_, [header]) => hasAlgorithm(header, /^none$/)),
    ),
    'authentication-accepts-algorithm-none-capitalised': impostor(
      ['PATCH /companies/{company_id}'],
      similarSession((_, [header]) => hasAlgorithm(header, /^None$/)),
    ),
  },
  'authentication-expired': {
    'authentication-lets-sessions-linger-at-accounts': lingering('GET /me/accounts'),
    'authentication-lets-sessions-linger-at-contact-creation': lingering('POST /contacts'),
    'authentication-expired-is-forbidden': (honest, clock) => async (request) => {
      const response = await honest(request);
      const expired =
        Number(claimsOf((request.headers.get('authorization') ?? '').split('.')[1]).exp) * 1000 < clock.now();
      return response.status === 401 && expired ? refusal(403, 'EXPIRED', 'Session expired') : response;
    },
  },
});
