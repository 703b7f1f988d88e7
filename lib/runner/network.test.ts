// `examine` on the way that vendors have: mutual TLS over real handshakes, and a gateway's header.
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createReference } from '../../lab/reference/index.ts';
import { certificates, tlsServer } from '../client/transports/network.test-data.ts';
import { examine } from './index.ts';

test('the environment names the way, and nothing of it is kept', async () => {
  const { ca, server, client, folder } = certificates();
  const { handler, env } = await createReference({ minuteMs: 1500 });
  const mutual = { cert: server.cert, key: server.key, ca: ca.cert, requestCert: true, rejectUnauthorized: true };
  const target = await tlsServer(async (request) => {
    const key = request.headers.get('x-gateway-key');
    if (key !== 'gateway-canary') return new Response('gateway: no', { status: 403 });
    const reply = await handler(request);
    reply.headers.set('x-gateway-says', `hello ${key}`);
    return reply;
  }, mutual);
  const environment = {
    ...env,
    COVENANT_BASE_URL: `https://127.0.0.1:${target.port}`,
    COVENANT_TLS_CERT: client.certFile,
    COVENANT_TLS_KEY: client.key,
    COVENANT_TLS_CA: ca.certFile,
    COVENANT_HEADER_X_GATEWAY_KEY: 'gateway-canary',
  };
  const requirements = ['billing-summary-scope'] as const;
  try {
    const { report, transcript } = await examine({ environment, requirements, effort: 'quick' });
    expect(report.verdict).toBe('conformant');
    expect(JSON.stringify({ report, transcript })).not.toMatch(/gateway-canary|PRIVATE KEY/);
  } finally {
    target.close();
    rmSync(folder, { recursive: true });
  }
});
