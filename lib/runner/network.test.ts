// `examine` on the way that vendors have: mutual TLS over real handshakes, a gateway's header, a proxy with a password.
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createReference } from '../../lab/reference/index.ts';
import { certificates, forwardProxy, tlsServer } from '../client/transports/network.test-data.ts';
import { type ExamineOptions, examine } from './index.ts';

const made = certificates();
const { ca, server, client } = made;
const mutual = { cert: server.cert, key: server.key, ca: ca.cert, requestCert: true, rejectUnauthorized: true };
afterAll(() => rmSync(made.folder, { recursive: true }));

const gatewayKey = 'gateway-canary-0123456789';
const password = 'proxy-canary-0123456789';
const few = { requirements: ['billing-summary-scope'], effort: 'quick', seed: 1, minuteMs: 1500 } as const;
const { handler, env } = await createReference({ minuteMs: few.minuteMs });
const credentials = {
  apiKey: env.COVENANT_API_KEY ?? '',
  apiKeyRestricted: env.COVENANT_API_KEY_RESTRICTED ?? '',
};

const behindGateway = async (request: Request): Promise<Response> => {
  if (request.headers.get('x-gateway-key') !== gatewayKey) return new Response('gateway: no', { status: 403 });
  const reply = await handler(request);
  reply.headers.set('x-gateway-says', `hello ${gatewayKey}`);
  return reply;
};

async function verdictOf(options: ExamineOptions): Promise<string> {
  const { report, transcript } = await examine({ credentials, ...few, ...options });
  expect(JSON.stringify({ report, transcript })).not.toMatch(/gateway-canary|proxy-canary|PRIVATE KEY/);
  return report.verdict;
}

test('files of certificates, a secret header and a proxy', async () => {
  const target = await tlsServer(behindGateway, mutual);
  const proxy = await forwardProxy(`me:${password}`);
  try {
    const options: ExamineOptions = {
      baseUrl: `https://127.0.0.1:${target.port}`,
      tls: { cert: client.certFile, key: client.keyFile, ca: ca.certFile },
      headers: { 'X-Gateway-Key': gatewayKey },
      proxy: `http://me:${password}@127.0.0.1:${proxy.port}`,
    };
    expect(await verdictOf(options)).toBe('conformant');
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT 127.0.0.1:${target.port}`]));
    expect(await verdictOf({ ...options, tls: { ca: ca.certFile } })).toBe('aborted');
  } finally {
    target.close();
    proxy.close();
  }
});

test('certificates as text', async () => {
  const target = await tlsServer(handler, mutual);
  try {
    const tls = { cert: client.cert, key: client.key, ca: ca.cert };
    const baseUrl = `https://127.0.0.1:${target.port}`;
    expect(await verdictOf({ baseUrl, tls })).toBe('conformant');
  } finally {
    target.close();
  }
});

test('the environment names them where it is given, and only then', async () => {
  const target = await tlsServer(behindGateway, mutual);
  try {
    const environment = {
      ...env,
      COVENANT_BASE_URL: `https://127.0.0.1:${target.port}`,
      COVENANT_TLS_CERT: client.certFile,
      COVENANT_TLS_KEY: client.key,
      COVENANT_TLS_CA: ca.certFile,
      COVENANT_HEADER_X_GATEWAY_KEY: gatewayKey,
    };
    expect(await verdictOf({ environment })).toBe('conformant');
  } finally {
    target.close();
  }
});
