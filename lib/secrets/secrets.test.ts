// No secret stands in a clean text, however it is spelled there.
import { deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secrets } from './secrets.ts';

const secret = 'svc_sk_Ab+9/="quoted"\\x~';

test.each([
  ['plain', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  ['in JSON', JSON.stringify({ key: secret })],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64url', Buffer.from(secret).toString('base64url')],
])('a secret is taken out in this spelling: %s', (_, spelled) => {
  const secrets = new Secrets();
  secrets.add('COVENANT_API_KEY', secret);
  const clean = secrets.redact(`before ${spelled} after`);
  expect(clean).toContain('<COVENANT_API_KEY>');
  expect(clean).not.toContain('Ab+9');
  expect(clean).not.toContain(encodeURIComponent('Ab+9/='));
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
  const jwt = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"sub":"7"}').toString('base64url')}.q7Zk2Lw9Xt4Rb8Vn1Mc6`;
  const values = [
    'svc_sk_first0123456789abcdef',
    'svc_sk_first0123456789abcdefgh',
    jwt,
    'sëcrët-of-ours',
    'basic two words',
  ];
  for (const [index, value] of values.entries()) secrets.add(`SECRET_${index}`, value);
  for (const value of values)
    for (const before of ['', 'Bearer ', 'bearer  ', 'A ']) {
      const inText = secrets.redact(`the header "${before}${value}" was sent`);
      expect(secrets.redact(before + value)).toBe(inText.slice('the header "'.length, -'" was sent'.length));
    }
  expect(secrets.redact(`Bearer ${values[0]}gh2`)).toBe('Bearer <SECRET_1>2');
  secrets.add('SHORT', 'k7Zk2L');
  expect(secrets.redact(`k7Zk2L ${values[0]}`)).toBe('<SHORT> <SECRET_0>');
});

const token = 'svc_sk_q7Zk2Lw9Xt4Rb8Vn1Mc6Pd3Hf5Gj0Ys';
const hidden = (text: string): string => {
  const secrets = new Secrets();
  secrets.add('COVENANT_API_KEY', token);
  return secrets.redact(text);
};

test.each([0, 1, 2, 3, 4])('a secret is taken out in base64 behind %d other bytes, in both alphabets', (before) => {
  const bytes = `${'>?~!'.slice(0, before)}${token} and more`;
  for (const alphabet of ['base64', 'base64url'] as const) {
    const clean = hidden(Buffer.from(bytes).toString(alphabet));
    expect(clean).toContain('<COVENANT_API_KEY>');
    for (const at of [0, 1, 2]) {
      const left = Buffer.from(clean.slice(at).replace(/<.*>/, ''), alphabet).toString('latin1');
      expect(left).not.toContain(token.slice(4, 20));
    }
  }
});

test.each([
  ['hexadecimal', Buffer.from(token).toString('hex')],
  ['upper-case hexadecimal', Buffer.from(token).toString('hex').toUpperCase()],
  ['each character percent-encoded', Buffer.from(token).toString('hex').replace(/../g, '%$&')],
])('a secret is taken out in this spelling: %s', (_, spelled) =>
  expect(hidden(`a ${spelled} b`)).toBe('a <COVENANT_API_KEY> b'),
);

test('a secret that is split over two headers, or cut off, is taken out', () => {
  const [one, other] = [token.slice(0, 20), token.slice(20)];
  for (const before of ['', 'x', 'xxxxx', 'xxxxxxxxxxx']) {
    expect(hidden(`${before}{"x-a":"${one}","x-b":"${other}"}`)).toBe(
      `${before}{"x-a":"<COVENANT_API_KEY>","x-b":"<COVENANT_API_KEY>"}`,
    );
  }
  expect(hidden(`${token.slice(0, -3)}… (80 characters)`)).toBe('<COVENANT_API_KEY>… (80 characters)');
});

test('what is short enough to be a key prefix stays, and so does what every JWT begins with', () => {
  expect(hidden('{"key_prefix":"svc_sk_q7Zk"}')).toContain('svc_sk_q7Zk');
  const secrets = new Secrets();
  const head = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';
  secrets.add('COVENANT_JWT', `${head}.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLW9mLXRoaXM`);
  expect(secrets.redact(`${head}.other.signature`)).toBe(`${head}.other.signature`);
});

test('JSON stays JSON, whatever a secret consists of and wherever it is cut', () => {
  const odd = fc.stringMatching(/^[a-z"\\u0/%]{16,40}$/);
  fc.assert(
    fc.property(odd, fc.nat(20), fc.nat(20), fc.string(), (value, from, less, around) => {
      const secrets = new Secrets();
      secrets.add('KEY', value);
      const json = JSON.stringify({ [around]: `${around}${value.slice(from, value.length - less)}${around}`, value });
      expect(() => JSON.parse(secrets.redact(json))).not.toThrow();
    }),
    { seed: 3, numRuns: 2000 },
  );
});

test('a name breaks no JSON either, whatever a token or a target calls a thing', () => {
  const secrets = new Secrets();
  secrets.add('a "name" \\ of\n many', token);
  secrets.addInvented('a JWT without "k\\id"', `${token.slice(0, -1)}%`);
  const json = JSON.stringify({ one: token, other: `${token.slice(0, -1)}%` });
  expect(JSON.parse(secrets.redact(json))).toEqual({
    one: "<a 'name' ' of' many>",
    other: "<a JWT without 'k'id'>",
  });
});

test('a secret that contains another one is taken out whole', () => {
  const secrets = new Secrets();
  secrets.add('SHORT', 'abcdef');
  secrets.add('LONG', 'abcdefghij');
  expect(secrets.redact('abcdefghij abcdef')).toBe('<LONG> <SHORT>');
});

test('texts without secrets stay as they are', () => {
  const secrets = new Secrets();
  secrets.add('KEY', 'svc_sk_0123456789');
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes('svc_sk_'));
      expect(secrets.redact(text)).toBe(text);
    }),
    { seed: 3 },
  );
});

const units = (write: (code: number) => string): string => [...token].map((one) => write(one.charCodeAt(0))).join('');
const hexOf = (code: number): string => code.toString(16).padStart(4, '0');
test.each([
  ['every character escaped as JSON does it', units((code) => `\\u${hexOf(code)}`)],
  ['escaped twice', units((code) => `\\\\u${hexOf(code).toUpperCase()}`)],
  [
    'every second character escaped',
    [...token].map((one, at) => (at % 2 ? one : `\\u${hexOf(one.charCodeAt(0))}`)).join(''),
  ],
  ['percent-encoded twice', units((code) => `%25${code.toString(16)}`)],
  ['entities of HTML', units((code) => `&#x${code.toString(16)};`)],
  ['decimal entities of HTML in HTML', units((code) => `&amp;#${code};`)],
  ['capitals', token.toUpperCase()],
  ['small letters', token.toLowerCase()],
  ['backwards', [...token].reverse().join('')],
  ['backwards in base64', Buffer.from([...token].reverse().join('')).toString('base64')],
  ['base64 in base64', Buffer.from(Buffer.from(`a ${token}`).toString('base64')).toString('base64')],
  ['packed by gzip, in base64', gzipSync(token).toString('base64')],
  ['packed by deflate, in base64url', deflateSync(token).toString('base64url')],
])('a secret is found after decoding: %s', (_, spelled) => {
  const clean = hidden(`{"before":"a","value":"${spelled}","after":"b"}`);
  expect(clean).toMatch(/^\{"before":"a","value":"[^"]*<COVENANT_API_KEY>[^"]*","after":"b"\}$/);
  expect(clean.length).toBeLessThan(80);
});

test('an escape that hides nothing stays as it is', () => {
  const text = '{"a":"\\u0073vc_sk_of somebody else %25 &amp; c2Vzc2lvbi1jdXJzb3ItZm9yLXRoZS1uZXh0LXBhZ2U="}';
  expect(hidden(text)).toBe(text);
});

test('one secret within the beginning of another is taken out whole, wherever it stands', () => {
  const secrets = new Secrets();
  const changed = `${token.slice(0, -4)}!${token.slice(-3)}`;
  secrets.add('KEY', token);
  secrets.add('CHANGED', changed);
  secrets.add('TWICE', token + token);
  for (let before = 0; before < 8; before += 1)
    expect(secrets.redact(`${' '.repeat(before)}${token.slice(-1)}${changed}.`)).toBe(
      `${' '.repeat(before)}${token.slice(-1)}<CHANGED>.`,
    );
});
