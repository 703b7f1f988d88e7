// Why no reply came, in words for people: the error codes of undici, OpenSSL and the system.
import type { ForwardProxy } from '../../configuration/proxy.ts';

/** Larger replies count as none, packed or unpacked: no page of 200 records comes near it. */
export const replyBytesMax = 4 * 1024 * 1024;

const wantsCertificate = 'set COVENANT_TLS_CERT and COVENANT_TLS_KEY';
const name = 'COVENANT_TLS_CA or NODE_EXTRA_CA_CERTS can name it';
const noTls = 'no TLS is spoken there (https:// on a port for http://?)';
/** What an https client reads that expects a certificate of ours. */
const demandsCertificate = `it demands a client certificate; ${wantsCertificate}`;
const speaksTls = 'it speaks TLS; write https:// in place of http://';

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'there is no way to that address',
  ENETUNREACH: 'there is no way to that address',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time allowed',
};

const explanations: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was reset',
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_HTTP_REQUEST: noTls,
  EPROTO: 'no TLS that both sides understand is spoken there (https:// on a port for http://?)',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its TLS certificate is self-signed; ${name}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its TLS certificate comes from an unknown authority; ${name}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its TLS certificate comes from an unknown authority; ${name}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its TLS certificate chain is incomplete or from an unknown authority; ${name}`,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: demandsCertificate,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL:
    'it speaks HTTP/2 only; let it, or a proxy before it, speak HTTP/1.1 as well',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: `the TLS handshake failed; where it demands a client certificate, ${wantsCertificate}`,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: `it refuses the client certificate, or demands one; ${wantsCertificate}`,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'it refuses the client certificate, which has expired',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it does not know the authority of the client certificate',
  UND_ERR_SOCKET: 'the connection was closed before a reply came',
  UND_ERR_HEADERS_TIMEOUT: 'no reply within the time allowed',
  UND_ERR_BODY_TIMEOUT: 'the reply broke off in the middle',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the reply broke off in the middle',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the reply are too large',
  ERR_BUFFER_TOO_LARGE: `the unpacked reply is larger than ${replyBytesMax} bytes`,
  ERR_ASSERTION: 'the reply breaks the rules of HTTP',
};

interface Cause {
  readonly code: string;
  readonly message: string;
}

function causeOf(error: Error): Cause {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return {
    code: typeof code === 'string' ? code : '',
    message: cause instanceof Error ? cause.message : String(cause),
  };
}

/** The proxy is the only one that is connected to; behind it, everything is the target's. */
function ofProxy({ shown, where }: ForwardProxy, { code, message }: Cause): string | undefined {
  const said = /^Proxy response \((\d+)\)|Proxy Authentication Required \((407)\)/.exec(message);
  const status = said?.[1] ?? said?.[2];
  const proxy = `the proxy ${shown}`;
  if (status === '407')
    return `${proxy} asks for another user and password; put them into ${where}, as http://user:password@host`;
  if (status === '403')
    return `${proxy} refuses to connect to the target (403); ask for whoever runs it to allow that, or name the host in NO_PROXY`;
  if (status !== undefined)
    return `${proxy} answers ${status} in place of connecting to the target, which it may not reach`;
  const away = unreachable[code];
  return away && `${proxy} cannot be reached: ${away}`;
}

/** One line without line breaks, the same for all failures of its kind. */
export function explain(error: unknown, proxy?: ForwardProxy): string {
  if (!(error instanceof Error)) return String(error);
  const cause = causeOf(error);
  const { code, message } = cause;
  const ofTheProxy = proxy && ofProxy(proxy, cause);
  if (ofTheProxy !== undefined) return ofTheProxy;
  if (code.startsWith('HPE_') || error.name === 'HTTPParserError') return 'the reply breaks the rules of HTTP';
  if (/^(Z_|ERR_BROTLI|ERR__ERROR)/.test(code)) return `the packed reply cannot be unpacked (${code})`;
  // The message of OpenSSL holds addresses in memory, which are others each time.
  if (code.startsWith('ERR_SSL_') && !(code in explanations)) return `the TLS handshake failed (${code})`;
  return unreachable[code] ?? explanations[code] ?? `${message}${code ? ` (${code})` : ''}`;
}

/** What may be meant where the other side hung up without a word; undefined where it said one. */
export function hungUpWords(error: unknown, url: string, hasCertificate: boolean): string | undefined {
  if (!(error instanceof Error) || !/^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE|HPE_\w+)$/.test(causeOf(error).code))
    return undefined;
  if (url.startsWith('http:')) return `perhaps ${speaksTls}`;
  return hasCertificate ? undefined : `perhaps ${demandsCertificate}`;
}

/** What front servers answer in the place of the target where the connection is of the wrong kind. */
const pages: readonly (readonly [RegExp, string])[] = [
  [
    /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL-enabled server port|HTTP request to an HTTPS server/i,
    speaksTls,
  ],
  [/No required SSL certificate was sent/i, demandsCertificate],
  [/The SSL certificate error/i, 'it refuses the client certificate'],
];

/** Why a reply is none of the target's; undefined where it may be. */
export function pageWords(status: number, body: string): string | undefined {
  if (![400, 495, 496, 497].includes(status) || body.length > 4096) return undefined;
  return pages.find(([pattern]) => pattern.test(body))?.[1];
}
