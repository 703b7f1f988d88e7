// Secrets behind encodings: at any offset and twice over, none survives, what stands for it is encoded as it was, and nothing else is touched.
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secrets } from './secrets.ts';

const key = 'svc_sk_q7Zk2Lw9Xt4Rb8Vn1Mc6Pd3Hf5Gj0Ys';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyLTE3IiwiYXVkIjoiYXBpIn0.c2lnbmF0dXJlLWJ5dGVzLW9mLXRoaXM5ODc2NTQzMjE';
const secrets = { COVENANT_API_KEY: key, COVENANT_JWT: jwt };

const redact = (text: string): string => {
  const known = new Secrets();
  for (const [name, value] of Object.entries(secrets)) known.add(name, value);
  return known.redact(text);
};

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const hex = (text: string): string => bytes(text).toString('hex');
const each = (write: (code: number) => string) => (text: string) =>
  [...bytes(text)].map((code) => write(code)).join('');
const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const encodings: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => bytes(text).toString('base64'),
  base64url: (text) => bytes(text).toString('base64url'),
  hexadecimal: hex,
  'hexadecimal in capitals': (text) => hex(text).toUpperCase(),
  'packed by gzip': (text) => gzipSync(text).toString('base64'),
  'packed by deflate': (text) => deflateSync(text).toString('base64url'),
  percent: each((code) => `%${hexOf(code, 2)}`),
  'percent twice': each((code) => `%25${hexOf(code, 2)}`),
  'escapes of JSON': each((code) => `\\u${hexOf(code, 4)}`),
  'entities of HTML': each((code) => `&#x${hexOf(code, 2)};`),
};
const disguises: Readonly<Record<string, (text: string) => string>> = {
  ...encodings,
  plain: (text) => text,
  capitals: (text) => text.toUpperCase(),
  'small letters': (text) => text.toLowerCase(),
  backwards: (text) => [...text].reverse().join(''),
};

/** What may stand beside a secret inside of an encoding: of bytes, so that it moves what follows by any number of bits. */
const beside = fc.string({ maxLength: 9 });
const oneOf = (names: Readonly<Record<string, unknown>>) => fc.constantFrom(...Object.keys(names));

test('no credential survives, in any encoding, at any offset, twice over', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(key, jwt),
      oneOf(disguises),
      oneOf(encodings),
      fc.tuple(beside, beside, beside, beside, beside, beside),
      (secret, inner, outer, [a, b, c, d, e, f]) => {
        const once = disguises[inner]?.(`${a}${secret}${b}`) ?? '';
        const twice = encodings[outer]?.(`${c}${once}${d}`) ?? '';
        for (const [packed, name] of [
          [once, inner],
          [twice, outer],
        ] as const) {
          const clean = redact(`${e} ${packed} ${f}`);
          expect(clean, name).toContain(secret === key ? '<COVENANT_API_KEY>' : '<COVENANT_JWT>');
          // The first part of a JWT may stay; the marks and the rest must be much shorter than what held the secret.
          const left = clean.replaceAll(/<COVENANT_(API_KEY|JWT)>/g, '').length;
          expect(`${e} ${packed} ${f}`.length - left, clean).toBeGreaterThan(secret.length * 0.6);
        }
      },
    ),
    { seed: 7, numRuns: 1000 },
  );
});

test('a text without secrets survives untouched, whatever is packed in it', () => {
  const word = fc.oneof(fc.string(), fc.uuid(), fc.base64String({ maxLength: 60 }), fc.webUrl(), fc.json());
  fc.assert(
    fc.property(word, oneOf(disguises), oneOf(encodings), beside, (text, inner, outer, around) => {
      const packed = encodings[outer]?.(disguises[inner]?.(text) ?? '') ?? '';
      const whole = `${around} ${packed} ${around} ${text}`;
      expect(redact(whole)).toBe(whole);
    }),
    { seed: 7, numRuns: 1000 },
  );
});

test('JSON shows each credential that one of its texts shows, whatever it escapes there', () => {
  const awkward = ['svc"sk_Ab+9"qu"oted~x01"2345"6789', 'sëcrët-öf-ours-Wörd-für-Wörd', 'k7Zk2L', 'k7"Zk\n2L'];
  const around = fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\b', '\u0001', 'ü', '\ud83d', 'a', '/', '%'),
    maxLength: 5,
  });
  fc.assert(
    fc.property(
      fc.constantFrom(key, jwt, ...awkward),
      oneOf(disguises),
      oneOf(encodings),
      fc.tuple(around, around, around, around),
      (secret, inner, outer, [a, b, c, d]) => {
        const known = new Secrets();
        known.add('SECRET', secret);
        const once = `${a}${disguises[inner]?.(secret)}${b}`;
        for (const text of [once, `${c}${encodings[outer]?.(once)}${d}`]) {
          if (known.redact(text) !== text) expect(known.mayBeInJson(JSON.stringify({ [text]: text })), text).toBe(true);
        }
      },
    ),
    { seed: 7, numRuns: 1000 },
  );
  expect(knowing(key, jwt).mayBeInJson(JSON.stringify({ body: '"a"\n%41 \\u0041 &amp;' }))).toBe(false);
});

/** The next character of the same kind, as evidence has it; what begins a key, what a JWT says, and the last character stay. */
const next = (text: string): string =>
  text.replace(/[a-y]|[A-Y]|[0-8]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 1));
const standInOf = (secret: string): string => {
  const from = Math.max(15, secret.lastIndexOf('.') + 1);
  return secret.slice(0, from) + next(secret.slice(from, -1)) + secret.slice(-1);
};
const knowing = (...some: readonly string[]): Secrets => {
  const known = new Secrets((_, value) => standInOf(value));
  for (const secret of some) known.add('SECRET', secret);
  return known;
};

test('what stands for a credential is encoded as the credential was, at any offset, twice over', () => {
  const known = knowing(key, jwt);
  const plainly = Object.keys(disguises).filter((name) => !name.startsWith('packed'));
  const outside = fc.constantFrom(...plainly.filter((name) => name in encodings));
  const inside = fc.constantFrom(...plainly);
  fc.assert(
    fc.property(
      fc.constantFrom(key, jwt),
      inside,
      outside,
      fc.tuple(beside, beside, beside, beside),
      (secret, ...more) => {
        const [inner, outer, [a, b, c, d]] = more;
        const written = (text: string) => disguises[outer]?.(`${c}${disguises[inner]?.(`${a}${text}${b}`)}${d}`) ?? '';
        expect(known.exchanged(written(secret))).toBe(written(standInOf(secret)));
      },
    ),
    { seed: 7, numRuns: 1000 },
  );
});

test('what was deflated is deflated again, in the escapes that were around it', () => {
  const other = knowing(key).exchanged(
    each((code) => `%25${hexOf(code, 2)}`)(`<${gzipSync(`a ${key} b`).toString('base64')}>`),
  );
  expect(other).toMatch(/^(%25[0-9a-f]{2})+$/);
  const packed = decodeURIComponent(decodeURIComponent(other)).slice(1, -1);
  expect(gunzipSync(Buffer.from(packed, 'base64')).toString()).toBe(`a ${standInOf(key)} b`);
});
