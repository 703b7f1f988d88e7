// How the target is reached: a proxy, certificates, headers for gateways; each checked before anything is sent.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { defined } from '../runtime/defined.ts';
import { unreadable } from '../runtime/disk.ts';
import { type ForwardProxy, proxyFor } from './proxy.ts';
import { type Found, UsageError } from './settings.ts';
import type { Lookup, ReadFile } from './settings-sources.ts';
import { headerPrefix, isHeaderVariable } from './variables.ts';

export interface NetworkSettings {
  readonly proxy?: ForwardProxy;
  readonly tls?: TlsFiles;
  /** What stands in for each value in all that is kept: the password of the proxy, headers for gateways. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Straight to the target, as the bundled reference is reached. */
export const direct: NetworkSettings = { secrets: {} };

export interface NetworkFlags {
  /** `NAME: VALUE` each. */
  readonly header?: readonly string[];
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
  const proxy = proxyFor(url, lookup);
  const tls = tlsFiles(lookup, readFile);
  const { headers, secrets } = extraHeaders(flags, lookup);
  const plain = url.protocol === 'http:';
  const notices =
    tls && plain
      ? ['certificates are configured (COVENANT_TLS_...), and not used: the base URL begins with http://.']
      : [];
  const hidden =
    proxy?.password === undefined ? secrets : { ...secrets, [`${proxy.variable}_PASSWORD`]: proxy.password };
  return { network: { secrets: hidden, ...defined({ proxy, tls }) }, headers, notices };
}

/** The way in one line for people, without any secret; empty where it is straight. */
export function describeNetwork({ proxy, tls }: NetworkSettings): string {
  const parts = [
    proxy && `through the proxy ${proxy.shown} (${proxy.where})`,
    tls?.cert && 'with the client certificate of COVENANT_TLS_CERT',
    tls?.ca && 'trusting the authority of COVENANT_TLS_CA',
  ];
  return parts.filter(Boolean).join(', ');
}

interface ExtraHeaders {
  /** Values as they are kept: each as its name in angle brackets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The secret values by these names. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The interface's own headers are what is tested; the others belong to the connection. */
const refused: Readonly<Record<string, string>> = {
  authorization: 'is the interface’s own; put the credential into COVENANT_API_KEY',
  'x-origin-app': 'is the interface’s own; set COVENANT_ORIGIN_APP',
  'content-type': 'is the interface’s own, and the suite sets it',
  'idempotency-key': 'is the interface’s own, and the suite sets it',
  'x-active-account': 'is the interface’s own, and the suite sets it',
  accept: 'is set by the suite',
  'proxy-authorization': 'goes to a proxy; put user and password into HTTPS_PROXY',
};
const connection =
  /^(?:connection|content-length|expect|host|http2-settings|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

interface Given extends Found {
  readonly name: string;
}

/** What stands in front of the first colon; empty where there is none, because that may be a secret. */
const nameOfHeader = (text: string): string =>
  text
    .slice(0, Math.max(0, text.indexOf(':')))
    .trim()
    .toLowerCase();

function fromFlag(text: string): Given {
  const name = nameOfHeader(text);
  if (name === '')
    throw new UsageError("--header needs a name, a colon and a value, like --header 'X-Gateway-Key: ...'.");
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))
    throw new UsageError('The name in front of the colon of a --header is not one of a header.');
  return { name, value: text.slice(text.indexOf(':') + 1).trim(), where: `--header ${name}` };
}

function fromVariable(name: string, lookup: Lookup): Given[] {
  const found = lookup(name);
  const header = name.slice(headerPrefix.length).toLowerCase().replaceAll('_', '-');
  return found ? [{ ...found, name: header }] : [];
}

function checked({ name, value, where }: Given): void {
  const why =
    refused[name] ?? (connection.test(name) ? 'belongs to the connection, and no setting changes it' : undefined);
  if (why !== undefined) throw new UsageError(`The header ${name} (${where}) ${why}.`);
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value))
    throw new UsageError(
      `The value of the header ${name} (${where}) is empty or cannot be sent; use plain ASCII without line breaks.`,
    );
}

const standIn = (name: string): string => `${headerPrefix}${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/**
 * All headers that are given, a flag before a variable.
 * @throws UsageError on one of the interface's own, on one that cannot be sent, and on one that is given twice.
 */
function extraHeaders({ header = [] }: NetworkFlags, lookup: Lookup): ExtraHeaders {
  const flags = header.map(fromFlag);
  const byFlag = new Set(flags.map(({ name }) => name));
  const variables = lookup.names.filter(isHeaderVariable).flatMap((name) => fromVariable(name, lookup));
  const headers: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const given of [...flags, ...variables.filter(({ name }) => !byFlag.has(name))]) {
    checked(given);
    if (headers[given.name] !== undefined)
      throw new UsageError(`The header ${given.name} is given twice (${given.where}); leave one out.`);
    headers[given.name] = `<${standIn(given.name)}>`;
    secrets[standIn(given.name)] = given.value;
  }
  return { headers, secrets };
}

/** PEM texts. */
interface TlsFiles {
  readonly cert?: string;
  readonly key?: string;
  /** Trusted besides the authorities that Node trusts. */
  readonly ca?: string;
}

interface Pem {
  readonly text: string;
  /** File and setting, for people. */
  readonly name: string;
}

/** Whether a setting holds the text itself where a path is usual: as secrets of CI services do. */
const isPemText = (value: string): boolean => value.includes('-----BEGIN ');

function pem(found: Found | undefined, readFile: ReadFile | undefined): Pem | undefined {
  if (found === undefined) return undefined;
  if (isPemText(found.value)) return { text: found.value, name: `The text in ${found.where}` };
  if (readFile === undefined) throw new UsageError(`${found.where} names a file, and files are not read here.`);
  const name = `${found.value} (${found.where})`;
  try {
    return { text: readFile(found.value), name };
  } catch (error) {
    throw new UsageError(unreadable(name, error));
  }
}

function certificate({ text, name }: Pem): X509Certificate {
  if (/-----BEGIN [\w ]*PRIVATE KEY-----/.test(text) && !/BEGIN CERTIFICATE/.test(text))
    throw new UsageError(`${name} holds a private key, but a certificate belongs there.`);
  try {
    return new X509Certificate(text);
  } catch {
    throw new UsageError(
      `${name} is not a certificate in PEM (-----BEGIN CERTIFICATE-----); convert it with openssl x509.`,
    );
  }
}

function privateKey({ text, name }: Pem): KeyObject {
  if (/ENCRYPTED/.test(text)) throw new UsageError(`${name} is protected by a passphrase; name a key without one.`);
  try {
    return createPrivateKey(text);
  } catch {
    throw new UsageError(
      `${name} is not a private key in PEM (-----BEGIN PRIVATE KEY-----); convert it with openssl pkey.`,
    );
  }
}

/**
 * What COVENANT_TLS_CERT, COVENANT_TLS_KEY and COVENANT_TLS_CA name; undefined where none is set.
 * @throws UsageError on a file that cannot be read or is something else, and on a key that is not the certificate's.
 */
function tlsFiles(lookup: Lookup, readFile?: ReadFile): TlsFiles | undefined {
  const cert = pem(lookup('COVENANT_TLS_CERT'), readFile);
  const key = pem(lookup('COVENANT_TLS_KEY'), readFile);
  const ca = pem(lookup('COVENANT_TLS_CA'), readFile);
  if (ca) certificate(ca);
  if (cert && !key)
    throw new UsageError(
      'COVENANT_TLS_CERT is set, but COVENANT_TLS_KEY is not; set it to the key of that certificate.',
    );
  if (key && !cert)
    throw new UsageError(
      'COVENANT_TLS_KEY is set, but COVENANT_TLS_CERT is not; set it to the certificate of that key.',
    );
  if (cert && key && !certificate(cert).checkPrivateKey(privateKey(key)))
    throw new UsageError(`${key.name} is not the key of ${cert.name}; name the pair that belongs together.`);
  if (!cert && !ca) return undefined;
  return defined({ cert: cert?.text, key: key?.text, ca: ca?.text });
}
