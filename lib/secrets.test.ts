// No secret stands in a clean text, however it is spelled there.
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
])('%s', (_, spelled) => {
  const secrets = new Secrets();
  secrets.add('COVENANT_API_KEY', secret);
  const clean = secrets.redact(`before ${spelled} after`);
  expect(clean).toContain('<COVENANT_API_KEY>');
  expect(clean).not.toContain('Ab+9');
  expect(clean).not.toContain(encodeURIComponent('Ab+9/='));
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
