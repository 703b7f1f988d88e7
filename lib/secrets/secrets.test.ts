// A cleaned text contains no secret, however it is spelled, and nothing else is touched; a derivation rebuilds a token and reveals no secret.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivationOf, madeBy, sourcesOf } from './derivation.ts';
import { Places, Plain, type Spelling } from './places.ts';
import { Secrets } from './secrets.ts';

const key = 'svc_sk_q7Zk2Lw9Xt4Rb8Vn1Mc6Pd3Hf5Gj0Ys';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyLTE3IiwiYXVkIjoiYXBpIn0.c2lnbmF0dXJlLWJ5dGVzLW9mLXRoaXM5ODc2NTQzMjE';
const awkward = 'svc_sk_Ab+9/="quoted"\\x~%41<&>';

const knowing = (values: Readonly<Record<string, string>>): Secrets => {
  const secrets = new Secrets();
  for (const [name, value] of Object.entries(values)) secrets.add(name, value);
  return secrets;
};
const usual = knowing({ COVENANT_API_KEY: key, COVENANT_JWT: jwt });
const redact = (text: string): string => usual.redact(text);

const hex = (text: string): string => Buffer.from(text).toString('hex');
const each = (write: (code: string) => string) => (text: string) => hex(text).replace(/../g, (code) => write(code));
const spelled: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  capitals: (text) => text.toUpperCase(),
  'small letters': (text) => text.toLowerCase(),
  backwards: (text) => [...text].reverse().join(''),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hexadecimal: hex,
  'hexadecimal in capitals': (text) => hex(text).toUpperCase(),
};
const escaped: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  JSON: (text) => JSON.stringify(text),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)),
  URL: (text) => encodeURIComponent(text),
  'every character, as in JSON': each((code) => `\\u00${code}`),
  'every character, as in JSON in JSON': each((code) => `\\\\u00${code}`),
  'every character, as in a URL': each((code) => `%${code}`),
  'every character, as twice in a URL': each((code) => `%25${code}`),
  'every character, as in HTML': each((code) => `&#x${code};`),
  'every character, by its number in HTML in HTML': each((code) => `&amp;#${Number.parseInt(code, 16)};`),
  'the special ones, as in HTML': (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'),
};
const oneOf = (names: Readonly<Record<string, unknown>>) => fc.constantFrom(...Object.keys(names));
/** What may stand beside a secret inside of an encoding: of bytes, so that it moves what follows by any number of bits. */
const beside = fc.string({ maxLength: 9 });

test('no credential survives, however it is spelled and escaped, at any offset', () => {
  const secrets = knowing({ KEY: key, JWT: jwt, AWKWARD: awkward });
  fc.assert(
    fc.property(
      fc.constantFrom(key, jwt, awkward),
      oneOf(spelled),
      oneOf(escaped),
      fc.tuple(beside, beside, beside, beside),
      (secret, how, layer, [a, b, c, d]) => {
        const inside = layer.startsWith('every') && secret === awkward ? '' : a;
        const text = escaped[layer]?.(`${c}${spelled[how]?.(`${inside}${secret}${b}`)}${d}`) ?? '';
        const clean = secrets.redact(text);
        expect(clean).toMatch(/<(KEY|JWT|AWKWARD)>/);
        // The first part of a JWT may stay, and what neighbouring bytes have a part in.
        const left = clean.replaceAll(/<(KEY|JWT|AWKWARD)>/g, '').length;
        expect(text.length - left, clean).toBeGreaterThan(secret.length * 0.6);
      },
    ),
    { seed: 7, numRuns: 2000 },
  );
});

/** The next character of the same kind, as evidence has it; what begins a key, what a JWT says, and the last character stay. */
function standInOf(secret: string): string {
  const from = Math.max(15, secret.lastIndexOf('.') + 1);
  const next = (one: string): string => String.fromCharCode(one.charCodeAt(0) + 1);
  return secret.slice(0, from) + secret.slice(from, -1).replace(/[a-y]|[A-Y]|[0-8]/g, next) + secret.slice(-1);
}

test('what stands for a credential is spelled and escaped as the credential was, at any offset', () => {
  const secrets = new Secrets((_, value) => standInOf(value));
  for (const secret of [key, jwt]) secrets.add('SECRET', secret);
  fc.assert(
    fc.property(
      fc.constantFrom(key, jwt),
      oneOf(spelled),
      oneOf(escaped),
      fc.tuple(beside, beside, beside, beside),
      (secret, how, layer, [a, b, c, d]) => {
        const written = (text: string) => escaped[layer]?.(`${c}${spelled[how]?.(`${a}${text}${b}`)}${d}`) ?? '';
        expect(secrets.exchanged(written(secret))).toBe(written(standInOf(secret)));
      },
    ),
    { seed: 7, numRuns: 2000 },
  );
});

test('a text without secrets stays as it is, whatever is packed in it', () => {
  const word = fc.oneof(fc.string(), fc.uuid(), fc.base64String({ maxLength: 60 }), fc.webUrl(), fc.json());
  fc.assert(
    fc.property(word, oneOf(spelled), oneOf(escaped), beside, (text, how, layer, around) => {
      const whole = `${around} ${escaped[layer]?.(spelled[how]?.(text) ?? '')} ${around} ${text}`;
      expect(redact(whole)).toBe(whole);
    }),
    { seed: 7, numRuns: 1000 },
  );
});

test('two values never have one name, and one value never has two', () => {
  const secrets = new Secrets();
  const named = [
    ['MADE_KEY_1', 'svc_sk_first0123456789'],
    ['MADE_KEY_1', 'svc_sk_other0123456789'],
    ['KEY_IN_REPLY_9', 'svc_sk_first0123456789'],
  ] as const;
  expect(named.map(([name, value]) => secrets.add(name, value))).toEqual(['MADE_KEY_1', 'MADE_KEY_1_2', 'MADE_KEY_1']);
  expect(secrets.redact('svc_sk_other0123456789 svc_sk_first0123456789')).toBe('<MADE_KEY_1_2> <MADE_KEY_1>');
});

test('a secret that is known whole is named as it would be in the middle of a longer text', () => {
  const secrets = new Secrets();
  const values = [key, `${key}gh`, jwt, 'sëcrët-of-ours', 'basic two words'];
  for (const [index, value] of values.entries()) secrets.add(`SECRET_${index}`, value);
  for (const value of values)
    for (const before of ['', 'Bearer ', 'bearer  ', 'A ']) {
      const inText = secrets.redact(`the header "${before}${value}" was sent`);
      expect(secrets.redact(before + value)).toBe(inText.slice('the header "'.length, -'" was sent'.length));
    }
  expect(secrets.redact(`Bearer ${key}gh2`)).toBe('Bearer <SECRET_1>2');
  secrets.add('SHORT', 'k7Zk2L');
  expect(secrets.redact(`k7Zk2L ${key}`)).toBe('<SHORT> <SECRET_0>');
});

test('a secret that is split over two headers, or cut off, is taken out', () => {
  const [one, other] = [key.slice(0, 20), key.slice(20)];
  for (const before of ['', 'x', 'xxxxx', 'xxxxxxxxxxx']) {
    expect(redact(`${before}{"x-a":"${one}","x-b":"${other}"}`)).toBe(
      `${before}{"x-a":"<COVENANT_API_KEY>","x-b":"<COVENANT_API_KEY>"}`,
    );
  }
  expect(redact(`${key.slice(0, -3)}… (80 characters)`)).toBe('<COVENANT_API_KEY>… (80 characters)');
});

test('any sixteen characters of a secret are taken out, wherever they stand', () => {
  fc.assert(
    fc.property(fc.nat(key.length - 16), fc.webUrl(), fc.string(), (from, before, after) => {
      expect(redact(before + key.slice(from, from + 16) + after)).toContain('<COVENANT_API_KEY>');
    }),
    { seed: 11, numRuns: 1000 },
  );
});

test('what is short enough to be a key prefix stays, and so does what every JWT begins with', () => {
  expect(redact('{"key_prefix":"svc_sk_q7Zk"}')).toContain('svc_sk_q7Zk');
  const other = `${jwt.split('.')[0]}.other.signature`;
  expect(redact(other)).toBe(other);
});

test('JSON stays JSON, wherever a secret in it is cut', () => {
  const odd = fc.stringMatching(/^[a-z\\u0/%]{16,40}$/);
  fc.assert(
    fc.property(odd, fc.nat(20), fc.nat(20), fc.string(), (value, from, less, around) => {
      const secrets = knowing({ KEY: value });
      const json = JSON.stringify({ [around]: `${around}${value.slice(from, value.length - less)}${around}`, value });
      expect(() => JSON.parse(secrets.redact(json))).not.toThrow();
    }),
    { seed: 3, numRuns: 2000 },
  );
});

test('a name breaks no JSON either, whatever a token or a target calls a thing', () => {
  const secrets = knowing({ 'a "name" \\ of\n many': key });
  secrets.addInvented('a JWT without "k\\id"', `${key.slice(0, -1)}!`);
  const json = JSON.stringify({ one: key, other: `${key.slice(0, -1)}!` });
  expect(JSON.parse(secrets.redact(json))).toEqual({ one: "<a 'name' ' of' many>", other: "<a JWT without 'k'id'>" });
});

test('one secret within another is taken out whole, wherever it stands', () => {
  expect(knowing({ SHORT: 'abcdef', LONG: 'abcdefghij' }).redact('abcdefghij abcdef')).toBe('<LONG> <SHORT>');
  const changed = `${key.slice(0, -4)}!${key.slice(-3)}`;
  const secrets = knowing({ KEY: key, CHANGED: changed, TWICE: key + key });
  expect(secrets.redact(`${key.slice(-1)}${changed}.`)).toBe(`${key.slice(-1)}<CHANGED>.`);
});

test('how many secrets there are makes no difference to a look at a text', () => {
  const places = new Places();
  let looks = 0;
  const spelling = (of: string): Spelling => ({
    mark: of,
    standIn: () => of,
    open: 0,
    unit: 1,
    phase: 0,
    get text() {
      looks += 1;
      return of;
    },
  });
  const numbered = (index: number) => `svc_sk_${String(index * 7_919_131).padStart(12, '0')}_abcdefghij`;
  for (let index = 0; index < 5000; index += 1) places.add(spelling(numbered(index)));
  looks = 0;
  const found = places.in(new Plain(`the key ${numbered(4711)} and svc_sk_of_somebody_abcdefghij`));
  expect(found.map(({ spelling: { mark }, start, end }) => [mark, start, end])).toEqual([[numbered(4711), 8, 38]]);
  expect(looks).toBeLessThan(400);
});

const secrets = new Map([
  ['COVENANT_API_KEY', key],
  ['COVENANT_JWT', jwt],
]);
const sources = [...secrets].flatMap(([of, secret]) => sourcesOf(of, secret));

test.each([
  ['a key without its last character', key.slice(0, -1)],
  ['a key with one more', `${key}x`],
  ['a key with another inside', `${key.slice(0, 15)}!${key.slice(16)}`],
  ['a key with another near its end', `${key.slice(0, -3)}7${key.slice(-2)}`],
  ['a key without a character near its end', `${key.slice(0, -4)}${key.slice(-3)}`],
  ['a key that was never issued', 'svc_sk_0123456789abcdef'],
  ['one that begins like the key in another letter case', 'svc_sk_Q70123456789abcdef'],
  ['a JWT without its signature', `${jwt.split('.').slice(0, 2).join('.')}.`],
  ['a JWT of algorithm none', `eyJhbGciOiJub25lIn0.${jwt.split('.')[1]}.`],
])('%s is made again', (_, token) => {
  const derivation = derivationOf(token, sources);
  expect(madeBy(derivation ?? [], secrets)).toBe(token);
  for (const piece of derivation ?? []) {
    if (typeof piece === 'string' && piece.length >= 8) expect(key).not.toContain(piece.slice(0, 8));
  }
});

test('a literal that was never issued stands as it is, and a part of a JWT by its number', () => {
  expect(derivationOf('svc_sk_0123456789abcdef', sources)).toEqual(['svc_sk_0123456789abcdef']);
  expect(derivationOf(`${jwt.split('.').slice(0, 2).join('.')}.`, sources)).toEqual([
    { of: 'COVENANT_JWT', part: 1, from: 1 },
    '.',
    { of: 'COVENANT_JWT', part: 2, from: 1 },
    '.',
  ]);
});

test('a secret in another letter case or backwards has no derivation, since it would show the secret', () => {
  expect(derivationOf(key.toUpperCase(), sources)).toBeUndefined();
  const [header, payload, signature = ''] = jwt.split('.');
  expect(derivationOf(`${header}.${payload}.${[...signature].reverse().join('')}`, sources)).toBeUndefined();
});

test('what stands behind a changed character follows the secret, however short it is', () => {
  const other = new Map([['COVENANT_API_KEY', 'svc_sk_q7Zk2LwZyXwVuTsRqPoNmLkJiHgFe3s']]);
  for (const changed of [
    (one: string) => `${one.slice(0, -3)}7${one.slice(-2)}`,
    (one: string) => `${one.slice(0, -2)}7s`,
  ])
    expect(madeBy(derivationOf(changed(key), sources) ?? [], other)).toBe(changed(other.get('COVENANT_API_KEY') ?? ''));
});
