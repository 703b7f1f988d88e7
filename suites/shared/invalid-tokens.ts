// Invalid tokens of every kind, made from real ones by changing one thing.
import { createHmac } from 'node:crypto';
import { type Api, anonymous, type Credential, NotTested, type Random, type Tools } from '../../lib/index.ts';
import { keyPrefix } from './keys.ts';

type Kit = Pick<Tools, 'invalid' | 'random'>;

/** A token before it becomes a credential. An open one contains nothing secret and may be printed. */
export interface Forged {
  readonly name: string;
  readonly token: string;
  readonly open?: true;
}
/** A credential of no account. */
export const forgedCredential = ({ name, token, open }: Forged, { invalid }: Pick<Tools, 'invalid'>): Credential =>
  open ? { name, kind: 'invalid', token, accounts: [] } : invalid(name, token);

export const forged = (name: string, token: string): Forged => ({ name, token });
const openly = (name: string, token: string): Forged => ({ name, token, open: true });

const digits = '0123456789';
const letters = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz${digits}`;
const urlSafe = `${letters}-_`;

const drawn = (random: Random, alphabet: string): string => alphabet.charAt(random.int(0, alphabet.length - 1));
const text = (random: Random, length: number, alphabet = letters): string =>
  Array.from({ length }, () => drawn(random, alphabet)).join('');

/** The last in base64. */
const high = /[w-z\d_-]/;

/**
 * Replaces the character at a place: one of the last in base64 by one of the first half, any other by a digit. So the result
 * reveals only the kind of the old character, and its first bits differ: the others may be unused at the end of base64.
 */
function changed(token: string, place: number, random: Random): string {
  const others = high.test(token.charAt(place)) ? 'abcdef' : digits;
  return token.slice(0, place) + drawn(random, others) + token.slice(place + 1);
}

/** The rules know by this name that the request lacks nothing but credentials. */
export const missingName = 'no credentials';

export const missing = (): readonly Credential[] => [{ ...anonymous, name: missingName }];

/** The longest visible key prefix, and the least number of characters after it. */
const visible = 16;
const hidden = 8;

export function unknownKeys({ invalid, random }: Kit): readonly Credential[] {
  return [invalid('a key that was never issued', keyPrefix + text(random, 40))];
}

/** More keys that were never issued: parts of a real key, or patterns that a careless lookup might match. */
export function furtherUnknownKeys({ random }: Kit, { token = '' }: Credential): readonly Forged[] {
  const half = Math.ceil(token.length / 2);
  const shown = Math.max(keyPrefix.length, Math.min(visible, token.length - hidden));
  return [
    forged('the visible prefix of a key, ended otherwise', token.slice(0, shown) + text(random, token.length - shown)),
    forged('the end of a key behind another beginning', keyPrefix + text(random, half) + token.slice(half)),
    forged('the first half of a key', token.slice(0, half)),
    forged('a key that ends in a wildcard', `${token.slice(0, -1)}%`),
    openly('the prefix of all keys', keyPrefix),
    ...['*', '%', '_', '?', '.*'].map((sign) => openly(`a key that is ${sign}`, keyPrefix + sign)),
    openly('a key of zeros', keyPrefix + '0'.repeat(token.length - keyPrefix.length)),
  ];
}

export function alteredKeys({ invalid, random }: Kit, { token = '' }: Credential): readonly Credential[] {
  const within = random.int(Math.floor(token.length / 2), token.length - 2);
  return [
    invalid('a key with another character inside', changed(token, within, random)),
    invalid('a key with another last character', changed(token, token.length - 1, random)),
    invalid('a key without its last character', token.slice(0, -1)),
    invalid('a key with one character more', token + drawn(random, letters)),
  ];
}

export function furtherAlteredKeys({ random }: Kit, { token = '' }: Credential): readonly Forged[] {
  const first = random.int(keyPrefix.length, Math.floor(token.length / 2));
  const cut = random.int(keyPrefix.length, token.length - 2);
  return [
    forged('a key with another character at its beginning', changed(token, first, random)),
    forged('a key without a character inside', token.slice(0, cut) + token.slice(cut + 1)),
    forged('a key with a character more inside', token.slice(0, cut) + drawn(random, letters) + token.slice(cut)),
    ...['-', '_', '.', '=', '~1', '/', ':x'].map((end) => forged(`a key followed by ${end}`, token + end)),
    forged('a key twice', token + token),
  ];
}

export function malformedTokens({ invalid, random }: Kit): readonly Credential[] {
  return [
    invalid('a text that is not a token', `covenant-${text(random, 24)}`),
    invalid('three parts that are not a JWT', [12, 24, 36].map((length) => text(random, length, urlSafe)).join('.')),
    invalid('a text of punctuation', `${text(random, 12, '!$&*+/:=?^|~')}.`),
  ];
}

export function furtherMalformedTokens({ random }: Kit): readonly Forged[] {
  const words = ['null', 'undefined', 'true', '0', 'admin', '{}', '..', 'svc_sk'];
  const parts = [encoded({ alg: 'HS256', typ: 'JWT' }), encoded({ sub: '1', exp: 4_102_444_800 }), text(random, 43)];
  return [
    ...words.map((word) => openly(`the word ${word}`, word)),
    openly('a key of another service', `svc_pk_${text(random, 40)}`),
    openly('a UUID', random.uuid()),
    openly('a JWT of two parts', parts.slice(0, 2).join('.')),
    openly('a JWT of four parts', [...parts, text(random, 8)].join('.')),
    openly('a text of 300 letters', text(random, 300)),
  ];
}

export const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function decoded(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // The error below says so.
  }
  throw new NotTested('COVENANT_JWT is not a signed JWT whose parts can be read');
}

export function partsOf({ token = '' }: Credential) {
  const [header, payload, signature, ...more] = token.split('.');
  if (!header || !payload || !signature || more.length > 0)
    throw new NotTested('COVENANT_JWT does not have the three parts of a signed JWT');
  return { header, payload, signature };
}

/** In the middle: the last base64 character may contain unused bits. */
const alteredSignature = (signature: string, random: Random): string =>
  changed(signature, Math.floor(signature.length / 2), random);

export function tamperedSignatures({ invalid, random }: Kit, session: Credential): readonly Credential[] {
  const { header, payload, signature } = partsOf(session);
  return [
    invalid(
      'a JWT with another character in its signature',
      `${header}.${payload}.${alteredSignature(signature, random)}`,
    ),
    invalid('a JWT without its signature', `${header}.${payload}.`),
  ];
}

type JsonPart = Record<string, unknown>;

/** A different text or number. */
const another = (value: unknown): unknown => (typeof value === 'number' ? value + 1 : `${String(value)}x`);

/** The part without each member, and with each member changed. */
const variations = (part: JsonPart): [what: string, part: JsonPart][] =>
  Object.entries(part).flatMap(([name, value]): [string, JsonPart][] => {
    const { [name]: _, ...rest } = part;
    return [
      [`without ${name}`, rest],
      [`with another ${name}`, { ...part, [name]: another(value) }],
    ];
  });

const algorithms = ['HS256', 'HS512', 'RS256', 'ES256', 'EdDSA', 'none', ''];
const additions: JsonPart = {
  kid: '0',
  typ: 'at+jwt',
  cty: 'JWT',
  jku: 'https://example.com/keys',
  jwk: { kty: 'oct', k: '' },
  crit: ['exp'],
  zip: 'DEF',
};

/** Headers that differ from the session's in one member. */
const headersLike = (header: JsonPart): [what: string, part: JsonPart][] => [
  ...variations(header),
  ...algorithms
    .filter((alg) => alg !== header.alg)
    .map((alg): [string, JsonPart] => [`of algorithm ${alg === '' ? 'without a name' : alg}`, { ...header, alg }]),
  ...Object.entries(additions).map(([name, value]): [string, JsonPart] => [
    `with ${name}`,
    { ...header, [name]: value },
  ]),
];

/** Anybody can sign with an empty secret. */
function selfSigned(payload: string): Forged {
  const header = encoded({ alg: 'HS256', typ: 'JWT' });
  const signature = createHmac('sha256', '').update(`${header}.${payload}`).digest('base64url');
  return forged('a JWT signed with an empty secret', `${header}.${payload}.${signature}`);
}

/** Each header with a wrong signature, and signatures of other lengths or making. */
export function furtherTamperedSignatures({ random }: Kit, session: Credential): readonly Forged[] {
  const { header, payload, signature } = partsOf(session);
  const other = alteredSignature(signature, random);
  const signed = (what: string, by: string) => forged(`a JWT ${what}`, `${header}.${payload}.${by}`);
  return [
    ...headersLike(decoded(header)).map(([what, part]) =>
      forged(`a JWT ${what} under a wrong signature`, `${encoded(part)}.${payload}.${other}`),
    ),
    selfSigned(payload),
    signed('with half a signature', signature.slice(0, Math.floor(signature.length / 2))),
    signed('with its signature twice', signature + signature),
    signed('signed backwards', [...signature].reverse().join('')),
    forged('a JWT of its header and payload alone', `${header}.${payload}`),
  ];
}

export function tamperedPayloads({ invalid }: Kit, session: Credential): readonly Credential[] {
  const { header, payload, signature } = partsOf(session);
  const claims = decoded(payload);
  const later = { ...claims, exp: Number(claims.exp ?? 0) + 3600 };
  const more = { ...claims, scope: 'admin' };
  return [
    invalid('a JWT that was made to live longer', `${header}.${encoded(later)}.${signature}`),
    invalid('a JWT that was given another claim', `${header}.${encoded(more)}.${signature}`),
  ];
}

/** Each claim and header member removed or changed, with the old signature. */
export function furtherTamperedPayloads(_: Kit, session: Credential): readonly Forged[] {
  const { header, payload, signature } = partsOf(session);
  const all = [
    ...variations(decoded(payload)).map(([what, part]) =>
      forged(`a JWT ${what} in its payload`, `${header}.${encoded(part)}.${signature}`),
    ),
    ...headersLike(decoded(header)).map(([what, part]) =>
      forged(`a JWT ${what} under its old signature`, `${encoded(part)}.${payload}.${signature}`),
    ),
  ];
  // An addition may equal the original.
  return all.filter(({ token }) => token !== session.token);
}

export function unsignedTokens({ invalid }: Kit, session: Credential): readonly Credential[] {
  const { header, payload } = partsOf(session);
  return ['none', 'None', 'nOnE'].map((alg) =>
    invalid(`a JWT of algorithm ${alg}`, `${encoded({ ...decoded(header), alg })}.${payload}.`),
  );
}

export function furtherUnsignedTokens(_: Kit, session: Credential): readonly Forged[] {
  const { header, payload } = partsOf(session);
  const like = (part: JsonPart) => encoded({ ...decoded(header), ...part });
  return [
    forged('a JWT of algorithm NONE', `${like({ alg: 'NONE' })}.${payload}.`),
    forged('a JWT of algorithm none and nothing else', `${encoded({ alg: 'none' })}.${payload}.`),
    forged('a JWT of algorithm none in two parts', `${like({ alg: 'none' })}.${payload}`),
    forged('a JWT of no algorithm', `${like({ alg: null })}.${payload}.`),
  ];
}

/** What each kind of bad session is made by: tokens that are always sent, and further ones. */
export const ofSessions = [
  [tamperedSignatures, furtherTamperedSignatures],
  [tamperedPayloads, furtherTamperedPayloads],
  [unsignedTokens, furtherUnsignedTokens],
] as const;

/** Empty where the session's token is not a signed JWT, such as an encrypted one; other bad tokens are still tried. */
export function ofSigned<T>(forge: () => readonly T[]): readonly T[] {
  try {
    return forge();
  } catch (error) {
    if (error instanceof NotTested) return [];
    throw error;
  }
}

/** Credentials of every kind that must be refused. */
export function unauthenticatedCallers(
  { credential }: Api,
  tools: Kit,
  session: Credential | undefined,
): readonly Credential[] {
  const further = [...furtherMalformedTokens(tools), ...furtherUnknownKeys(tools, credential)];
  return tools.random.shuffled([
    anonymous,
    ...malformedTokens(tools),
    ...unknownKeys(tools),
    ...alteredKeys(tools, credential),
    ...further.map((one) => forgedCredential(one, tools)),
    ...(session ? ofSigned(() => tamperedSignatures(tools, session)) : []),
  ]);
}
