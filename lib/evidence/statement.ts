// What is signed: an in-toto Statement about the evidence and the report, with the Test Result predicate; and the keys to sign and to verify with.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { UsageError } from '../configuration/settings.ts';
import type { CaseVerdict, Report } from '../result.ts';
import { counted, sha256 } from '../runtime/text.ts';

/** The type URI as spec/predicates/test-result.md of in-toto/attestation publishes it: readers compare it letter by letter. */
export const predicateType = 'https://in-toto.io/attestation/test-result/v0.1';

export const statementType = 'https://in-toto.io/Statement/v1';

interface Digest {
  readonly sha256: string;
}

export interface Statement {
  readonly _type: typeof statementType;
  readonly subject: readonly { readonly name: string; readonly digest: Digest }[];
  readonly predicateType: typeof predicateType;
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED';
    readonly configuration: readonly { readonly name: string; readonly digest: Digest; readonly annotations: object }[];
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
    /** What is ours, beside what the predicate knows. */
    readonly covenant: {
      readonly verdict: Report['verdict'];
      readonly interface: string;
      readonly target: string;
      readonly run: Report['run'];
      readonly totals: Report['totals'];
      readonly notTested: readonly string[];
      /** So that a fingerprint is enough to verify with. */
      readonly publicKey: string;
    };
  };
}

export interface Signed {
  readonly report: Report;
  readonly code: string;
  /** By file name, SHA-256. */
  readonly files: Readonly<Record<string, string>>;
}

export type Lists = Pick<Statement['predicate'], 'result' | 'passedTests' | 'warnedTests' | 'failedTests'>;

/** A recommendation that is not followed warns; so does what was not judged, and the run is then no pass. */
export function listsOf({ requirements, verdict }: Report): Lists {
  const ids = (fits: (level: string, verdict: CaseVerdict) => boolean): string[] =>
    requirements.filter((one) => fits(one.level, one.verdict)).map(({ id }) => id);
  const warnedTests = ids((level, found) => level === 'should' && found === 'failed');
  const failedTests = ids((level, found) => level === 'must' && found === 'failed');
  const clean = verdict === 'conformant' && warnedTests.length === 0;
  return {
    result: failedTests.length > 0 ? 'FAILED' : clean ? 'PASSED' : 'WARNED',
    passedTests: ids((_, found) => found === 'passed'),
    warnedTests,
    failedTests,
  };
}

export function statementOf({ report, code, files }: Signed, key: KeyObject): Statement {
  const { suite, run, target, totals, verdict, requirements } = report;
  const undecided: readonly CaseVerdict[] = ['not-tested', 'inconclusive'];
  return {
    _type: statementType,
    subject: Object.entries(files).map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType,
    predicate: {
      ...listsOf(report),
      configuration: [
        {
          name: 'covenant-conformance',
          digest: { sha256: code },
          annotations: { version: suite.version, catalogue: suite.catalogue, options: run.options },
        },
      ],
      covenant: {
        verdict,
        interface: target.interface,
        target: target.base_url,
        run,
        totals,
        notTested: requirements.filter((one) => undecided.includes(one.verdict)).map(({ id }) => id),
        publicKey: publicPem(key),
      },
    },
  };
}

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

const publicPem = (key: KeyObject): string =>
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
