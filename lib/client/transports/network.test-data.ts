// Servers for tests of the way to a target: TLS, a forward proxy, and certificates made by openssl.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { createProxy } from 'proxy';
import { requestListener } from '../../../lab/over-http.ts';
import type { Handler } from './handler.ts';

export interface Running {
  readonly port: number;
  close(): void;
}

async function running(server: Server, host: string): Promise<Running> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, host);
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Reachable as 0.0.0.0 too, which is an address that proxies are asked for. */
const everywhere = '0.0.0.0';

export const plainServer = (handler: Handler) => running(createServer(requestListener(handler)), everywhere);
export const tlsServer = (handler: Handler, options: TlsOptions) =>
  running(createTlsServer(options, requestListener(handler)), everywhere);

export interface RunningProxy extends Running {
  /** What it was asked to do: methods and addresses. */
  readonly asked: readonly string[];
}

/** With `login`, it asks for that user and password. */
export async function forwardProxy(login?: string): Promise<RunningProxy> {
  const server = createServer();
  const asked: string[] = [];
  const note = ({ method, url }: { method?: string | undefined; url?: string | undefined }) =>
    asked.push(`${method} ${url}`);
  server.on('request', note);
  server.on('connect', note);
  const proxy = createProxy(server);
  if (login !== undefined) {
    const wanted = `Basic ${Buffer.from(login).toString('base64')}`;
    proxy.authenticate = (request) => request.headers['proxy-authorization'] === wanted;
  }
  return { ...(await running(proxy, '127.0.0.1')), asked };
}

/** A proxy that answers every request for a tunnel with this status. */
export async function refusingProxy(status: number): Promise<Running> {
  const server = createServer((_, response) => response.writeHead(status).end());
  server.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
  return running(server, '127.0.0.1');
}

export interface Pair {
  /** PEM texts, and the files that hold them. */
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const openssl = (...words: string[]): void => {
  execFileSync('openssl', words, { stdio: ['ignore', 'ignore', 'pipe'] });
};

const pairOf = (certFile: string, keyFile: string): Pair => ({
  cert: readFileSync(certFile, 'utf8'),
  key: readFileSync(keyFile, 'utf8'),
  certFile,
  keyFile,
});

const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];

function authority(folder: string, name: string): Pair {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key.pem`)];
  openssl('req', '-x509', ...keyOptions, '-keyout', key, '-out', cert, '-days', '2', '-subj', `/CN=${name}`);
  return pairOf(cert, key);
}

function issued(folder: string, name: string, by: Pair, extension: string): Pair {
  const [cert, key, request] = ['pem', 'key.pem', 'csr'].map((end) => join(folder, `${name}.${end}`)) as [
    string,
    string,
    string,
  ];
  const extensions = join(folder, `${name}.ext`);
  writeFileSync(extensions, `${extension}\n`);
  openssl('req', '-new', ...keyOptions, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
  const signing = ['-CA', by.certFile, '-CAkey', by.keyFile, '-CAcreateserial', '-days', '2', '-extfile', extensions];
  openssl('x509', '-req', '-in', request, '-out', cert, ...signing);
  return pairOf(cert, key);
}

/** All in a folder of their own in the system's folder for temporary files. */
export function certificates() {
  const folder = mkdtempSync(join(tmpdir(), 'covenant-tls-'));
  const ca = authority(folder, 'authority');
  const unknown = authority(folder, 'another-authority');
  return {
    folder,
    ca,
    server: issued(folder, 'server', ca, 'subjectAltName=IP:127.0.0.1,IP:0.0.0.0,DNS:localhost'),
    client: issued(folder, 'client', ca, 'extendedKeyUsage=clientAuth'),
    otherClient: issued(folder, 'other-client', unknown, 'extendedKeyUsage=clientAuth'),
  };
}
