// How the target is reached: a proxy, certificates, HTTP/2, headers for gateways; each checked before anything is sent.
import { defined } from '../runtime/defined.ts';
import { type ExtraHeaders, extraHeaders, type HeaderFlags } from './headers.ts';
import { type ForwardProxy, proxyFor } from './proxy.ts';
import { UsageError } from './settings.ts';
import type { Lookup, ReadFile } from './settings-sources.ts';
import { type TlsFiles, tlsFiles } from './tls.ts';

export interface NetworkSettings {
  readonly proxy?: ForwardProxy;
  readonly tls?: TlsFiles;
  readonly http2: boolean;
  /** What stands in for each value in all that is kept: the password of the proxy, headers for gateways. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Straight to the target, as the bundled reference is reached. */
export const direct: NetworkSettings = { http2: false, secrets: {} };

export interface NetworkFlags extends HeaderFlags {
  readonly http2?: boolean;
  /** The URL of a forward proxy for this target, whatever the variables say. */
  readonly proxy?: string;
}

interface Reached extends Pick<ExtraHeaders, 'headers'> {
  readonly network: NetworkSettings;
  readonly notices: readonly string[];
}

/**
 * The way to a target and the headers that go with each request.
 * @throws UsageError on what cannot be used.
 */
export function networkFrom(baseUrl: string, flags: NetworkFlags, lookup: Lookup, readFile?: ReadFile): Reached {
  const url = new URL(baseUrl);
  const proxy = proxyFor(url, lookup, flags.proxy);
  const tls = tlsFiles(lookup, readFile);
  const { headers, secrets } = extraHeaders(flags, lookup);
  const plain = url.protocol === 'http:';
  if (flags.http2 && plain)
    throw new UsageError(
      '--http2 needs TLS, and the base URL begins with http://; write https://, or leave --http2 off.',
    );
  const notices =
    tls && plain
      ? ['certificates are configured (COVENANT_TLS_...), and not used: the base URL begins with http://.']
      : [];
  const hidden =
    proxy?.password === undefined ? secrets : { ...secrets, [`${proxy.variable}_PASSWORD`]: proxy.password };
  return { network: { http2: flags.http2 ?? false, secrets: hidden, ...defined({ proxy, tls }) }, headers, notices };
}

/** The way in one line for people, without any secret; empty where it is straight. */
export function describeNetwork({ proxy, tls, http2 }: NetworkSettings): string {
  const parts = [
    proxy && `through the proxy ${proxy.shown} (${proxy.where})`,
    tls?.cert && 'with the client certificate of COVENANT_TLS_CERT',
    tls?.ca && 'trusting the authority of COVENANT_TLS_CA',
    http2 && 'with HTTP/2 where it is offered',
  ];
  return parts.filter(Boolean).join(', ');
}
