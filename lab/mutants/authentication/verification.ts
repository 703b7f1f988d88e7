// Wrong ways to verify a session or to look up a key: with an empty secret, against half of it, from memory, as a pattern.
import { createHmac, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { operations } from '../../../lib/catalogue/operations.ts';
import { highLimits, mutants, type Wrap } from '../mutant.ts';
import { claimsOf, first, impostor, type Pretend, similarKey, similarSession } from '../wrappers/impostor.ts';
import { isObject, type Json, see } from '../wrappers/mutator.ts';
import { isKey, tokenOf } from '../wrappers/tokens.ts';

// The sentence of all of them is Authentication, rule 7: "Missing, invalid, expired or revoked credentials give 401."

const everywhere = Object.entries(operations).flatMap(([id, { protected: isProtected }]) => (isProtected ? [id] : []));

type Parts = readonly string[];
type Similar = (session: Parts, token: Parts) => boolean;

/** Accepts a token on every operation where it is `similar` to a session that was accepted before. */
const mistaking = (similar: Similar): Wrap => impostor(everywhere, similarSession(similar));

/** What of a token is signed is the same. */
const signedAlike = ([header, payload]: Parts, [otherHeader, otherPayload]: Parts): boolean =>
  header === otherHeader && payload === otherPayload;
const subjectAlike = ([, payload]: Parts, [, other]: Parts): boolean => claimsOf(payload).sub === claimsOf(other).sub;

const bytesOf = (part = ''): Buffer => Buffer.from(part, 'base64url');
const headerOf = ([header]: Parts): Json => claimsOf(header);
const inputOf = ([header, payload]: Parts): string => `${header}.${payload}`;
const signedWith = (secret: string | Buffer, token: Parts): boolean =>
  createHmac('sha256', secret).update(inputOf(token)).digest('base64url') === token[2];

/** Both numbers of the signature are zero, which some libraries let pass (CVE-2022-21449). */
function isOfZeros(token: Parts): boolean {
  const signature = bytesOf(token[2]);
  return /^ES\d{3}$/.test(String(headerOf(token).alg)) && signature.length > 0 && signature.every((byte) => byte === 0);
}

/** The token brings the key along by which it is checked. */
function isSignedByItsOwnKey(token: Parts): boolean {
  const { jwk } = headerOf(token);
  if (!isObject(jwk)) return false;
  if (typeof jwk.k === 'string') return signedWith(bytesOf(jwk.k), token);
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    return verify(hash, Buffer.from(inputOf(token)), { key, dsaEncoding: 'ieee-p1363' }, bytesOf(token[2]));
  } catch {
    return false;
  }
}

const algorithms = ['HS', 'RS', 'ES', 'PS'].flatMap((kind) => [`${kind}256`, `${kind}384`, `${kind}512`]);
const isUnknownAlgorithm = (alg: unknown): boolean =>
  typeof alg === 'string' && !/^none$/i.test(alg) && ![...algorithms, 'EdDSA'].includes(alg);

const rememberedMs = 2_000;

/** For two seconds after a session was accepted, what was signed passes without its signature. */
const rememberingWhatWasSigned: Wrap = (honest, clock) => {
  const accepted = new Map<string, number>();
  const noting = async (request: Request): Promise<Response> => {
    const token = tokenOf({ request });
    const response = await honest(request);
    if (response.ok && !isKey(token)) accepted.set(inputOf(token.split('.')), clock.now());
    return response;
  };
  return mistaking(
    (session, token) => signedAlike(session, token) && clock.now() - (accepted.get(inputOf(token)) ?? 0) < rememberedMs,
  )(noting, clock);
};

/** Where a request names its account, the session is only decoded. */
const decodingWhereTheAccountIsNamed: Pretend = (token, known, seen, status) =>
  seen.request.headers.has('x-active-account') && status === 401
    ? similarSession(subjectAlike)(token, known, seen, status)
    : undefined;

const pattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
  );

/** A revoked key is looked up in a list of whole headers. */
const revokedByWholeHeaders: Wrap = (honest, clock) =>
  impostor(everywhere, (_, { revoked }, { request }) => {
    const [scheme = '', token = ''] = (request.headers.get('authorization') ?? '').split(' ');
    return scheme !== 'Bearer' && scheme.toLowerCase() === 'bearer' ? revoked.get(token) : undefined;
  })(honest, clock);

/** A key is bound to the application that used it first. */
const boundToFirstApplication: Wrap = (honest) => {
  const first = new Map<string, string | null>();
  return async (request) => {
    const seen = await see(request);
    const token = tokenOf(seen);
    const application = request.headers.get('x-origin-app');
    const isOther = isKey(token) && first.has(token) && first.get(token) !== application;
    if (isOther) return honest(new Request(request, { headers: { authorization: 'Bearer unknown' } }));
    const response = await honest(request);
    if (response.ok && isKey(token) && !first.has(token)) first.set(token, application);
    return response;
  };
};

export default mutants(
  {
    'authentication-tampered-signature': {
      'authentication-ignores-a-fourth-part': impostor(everywhere, (token = '', { sessions }) => {
        const parts = token.split('.');
        return parts.length === 4 ? [...sessions].find((one) => one === parts.slice(0, 3).join('.')) : undefined;
      }),
      'authentication-takes-zeros-for-a-signature': mistaking((_, token) => isOfZeros(token)),
      'authentication-checks-unknown-kids-with-an-empty-secret': mistaking(
        (_, token) => headerOf(token).kid !== undefined && signedWith('', token),
      ),
      'authentication-checks-with-an-empty-secret': mistaking((_, token) => signedWith('', token)),
      'authentication-trusts-the-key-in-the-header': mistaking((_, token) => isSignedByItsOwnKey(token)),
      'authentication-remembers-what-was-signed': rememberingWhatWasSigned,
      'authentication-compares-as-much-of-a-signature-as-there-is': mistaking(
        (session, token) =>
          signedAlike(session, token) && token[2] !== '' && session[2]?.startsWith(token[2] ?? '') === true,
      ),
      'authentication-ignores-what-follows-a-signature': mistaking(
        (session, token) => signedAlike(session, token) && token[2]?.startsWith(session[2] ?? '') === true,
      ),
      'authentication-decodes-only-where-the-account-is-named': {
        also: ['authentication-tampered-payload', 'authentication-alg-none', 'authentication-expired'],
        collateral: { 'companies-list-contains': 'a company that such a session makes is in no list of the others' },
        wrap: impostor(everywhere, decodingWhereTheAccountIsNamed),
      },
    },
    'authentication-tampered-payload': {
      'authentication-lets-unknown-algorithms-pass': {
        also: ['authentication-tampered-signature'],
        wrap: mistaking((_, token) => isUnknownAlgorithm(headerOf(token).alg)),
      },
    },
    'authentication-key-altered': {
      'authentication-drops-marks-from-keys': {
        collateral: { 'authentication-foreign-write': 'who is let in as another writes where that one may' },
        wrap: impostor(
          everywhere,
          similarKey((key, token) => token.replace(/[^A-Za-z0-9_]/g, '') === key),
        ),
      },
    },
    'authentication-key-unknown': {
      'authentication-takes-keys-for-patterns': impostor(
        everywhere,
        similarKey((key, token) => pattern(token).test(key)),
      ),
    },
    'authentication-malformed': {
      'authentication-lets-basic-pass-as-some-key': impostor(everywhere, (_, { keys }, { request }) =>
        /^Basic /i.test(request.headers.get('authorization') ?? '') ? first(keys) : undefined,
      ),
    },
    'authentication-revoked': {
      'authentication-lets-revoked-keys-pass-under-another-spelling-of-bearer': {
        notFound: 'The document spells Bearer in one way, and a run sends revoked keys in that way only.',
        wrap: revokedByWholeHeaders,
      },
    },
    'envelope-origin-app-text': {
      'authentication-binds-keys-to-their-first-application': {
        also: ['authentication-key-accepted'],
        wrap: boundToFirstApplication,
      },
    },
  },
  highLimits,
);
