// undici's agent for the way to a target: straight or through a proxy, with certificates, HTTP/1.1 or HTTP/2.
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, ProxyAgent } from 'undici/index.js';
import type { NetworkSettings } from '../../configuration/network.ts';
import { defined } from '../../runtime/defined.ts';

/** Enough for the largest burst of simultaneous requests; one request a connection at a time. */
const connectionsMax = 64;
const keepAliveMs = 10_000;

/** Whoever names an authority wants it besides the usual ones, which Node would otherwise forget. */
function tlsOptions({ tls, http2 }: NetworkSettings) {
  const { cert, key, ca } = tls ?? {};
  return { allowH2: http2, ...defined({ cert, key, ca: ca === undefined ? undefined : [...rootCertificates, ca] }) };
}

const credentialsOf = (proxy: URL): string | undefined =>
  proxy.username === ''
    ? undefined
    : `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}`;

export function dispatcherFor(network: NetworkSettings): Dispatcher {
  const options = { connections: connectionsMax, pipelining: 1, keepAliveTimeout: keepAliveMs, allowH2: network.http2 };
  const tls = tlsOptions(network);
  if (network.proxy === undefined) return new Agent({ ...options, connect: tls });
  const url = new URL(network.proxy.url);
  const { ca } = tls;
  return new ProxyAgent({
    ...options,
    uri: `${url.protocol}//${url.host}`,
    ...defined({ token: credentialsOf(url) }),
    requestTls: tls,
    ...(ca && { proxyTls: { ca } }),
    // Where nothing is encrypted there is nothing to tunnel, and many proxies refuse to.
    proxyTunnel: false,
  });
}
