// The way to a target over real sockets: each way in which it can be the wrong one has words of its own.
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { direct, type NetworkSettings, networkFrom } from '../../configuration/network.ts';
import { variableLookup } from '../../configuration/settings-sources.ts';
import { version } from '../../runtime/version.ts';
import { liveTransport } from './live.ts';
import {
  certificates,
  forwardProxy,
  plainServer,
  type Running,
  refusingProxy,
  tlsServer,
} from './network.test-data.ts';
import { NoReply, type WireReply } from './transport.ts';

const made = certificates();
const { ca, server, client, otherClient } = made;
const tls = { cert: server.cert, key: server.key };
const mutual = { ...tls, ca: ca.cert, requestCert: true, rejectUnauthorized: true };
const withCa = { ...direct, tls: { ca: ca.cert } };
const withClient = { ...direct, tls: { ca: ca.cert, cert: client.cert, key: client.key } };

const seen: Request[] = [];
const answer = async (request: Request): Promise<Response> => {
  seen.push(request);
  return Response.json({ echo: request.headers.get('x-gateway-key') });
};

const open: Running[] = [];
const started = async <T extends Running>(running: Promise<T>): Promise<T> => {
  const one = await running;
  open.push(one);
  return one;
};
afterEach(() => {
  for (const one of open.splice(0)) one.close();
  seen.splice(0);
});
afterAll(() => rmSync(made.folder, { recursive: true }));

const headers = { 'x-gateway-key': '<COVENANT_HEADER_X_GATEWAY_KEY>' };

async function ask(url: string, network: NetworkSettings = direct): Promise<WireReply> {
  const { send, close } = liveTransport(network);
  try {
    return await send({ method: 'GET', url, headers }, { timeoutMs: 5000 });
  } finally {
    await close();
  }
}

async function why(url: string, network?: NetworkSettings): Promise<string> {
  const error: unknown = await ask(url, network).then(
    ({ status }) => new Error(`was answered with ${status}`),
    (reason) => reason,
  );
  if (!(error instanceof NoReply)) throw error;
  expect(error.message).not.toMatch(/\n|secret/);
  return error.message;
}

test('also a request that waits for a connection gets no reply in time', async () => {
  const { port } = await started(plainServer(() => new Promise(() => {})));
  const { send, close } = liveTransport();
  const asked = Array.from({ length: 70 }, () =>
    send({ method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {} }, { timeoutMs: 300 }),
  );
  const ends = await Promise.allSettled(asked);
  await close();
  const messages = ends.map((end) => (end.status === 'rejected' ? String(end.reason.message) : end.value.status));
  expect(new Set(messages)).toEqual(new Set(['no reply within 300 ms']));
});

describe('TLS over real handshakes', () => {
  test('https is spoken where http is written', async () => {
    const { port } = await started(tlsServer(answer, tls));
    expect(await why(`http://127.0.0.1:${port}/`)).toContain(
      'perhaps it speaks TLS; write https:// in place of http://',
    );
  });

  test('http is spoken where https is written', async () => {
    const { port } = await started(plainServer(answer));
    expect(await why(`https://127.0.0.1:${port}/`)).toContain('no TLS is spoken there');
  });

  test('an unknown authority, and the same one named', async () => {
    const { port } = await started(tlsServer(answer, tls));
    expect(await why(`https://127.0.0.1:${port}/`)).toMatch(
      /unknown authority; COVENANT_TLS_CA or NODE_EXTRA_CA_CERTS/,
    );
    expect((await ask(`https://127.0.0.1:${port}/`, withCa)).status).toBe(200);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('a missing client certificate with %s', async (version) => {
    const { port } = await started(tlsServer(answer, { ...mutual, minVersion: version, maxVersion: version }));
    expect(await why(`https://127.0.0.1:${port}/`, withCa)).toMatch(/client certificate.* set COVENANT_TLS_CERT/);
    expect((await ask(`https://127.0.0.1:${port}/`, withClient)).status).toBe(200);
  });

  test('a client certificate of an authority that the target does not know is not called missing', async () => {
    const { port } = await started(tlsServer(answer, mutual));
    const network = { ...direct, tls: { ca: ca.cert, cert: otherClient.cert, key: otherClient.key } };
    expect(await why(`https://127.0.0.1:${port}/`, network)).not.toContain('demands');
  });

  test.each([
    ['The plain HTTP request was sent to HTTPS port', 'write https://'],
    ['No required SSL certificate was sent', 'set COVENANT_TLS_CERT'],
  ])('the page of a front server: %s', async (title, words) => {
    const page = `<html><head><title>400 ${title}</title></head></html>`;
    const { port } = await started(plainServer(async () => new Response(page, { status: 400 })));
    expect(await why(`http://127.0.0.1:${port}/`)).toContain(words);
  });
});

describe('a forward proxy', () => {
  /** The network as the variables of a user make it. */
  const through = (base: string, environment: Record<string, string>) => {
    const { network } = networkFrom(base, {}, variableLookup(environment, []));
    return { ...network, ...withCa };
  };
  let http: Running;
  let https: Running;
  const bases = () => [`http://0.0.0.0:${http.port}`, `https://0.0.0.0:${https.port}`] as const;
  beforeAll(async () => {
    http = await plainServer(answer);
    https = await tlsServer(answer, tls);
    return () => {
      http.close();
      https.close();
    };
  });

  test('plain requests are passed on by it, encrypted ones go through a tunnel', async () => {
    const proxy = await started(forwardProxy());
    const url = `http://127.0.0.1:${proxy.port}`;
    for (const base of bases()) {
      const reply = await ask(`${base}/path?a=b`, through(base, { HTTP_PROXY: url, HTTPS_PROXY: url }));
      expect(reply.status).toBe(200);
    }
    const [plain, encrypted] = bases();
    expect(proxy.asked).toEqual([`GET ${plain}/path?a=b`, `CONNECT ${new URL(encrypted).host}`]);
  });

  test('its password is used, and its absence is named, without showing one', async () => {
    const proxy = await started(forwardProxy('me:secret word'));
    for (const base of bases()) {
      const variable = base.startsWith('https') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
      const withLogin = (login: string) => through(base, { [variable]: `http://${login}127.0.0.1:${proxy.port}` });
      expect((await ask(base, withLogin('me:secret%20word@'))).status).toBe(200);
      for (const login of ['', 'me:secretwrong@', 'me@']) {
        const words = await why(base, withLogin(login));
        expect(words).toContain(`the proxy http://127.0.0.1:${proxy.port} asks for another user and password`);
        expect(words).toContain(variable);
      }
    }
  });

  test.each([
    [403, 'refuses to connect to the target (403)'],
    [502, 'answers 502 in place of connecting'],
    [200, undefined],
  ])('a tunnel that it answers with %d', async (status, words) => {
    const { port } = await started(refusingProxy(status));
    const [, base] = bases();
    const said = await why(base, through(base, { HTTPS_PROXY: `127.0.0.1:${port}` }));
    if (words !== undefined) expect(said).toContain(`the proxy http://127.0.0.1:${port} ${words}`);
  });

  test('a proxy that is not there is not taken for a target that is not', async () => {
    const gone = await forwardProxy();
    gone.close();
    for (const base of bases()) {
      const url = `http://127.0.0.1:${gone.port}`;
      const said = await why(base, through(base, { HTTPS_PROXY: url, HTTP_PROXY: url }));
      expect(said).toBe(`the proxy ${url} cannot be reached: nothing listens there (connection refused)`);
    }
  });

  test('what is wrong behind it is the target’s', async () => {
    const proxy = await started(forwardProxy());
    const [, base] = bases();
    const network = { ...through(base, { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }), tls: {} };
    expect(await why(base, network)).toContain('its TLS certificate');
  });
});

test('a secret header gets its value on the wire only, and a reply that shows it is cleaned', async () => {
  const { port } = await started(plainServer(answer));
  const secrets = { COVENANT_HEADER_X_GATEWAY_KEY: 'secret-of-the-gateway' };
  const reply = await ask(`http://127.0.0.1:${port}/`, { ...direct, secrets });
  expect(seen[0]?.headers.get('x-gateway-key')).toBe('secret-of-the-gateway');
  expect(reply.body).toBe('{"echo":"<COVENANT_HEADER_X_GATEWAY_KEY>"}');
});

test('a request says who sends it, in the words that are configured', async () => {
  const { port } = await started(plainServer(answer));
  const { send, close } = liveTransport();
  const url = `http://127.0.0.1:${port}/`;
  for (const headers of [{}, { 'user-agent': 'ours/1' }])
    await send({ method: 'GET', url, headers }, { timeoutMs: 5000 });
  await close();
  expect(seen.map((request) => request.headers.get('user-agent'))).toEqual([`covenant/${version}`, 'ours/1']);
});
