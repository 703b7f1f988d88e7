// Tests that the forged JWTs are valid except for their key: a library that trusts the key in a token accepts them.
import { X509Certificate } from 'node:crypto';
import { compactVerify, importJWK, type JWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { forgedSignatures } from './attacks.ts';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: '1' })}.c2lnbmF0dXJl`;
const session = { name: 'COVENANT_JWT', kind: 'session', token, accounts: [] } as const;
const rows = forgedSignatures(session);
const tokenOf = (name: string): string => rows.find((one) => one.name === name)?.token ?? '';
const headerOf = (one: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(one.split('.')[0] ?? '', 'base64url').toString());

describe('verified by the key in its header', () => {
  test.each([
    'a JWT signed by the RSA key in its jwk',
    'a JWT signed by the Edwards key in its jwk',
    'a JWT signed by the secret in its jwk',
  ])('%s', async (name) => {
    const forged = tokenOf(name);
    const { jwk, alg } = headerOf(forged);
    await expect(compactVerify(forged, await importJWK(jwk as JWK, String(alg)))).resolves.toBeDefined();
  });

  test('a JWT signed by the key of the certificate in its x5c', async () => {
    const forged = tokenOf('a JWT signed by the key of the certificate in its x5c');
    const certificate = new X509Certificate(Buffer.from(String(headerOf(forged).x5c), 'base64'));
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    await expect(compactVerify(forged, certificate.publicKey)).resolves.toBeDefined();
  });
});

test('all differ, are the same in every run, and fit into a header', () => {
  expect(new Set(rows.map((one) => one.token)).size).toBe(rows.length);
  expect(forgedSignatures(session)).toEqual(rows);
  expect(Math.max(...rows.map((one) => one.token.length))).toBeLessThan(4_000);
});
