// Whole commands on the way that vendors have: through a forward proxy with a password, with certificates, a gateway's header.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createReference } from '../../lab/reference/index.ts';
import { certificates, forwardProxy, tlsServer } from '../client/transports/network.test-data.ts';
import type { Report } from '../result.ts';
import { command } from './trial.test-data.ts';

const made = certificates();
const { ca, server, client } = made;
const mutual = { cert: server.cert, key: server.key, ca: ca.cert, requestCert: true, rejectUnauthorized: true };
afterAll(() => rmSync(made.folder, { recursive: true }));

/** A burst has half of it: on a loaded machine, 60 replies through proxy and TLS take 3 s. */
const minuteMs = 6_000;
const gatewayKey = 'gateway-canary-0123456789';
const password = 'proxy-canary-0123456789';

/** A reference behind a gateway that wants its own header, and repeats it in each reply. */
async function behindGateway() {
  const { handler, env } = await createReference({ minuteMs });
  const handle = async (request: Request): Promise<Response> => {
    if (request.headers.get('x-gateway-key') !== gatewayKey) return new Response('gateway: no', { status: 403 });
    const reply = await handler(request);
    reply.headers.set('x-gateway-says', `hello ${gatewayKey}`);
    return reply;
  };
  return { handle, env: { ...env, COVENANT_MINUTE_MS: String(minuteMs) } };
}

/** Without the ends of lines, which fall where they may. */
const flat = (text: string): string => text.replace(/\s+/g, ' ');

const filesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test('a run through a proxy and mutual TLS reaches every requirement, and keeps all secrets', async () => {
  const { handle, env } = await behindGateway();
  const target = await tlsServer(handle, mutual);
  const proxy = await forwardProxy(`me:${password}`);
  const folder = join(made.folder, 'run');
  mkdirSync(folder);
  const environment = {
    ...env,
    COVENANT_BASE_URL: `https://0.0.0.0:${target.port}/api/external/v2/`,
    COVENANT_TLS_CERT: client.certFile,
    COVENANT_TLS_KEY: client.keyFile,
    COVENANT_TLS_CA: ca.certFile,
    COVENANT_HEADER_X_GATEWAY_KEY: gatewayKey,
    HTTPS_PROXY: `http://me:${password}@127.0.0.1:${proxy.port}`,
  };
  try {
    const words = ['run', '--effort', 'quick', '--reporter', 'all', '--evidence', '--header', 'X-Env: staging'];
    const { code, text: shown } = await command(folder, words, environment);
    const text = flat(shown);
    expect(text).toContain(`through the proxy http://127.0.0.1:${proxy.port} (the environment variable HTTPS_PROXY)`);
    expect(text).toMatch(/client certificate of .* extra headers x-env, x-gateway-key/);
    expect(text).toMatch(/note: .*ends with \/api\/external\/v2.*used without it/);
    expect(code).toBe(0);
    const report: Report = JSON.parse(readFileSync(join(folder, 'reports/report.json'), 'utf8'));
    expect(report.totals.must).toMatchObject({ failed: 0, not_tested: 0, inconclusive: 0 });
    expect(proxy.asked.filter((one) => one !== `CONNECT 0.0.0.0:${target.port}`)).toEqual([]);
    expect(`${text}${filesIn(folder)}`).not.toMatch(/gateway-canary|proxy-canary/);
    const doctor = await command(folder, ['doctor'], environment);
    expect(flat(doctor.text)).toContain('network Requests go through the proxy http://127');
    expect(doctor.code).toBe(0);
    const verified = await command(folder, ['verify', 'reports/evidence.jsonl.gz']);
    expect(verified.text).not.toContain('does not follow');
    expect(verified.code).toBe(0);
  } finally {
    target.close();
    proxy.close();
  }
}, 180_000);
