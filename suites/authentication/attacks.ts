// Known attacks, one request each: JWTs with forged signatures, and odd values of Authorization.
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Credential, OperationId, Tools } from '../../lib/index.ts';
import { answered } from '../shared/answer.ts';
import { protectedReads } from '../shared/groups.ts';
import { decoded, encoded, type Forged, forged, forgedCredential, partsOf } from '../shared/invalid-tokens.ts';

export interface Attack {
  readonly credential: Credential;
  /** The whole header, if the credential has no token. */
  readonly authorization?: string;
}

const attacks = (...rows: readonly (readonly [name: string, authorization: string])[]): readonly Attack[] =>
  rows.map(([name, authorization]) => ({ credential: { name, kind: 'invalid', accounts: [] }, authorization }));

export const missingBehind = attacks(
  ['nothing behind Bearer', 'Bearer'],
  ['nothing behind Bearer but a blank', 'Bearer '],
  ['nothing behind Bearer but tabs and blanks', 'Bearer \t \t'],
);

export const malformedHeaders = attacks(
  ['the header Bearer with Bearer twice', 'Bearer Bearer covenant'],
  ['the header Bearer with two words', 'Bearer covenant covenant'],
  ['the header Bearer with a tab inside', 'Bearer cove\tnant'],
  ['the header Bearer with quotes', 'Bearer "covenant"'],
  ['the header Bearer with parameters', 'Bearer token="covenant", realm="x"'],
  ['the header Bearer with a list', 'Bearer covenant, Bearer covenant'],
  ['the header Bearer with delimiters', 'Bearer (),/:;<=>?@[\\]{}'],
  ['the header Basic with a name and a password', `Basic ${Buffer.from('covenant:covenant').toString('base64')}`],
  ['the header Basic with what is not base64', 'Basic ~~~'],
  ['the header Basic and nothing', 'Basic'],
  ['the header Digest', 'Digest username="covenant", uri="/"'],
  ['the header Negotiate', 'Negotiate YII='],
  ['the header Bearer with bytes beyond ASCII', 'Bearer \u00e9\u00ff\u0080'],
);

export const forgedSessions = (tools: Pick<Tools, 'invalid'>, session: Credential): readonly Attack[] =>
  [
    ...forgedSignatures(session),
    forged('a JWT with a fourth part behind its signature', `${session.token}.Y292ZW5hbnQ`),
  ].map((one) => ({ credential: forgedCredential(one, tools) }));

const quickMax = 2;

/** Each attack once, in a quick run a few: those on one operation at once, as none depends on another. */
export function attacksByOperation(
  all: readonly Attack[],
  { api, random, effort }: Pick<Tools, 'api' | 'random' | 'effort'>,
): readonly (readonly [OperationId, () => Promise<void>])[] {
  const drawn = random.shuffled(all).slice(0, effort === 'quick' ? quickMax : undefined);
  const operations = random.shuffled(protectedReads);
  return operations.flatMap((operation, place) => {
    const send = ({ credential, authorization }: Attack) => {
      const call = authorization === undefined ? {} : { headers: { authorization } };
      return answered(api.as(credential).send(operation, call), () => api.send('GET /me'));
    };
    const own = drawn.filter((_, index) => index % operations.length === place);
    return own.length === 0 ? [] : [[operation, async () => void (await Promise.all(own.map(send)))] as const];
  });
}

type Header = Readonly<Record<string, unknown>>;
type Signing = (input: string) => Buffer;
type Row = readonly [what: string, header: Header, signing: Signing];

function inverse(value: bigint, modulus: bigint): bigint {
  let [left, right, former, latter] = [modulus, value % modulus, 0n, 1n];
  while (right > 0n) {
    const times = left / right;
    [left, right, former, latter] = [right, left - times * right, latter, former - times * latter];
  }
  return (former + modulus) % modulus;
}

function numberText(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}

/** A key of two Mersenne primes: not secret, and the same in every run, so that evidence can be judged again. */
function rsaKey(): KeyObject {
  const [p, q, e] = [2n ** 2203n - 1n, 2n ** 521n - 1n, 65_537n];
  const d = inverse(e, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const texts = Object.entries(numbers).map(([name, value]) => [name, numberText(value)]);
  return createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...Object.fromEntries(texts) } });
}

/** A key whose seed is zeros, in PKCS 8 form. */
const edKey = (): KeyObject =>
  createPrivateKey({
    format: 'der',
    type: 'pkcs8',
    key: Buffer.from(`302e020100300506032b657004220420${'00'.repeat(32)}`, 'hex'),
  });

/** One value of ASN.1. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

/** A self-signed certificate, for a library that trusts the certificate in a token. */
function certificateOf(key: KeyObject): string {
  const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
  const sha256WithRsa = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'));
  const common = sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('example.com')));
  const name = sequence(der(0x31, common));
  const times = ['200101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time)));
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const body = sequence(der(0x02, Buffer.from([1])), sha256WithRsa, name, sequence(...times), name, spki);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, key));
  return sequence(body, sha256WithRsa, signature).toString('base64');
}

const hmac =
  (secret: string, hash = 'sha256'): Signing =>
  (input) =>
    createHmac(hash, secret).update(input).digest();

/** Correctly signed, by a key that the token itself contains or names. */
function ownKeyRows(): readonly Row[] {
  const [rsa, ed] = [rsaKey(), edKey()];
  const publicOf = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' });
  const byRsa: Signing = (input) => sign('sha256', Buffer.from(input), rsa);
  const byEd: Signing = (input) => sign(null, Buffer.from(input), ed);
  const url = 'https://example.com/keys.json';
  const alg = 'RS256';
  const jwk = publicOf(rsa);
  const oct = { kty: 'oct', k: Buffer.from('covenant').toString('base64url') };
  return [
    ['signed by the RSA key in its jwk', { alg, jwk }, byRsa],
    ['signed by the Edwards key in its jwk', { alg: 'EdDSA', jwk: publicOf(ed) }, byEd],
    ['signed by the secret in its jwk', { alg: 'HS256', jwk: oct }, hmac('covenant')],
    ['signed by the key in its jwk, with an unknown crit', { alg, jwk, crit: ['x-level'], 'x-level': 1 }, byRsa],
    ['signed by a key that its jku may hold', { alg, jku: url, kid: '1' }, byRsa],
    ['signed by the key of the certificate in its x5c', { alg, x5c: [certificateOf(rsa)] }, byRsa],
    ['signed by a key of nobody', { alg }, byRsa],
  ];
}

const byKid = (what: string, kid: string | null, secret: string): Row => [what, { alg: 'HS256', kid }, hmac(secret)];

/** Signed by what a lookup by `kid` may find: a file, a row or nothing. */
const kidRows: readonly Row[] = [
  byKid('signed by the empty file in its kid', '../../../../../../../../dev/null', ''),
  byKid('signed by what SQL in its kid selects', "x' UNION SELECT 'covenant' -- ", 'covenant'),
  byKid('signed by nothing under an empty kid', '', ''),
  byKid('signed by nothing under a kid of null', null, ''),
  byKid('signed by the word null under a kid of null', null, 'null'),
  byKid('signed by the word undefined under an unknown kid', '-', 'undefined'),
];

const zeros =
  (length: number): Signing =>
  () =>
    Buffer.alloc(length);
const empty = zeros(0);

/** Signatures that careless arithmetic accepts, for each family of algorithms. */
const degenerateRows: readonly Row[] = [
  ...Object.entries({ HS256: 32, RS256: 256, ES256: 64, ES512: 132, EdDSA: 64 }).map(
    ([alg, length]): Row => [`of ${alg} with a signature of zeros`, { alg }, zeros(length)],
  ),
  ...['HS256', 'RS256', 'ES256', 'EdDSA'].map((alg): Row => [`of ${alg} with an empty signature`, { alg }, empty]),
  ['of ES256 with a signature of zeros in DER', { alg: 'ES256' }, () => Buffer.from('3006020100020100', 'hex')],
  ['of RS256 with the number one for a signature', { alg: 'RS256' }, () => Buffer.from([...Array(255).fill(0), 1])],
  ['of HS512 signed with an empty secret', { alg: 'HS512' }, hmac('', 'sha512')],
];

/** Each has the payload of the session, so that only the signature is wrong. */
export function forgedSignatures(session: Credential): readonly Forged[] {
  const { payload, header } = partsOf(session);
  const { typ = 'JWT' } = decoded(header);
  return [...ownKeyRows(), ...kidRows, ...degenerateRows].map(([what, members, signing]) => {
    const input = `${encoded({ typ, ...members })}.${payload}`;
    return forged(`a JWT ${what}`, `${input}.${signing(input).toString('base64url')}`);
  });
}
