// Ed25519 keys as PEM, each refused in one sentence where it is none.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { UsageError } from '../configuration/settings.ts';
import { counted, sha256 } from '../runtime/text.ts';

const digitsOfSha256 = 64;
const make = 'covenant keygen makes one';

function parsed(pem: string, where: string, read: (pem: string) => KeyObject): KeyObject {
  try {
    return read(pem);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const locked = code === 'ERR_MISSING_PASSPHRASE' || /ENCRYPTED/.test(pem);
    throw new UsageError(
      locked
        ? `The key in ${where} is encrypted; decrypt it first, or keep it in COVENANT_SIGNING_KEY.`
        : `There is no key in PEM in ${where}; ${make}.`,
    );
  }
}

function ofRightKind(key: KeyObject, where: string): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new UsageError(`The key in ${where} is of the kind ${key.asymmetricKeyType}, not Ed25519; ${make}.`);
}

/** In variables of CI systems line breaks are often written as \n. */
const withLines = (pem: string): string => pem.replaceAll('\\n', '\n').trim();

/** @throws UsageError where it is no private Ed25519 key in PKCS#8 PEM. */
export function privateKeyFrom(pem: string, where: string): KeyObject {
  if (/BEGIN PUBLIC KEY/.test(pem)) {
    throw new UsageError(`The key in ${where} is a public one; sign with the private key that belongs to it.`);
  }
  return ofRightKind(parsed(withLines(pem), where, createPrivateKey), where);
}

/** @throws UsageError where it is no public Ed25519 key in PEM. */
export function publicKeyFrom(pem: string, where: string): KeyObject {
  if (/PRIVATE KEY/.test(pem)) {
    throw new UsageError(`The key in ${where} is a private one; verify with the public key that belongs to it.`);
  }
  return ofRightKind(parsed(withLines(pem), where, createPublicKey), where);
}

export const publicPem = (key: KeyObject): string =>
  (key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'pem' }).toString();

/** SHA-256 of the public key (SPKI, DER) in hexadecimal. */
export const fingerprintOf = (key: KeyObject): string =>
  sha256((key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' }));

/**
 * A fingerprint as people hand it on: with or without its algorithm before it, in whatever letter case.
 * @throws UsageError where it is cut short.
 */
export function fingerprintIn(text: string): string | undefined {
  const found = /^(sha256:)?([0-9a-f]*)$/i.exec(text.trim());
  const [, algorithm, digits = ''] = found ?? [];
  if (digits.length === digitsOfSha256) return digits.toLowerCase();
  if (algorithm === undefined) return undefined;
  throw new UsageError(
    `The fingerprint ${text} has ${counted(digits.length, 'digit')}, not ${digitsOfSha256}; copy all of it, or name the file of the public key.`,
  );
}
