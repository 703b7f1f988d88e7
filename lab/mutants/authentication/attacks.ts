// What libraries and frameworks have really done with JWTs that anybody can sign, and with odd Authorization headers.
import { createHmac, createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { mutants } from '../mutant.ts';
import { claimsOf, first, impostor, similarSession } from '../wrappers/impostor.ts';
import { instead, isObject, type Json, page, type Seen } from '../wrappers/mutator.ts';

const everyRead = [
  'GET /me',
  'GET /me/accounts',
  'GET /me/team-accounts',
  'GET /account/team',
  'GET /billing/summary',
  'GET /billing/credits/balance',
  'GET /api-keys',
  'GET /companies',
  'GET /contacts',
];

/** Takes a JWT with the payload of a session for that session, where its header and signature please. */
const believing = (pleases: (header: Json, signature: Buffer, input: string) => boolean) =>
  impostor(
    everyRead,
    similarSession(([, payload], [header = '', otherPayload, signature = '']) => {
      const bytes = Buffer.from(signature, 'base64url');
      return payload === otherPayload && pleases(claimsOf(header), bytes, `${header}.${otherPayload}`);
    }),
  );

const signedBy = (key: () => KeyObject, alg: unknown, signature: Buffer, input: string): boolean => {
  try {
    return verify(alg === 'EdDSA' ? null : 'sha256', Buffer.from(input), key(), signature);
  } catch {
    return false;
  }
};

const hmacOf = (secret: string, input: string): Buffer => createHmac('sha256', secret).update(input).digest();

const authorizationOf = ({ request }: Seen): string => request.headers.get('authorization') ?? '';

/** The page of the framework, whenever the header is such a one. */
const breaksAt = (header: RegExp) => ({
  collateral: { 'errors-body-object': 'it breaks with a page' },
  wrap: instead(
    (seen) => header.test(authorizationOf(seen)),
    () => page(500, 'Internal Server Error'),
  ),
});

export default mutants({
  'authentication-tampered-signature': {
    'authentication-trusts-the-key-that-a-token-brings': believing(({ jwk, alg }, signature, input) => {
      if (!isObject(jwk) || jwk.kty === 'oct') return false;
      return signedBy(() => createPublicKey({ format: 'jwk', key: jwk }), alg, signature, input);
    }),
    'authentication-trusts-the-secret-that-a-token-brings': believing(
      ({ jwk }, signature, input) =>
        isObject(jwk) &&
        jwk.kty === 'oct' &&
        hmacOf(Buffer.from(String(jwk.k), 'base64url').toString(), input).equals(signature),
    ),
    'authentication-trusts-the-certificate-that-a-token-brings': believing(({ x5c, alg }, signature, input) => {
      const [certificate] = Array.isArray(x5c) ? x5c : [];
      return (
        typeof certificate === 'string' &&
        signedBy(() => new X509Certificate(Buffer.from(certificate, 'base64')).publicKey, alg, signature, input)
      );
    }),
    'authentication-fetches-keys-from-anywhere': believing(
      ({ jku, alg }, signature) => typeof jku === 'string' && alg === 'RS256' && signature.length > 256,
    ),
    'authentication-reads-its-secret-from-the-file-in-kid': believing(
      ({ kid }, signature, input) => String(kid).endsWith('/dev/null') && hmacOf('', input).equals(signature),
    ),
    'authentication-selects-its-secret-by-kid': believing(({ kid }, signature, input) => {
      const [, selected] = /' UNION SELECT '(\w+)'/.exec(String(kid)) ?? [];
      return selected !== undefined && hmacOf(selected, input).equals(signature);
    }),
    'authentication-has-no-secret-for-a-kid-of-null': believing(
      ({ kid }, signature, input) => kid === null && hmacOf('null', input).equals(signature),
    ),
    'authentication-takes-zeros-for-a-curve-signature': believing(
      ({ alg }, signature) => alg === 'ES256' && signature.length === 64 && signature.every((byte) => byte === 0),
    ),
    'authentication-takes-one-for-an-rsa-signature': believing(
      ({ alg }, signature) => alg === 'RS256' && signature.length === 256 && signature.at(-1) === 1,
    ),
    'authentication-checks-no-empty-rsa-signature': believing(
      ({ alg }, signature) => alg === 'RS256' && signature.length === 0,
    ),
  },
  'authentication-missing': {
    'authentication-breaks-at-bearer-alone': breaksAt(/^Bearer\s*$/),
    'authentication-bearer-alone-is-a-guest': impostor(everyRead, (_, { keys }, seen) =>
      /^Bearer\s*$/.test(authorizationOf(seen)) ? first(keys) : undefined,
    ),
  },
  'authentication-malformed': {
    'authentication-breaks-at-bearer-twice': breaksAt(/^Bearer Bearer/),
    'authentication-breaks-at-a-list-of-tokens': breaksAt(/^Bearer \w+, Bearer/),
    'authentication-breaks-at-parameters': breaksAt(/^Bearer \w+="/),
    'authentication-breaks-at-quotes': breaksAt(/^Bearer "/),
    'authentication-breaks-at-a-tab': breaksAt(/^Bearer \w+\t/),
    'authentication-breaks-at-delimiters': breaksAt(/^Bearer \(/),
    'authentication-breaks-at-basic': breaksAt(/^Basic(?! [\w+/]+=*$)/),
    'authentication-breaks-at-basic-with-a-password': breaksAt(/^Basic [\w+/]+=*$/),
    'authentication-breaks-at-digest': breaksAt(/^Digest/),
    'authentication-breaks-at-negotiate': breaksAt(/^Negotiate/),
    'authentication-breaks-at-bytes-beyond-ascii': breaksAt(/[\x80-\xff]/),
    'authentication-two-words-are-a-guest': impostor(everyRead, (_, { keys }, seen) =>
      /^Bearer \w+ \w+$/.test(authorizationOf(seen)) ? first(keys) : undefined,
    ),
  },
});
