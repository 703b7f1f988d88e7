// A client certificate, its key and an authority of one's own: in PEM, read and checked before anything is sent.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { defined } from '../runtime/defined.ts';
import { unreadable } from '../runtime/disk.ts';
import { type Found, UsageError } from './settings.ts';
import type { Lookup, ReadFile } from './settings-sources.ts';

/** PEM texts. */
export interface TlsFiles {
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
export function tlsFiles(lookup: Lookup, readFile?: ReadFile): TlsFiles | undefined {
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
