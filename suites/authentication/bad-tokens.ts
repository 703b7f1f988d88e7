// Every kind of token that is neither a live key nor a session, made from real ones by changing one character.
import { anonymous, type Credential, NotTested, type Random, type Tools } from '../../lib/index.ts';
import { keyPrefix } from '../shared/keys.ts';

type Kit = Pick<Tools, 'invalid' | 'random'>;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const urlSafe = `${letters}-_`;

const drawn = (random: Random, alphabet: string): string => alphabet.charAt(random.int(0, alphabet.length - 1));
const text = (random: Random, length: number, alphabet = letters): string =>
  Array.from({ length }, () => drawn(random, alphabet)).join('');

/** Another character than the one at that place, in whatever letter case. */
function changed(token: string, place: number, random: Random, alphabet = letters): string {
  const old = token.charAt(place).toLowerCase();
  const others = [...alphabet].filter((one) => one.toLowerCase() !== old).join('');
  return token.slice(0, place) + drawn(random, others) + token.slice(place + 1);
}

export const missing = (): readonly Credential[] => [anonymous];

export function unknownKeys({ invalid, random }: Kit): readonly Credential[] {
  return [invalid('a key that was never issued', keyPrefix + text(random, 40))];
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

export function malformedTokens({ invalid, random }: Kit): readonly Credential[] {
  return [
    invalid('a text that is not a token', `covenant-${text(random, 24)}`),
    invalid('three parts that are not a JWT', [12, 24, 36].map((length) => text(random, length, urlSafe)).join('.')),
    invalid('a text of punctuation', `${text(random, 12, '!$&*+/:=?^|~')}.`),
  ];
}

interface Jwt {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function decoded(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Said below.
  }
  throw new NotTested('COVENANT_JWT is not a signed JWT whose parts can be read');
}

function partsOf({ token = '' }: Credential): Jwt {
  const [header, payload, signature, ...more] = token.split('.');
  if (!header || !payload || !signature || more.length > 0)
    throw new NotTested('COVENANT_JWT does not have the three parts of a signed JWT');
  return { header, payload, signature };
}

/** In the middle, because the last character of base64 may carry bits that nobody reads. */
export function tamperedSignatures({ invalid, random }: Kit, session: Credential): readonly Credential[] {
  const { header, payload, signature } = partsOf(session);
  const other = changed(signature, Math.floor(signature.length / 2), random, urlSafe);
  return [
    invalid('a JWT with another character in its signature', `${header}.${payload}.${other}`),
    invalid('a JWT without its signature', `${header}.${payload}.`),
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

export function unsignedTokens({ invalid }: Kit, session: Credential): readonly Credential[] {
  const { header, payload } = partsOf(session);
  return ['none', 'None', 'nOnE'].map((alg) =>
    invalid(`a JWT of algorithm ${alg}`, `${encoded({ ...decoded(header), alg })}.${payload}.`),
  );
}
