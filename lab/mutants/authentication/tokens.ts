// Wrong ways to look at a token: half of it, without its signature, beyond its end.
import { type Mutant, mutant } from '../mutant.ts';
import {
  anyKey,
  claimsOf,
  first,
  impostor,
  revokedKey,
  sentKey,
  similarKey,
  similarSession,
  tokenOf,
} from '../wrappers/impostor.ts';
import { onStatus, refusal } from '../wrappers/mutator.ts';

const hasAlgorithm = (header = '', alg: RegExp): boolean => alg.test(String(claimsOf(header).alg));
const dayMs = 24 * 3_600_000;

const keys: readonly Mutant[] = [
  mutant(
    'authentication-any-key-reads-a-company',
    { breaks: ['authentication-key-unknown'] },
    impostor(['GET /companies/{company_id}'], anyKey),
  ),
  mutant(
    'authentication-any-key-deletes-keys',
    { breaks: ['authentication-key-unknown'] },
    impostor(['DELETE /api-keys/{key_id}'], anyKey),
  ),
  mutant(
    'authentication-compares-the-beginning-of-keys',
    { breaks: ['authentication-key-altered'] },
    impostor(
      ['GET /companies', 'GET /contacts'],
      similarKey((key, token) => key.slice(0, 24) === token.slice(0, 24)),
    ),
  ),
  mutant(
    'authentication-ignores-what-follows-a-key',
    { breaks: ['authentication-key-altered'] },
    impostor(
      ['GET /me/accounts'],
      similarKey((key, token) => token.startsWith(key)),
    ),
  ),
  mutant(
    'authentication-ignores-the-last-character-of-a-key',
    { breaks: ['authentication-key-altered'] },
    impostor(
      ['POST /companies/{company_id}/notes'],
      similarKey((key, token) => key.length === token.length && key.slice(0, -1) === token.slice(0, -1)),
    ),
  ),
  mutant(
    'authentication-completes-a-short-key',
    { breaks: ['authentication-key-altered'] },
    impostor(
      ['GET /billing/summary'],
      similarKey((key, token) => key.startsWith(token)),
    ),
  ),
  mutant(
    'authentication-lets-rubbish-pass-as-guest',
    { breaks: ['authentication-malformed'] },
    impostor(['GET /account/team'], (token = '', { keys: known }) =>
      token !== '' && !token.startsWith('svc_sk_') && token.split('.').length !== 3 ? first(known) : undefined,
    ),
  ),
  mutant(
    'authentication-takes-three-parts-for-a-session',
    { breaks: ['authentication-malformed'] },
    impostor(['PATCH /me/active-account'], (token = '', { sessions }) => {
      const [header = '', ...more] = token.split('.');
      return more.length === 2 && Object.keys(claimsOf(header)).length === 0 ? first(sessions) : undefined;
    }),
  ),
  mutant(
    'authentication-rubbish-is-an-outage',
    { breaks: ['authentication-malformed'] },
    onStatus(
      (seen) =>
        tokenOf(seen) !== '' && !sentKey(seen) && Object.keys(claimsOf(tokenOf(seen).split('.')[0])).length === 0,
      401,
      500,
    ),
  ),
  mutant(
    'authentication-revoked-key-reads-the-team',
    { breaks: ['authentication-revoked'], collateral: { 'api-keys-revoked-at-once': 'the team is one of its areas' } },
    impostor(['GET /account/team'], revokedKey),
  ),
  mutant(
    'authentication-revoked-key-writes-notes',
    {
      breaks: ['authentication-revoked'],
      collateral: {
        'api-keys-revoked-at-once': 'notes are the write that it tries',
        'api-keys-revoked-for-good': 'notes are the write that it tries again',
      },
    },
    impostor(['POST /companies/{company_id}/notes'], revokedKey),
  ),
];

const sessions: readonly Mutant[] = [
  mutant(
    'authentication-ignores-signatures-at-billing',
    { breaks: ['authentication-tampered-signature'] },
    impostor(
      ['GET /billing/credits/balance'],
      similarSession(
        ([header, payload], [otherHeader, otherPayload, signature]) =>
          header === otherHeader && payload === otherPayload && signature !== '',
      ),
    ),
  ),
  mutant(
    'authentication-accepts-an-empty-signature',
    { breaks: ['authentication-tampered-signature'] },
    impostor(
      ['GET /api-keys'],
      similarSession(([header], [otherHeader, , signature]) => header === otherHeader && signature === ''),
    ),
  ),
  mutant(
    'authentication-compares-half-a-signature',
    { breaks: ['authentication-tampered-signature'] },
    impostor(
      ['POST /contacts'],
      similarSession(
        ([, payload, signature = ''], [, otherPayload, other = '']) =>
          payload === otherPayload &&
          other.length === signature.length &&
          signature.slice(0, 12) === other.slice(0, 12),
      ),
    ),
  ),
  mutant(
    'authentication-believes-a-known-signature',
    { breaks: ['authentication-tampered-payload'] },
    impostor(
      ['GET /companies/{company_id}/notes'],
      similarSession(([, , signature], [, , other]) => signature === other),
    ),
  ),
  mutant(
    'authentication-believes-any-further-claim',
    { breaks: ['authentication-tampered-payload'] },
    impostor(
      ['POST /api-keys'],
      similarSession(
        ([, payload, signature], [, otherPayload, other]) =>
          signature === other && claimsOf(payload).exp === claimsOf(otherPayload).exp,
      ),
    ),
  ),
  mutant(
    'authentication-accepts-algorithm-none',
    { breaks: ['authentication-alg-none'] },
    impostor(
      ['GET /me/team-accounts'],
      similarSession((_, [header]) => hasAlgorithm(header, /^none$/)),
    ),
  ),
  mutant(
    'authentication-accepts-algorithm-none-capitalised',
    { breaks: ['authentication-alg-none'] },
    impostor(
      ['PATCH /companies/{company_id}'],
      similarSession((_, [header]) => hasAlgorithm(header, /^None$/)),
    ),
  ),
  mutant(
    'authentication-lets-sessions-linger-at-accounts',
    { breaks: ['authentication-expired'] },
    lingering('GET /me/accounts'),
  ),
  mutant(
    'authentication-lets-sessions-linger-at-contact-creation',
    { breaks: ['authentication-expired'] },
    lingering('POST /contacts'),
  ),
  mutant(
    'authentication-expired-is-forbidden',
    { breaks: ['authentication-expired'] },
    (honest, clock) => async (request) => {
      const response = await honest(request);
      const expired =
        Number(claimsOf((request.headers.get('authorization') ?? '').split('.')[1]).exp) * 1000 < clock.now();
      return response.status === 401 && expired ? refusal(403, 'EXPIRED', 'Session expired') : response;
    },
  ),
];

/** A session is good for a week beyond its end. */
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

export default [...keys, ...sessions] satisfies readonly Mutant[];
