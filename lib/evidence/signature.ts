// Who signed evidence, and whether the signature belongs to these files.
import { type KeyObject, sign, verify } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { at } from '../client/reply.ts';
import { UsageError } from '../configuration/settings.ts';
import type { Report } from '../result.ts';
import { fingerprintOf, listsOf, predicateType, publicKeyFrom, statementType } from './statement.ts';

/** Whom the signature must be by: somebody's key, or its fingerprint. */
export type Expected = { readonly key: KeyObject } | { readonly fingerprint: string };

export interface Signature {
  /** Fingerprint of the key that signed; absent where that cannot be said. */
  readonly signer?: string;
  /** What is wrong with it, a sentence each. */
  readonly troubles: readonly string[];
}

function embeddedKey(statement: unknown): KeyObject | undefined {
  const pem = at(statement, 'predicate', 'covenant', 'publicKey');
  try {
    return typeof pem === 'string' ? publicKeyFrom(pem, 'the signature') : undefined;
  } catch {
    return undefined;
  }
}

/** As keygen prints it. */
const written = (fingerprint: string): string => `sha256:${fingerprint}`;

const named = (expected: Expected): string => ('key' in expected ? fingerprintOf(expected.key) : expected.fingerprint);

/** What it says of the files, held against the files: by what is in them, since whoever hands them on may name them otherwise. */
function about(statement: unknown, files: Readonly<Record<string, string>>): string[] {
  const subjects = at(statement, 'subject');
  const digests = Array.isArray(subjects) ? subjects.map((one) => at(one, 'digest', 'sha256')) : [];
  return Object.entries(files).flatMap(([name, sha256]) =>
    digests.includes(sha256) ? [] : [`what was signed is not this ${name}`],
  );
}

export interface Examined {
  readonly envelope: Envelope | undefined;
  readonly expected?: Expected;
  /** SHA-256 of each, by the name under which it is known here. */
  readonly files: Readonly<Record<string, string>>;
  /** What follows from the evidence. */
  readonly report?: Report;
}

/** Without an expected key it is said who signed, and not whether that is anybody to trust. */
export function examineSignature({ envelope, expected, files, report }: Examined): Signature {
  if (envelope === undefined) return { troubles: expected ? ['it is not signed, and a signer was named'] : [] };
  const statement = statementIn(envelope);
  const key = expected && 'key' in expected ? expected.key : embeddedKey(statement);
  if (key === undefined) return { troubles: ['the signature names no public key; give it with --key FILE'] };
  const signer = fingerprintOf(key);
  if (expected && named(expected) !== signer) {
    return { signer, troubles: [`it is signed by ${written(signer)}, not by ${written(named(expected))}`] };
  }
  if (!isSignedBy(envelope, key)) {
    const theirs = embeddedKey(statement);
    const other = theirs && isSignedBy(envelope, theirs) ? fingerprintOf(theirs) : undefined;
    return other === undefined
      ? { troubles: [`the signature is not one by ${written(signer)} of what it stands under`] }
      : { signer: other, troubles: [`it is signed by ${written(other)}, not by ${written(signer)}`] };
  }
  const types = [envelope.payloadType, at(statement, '_type'), at(statement, 'predicateType')];
  const right = isDeepStrictEqual(types, [payloadType, statementType, predicateType]);
  const lists = report && listsOf(report);
  const said = {
    ...lists,
    ...Object.fromEntries(Object.keys(lists ?? {}).map((part) => [part, at(statement, 'predicate', part)])),
  };
  return {
    signer,
    troubles: [
      ...(right ? [] : ['what is signed is no test result in the form of in-toto']),
      ...about(statement, files),
      ...(lists === undefined || isDeepStrictEqual(said, lists)
        ? []
        : ['what was signed as the result does not follow']),
    ],
  };
}

const payloadType = 'application/vnd.in-toto+json';

export interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** What is signed: the type and the payload, each with its length, so that neither can pass for a part of the other. */
function preAuthentication(type: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
}

export function envelopeOf(statement: unknown, key: KeyObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign(null, preAuthentication(payloadType, payload), key).toString('base64');
  return { payload: payload.toString('base64'), payloadType, signatures: [{ keyid: fingerprintOf(key), sig }] };
}

/** In either alphabet, as DSSE allows; what a reader would have to pass over is none. */
const isBase64 = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:[\w-]+|[A-Za-z\d+/]+)={0,2}$/.test(value);

/** @throws UsageError where the text is no such envelope. */
export function envelopeFrom(text: string, where: string): Envelope {
  const wrong = new UsageError(
    `${where} is no DSSE envelope; give the evidence.dsse.json that covenant sign has written.`,
  );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong;
  }
  const signatures = at(value, 'signatures');
  const packed = Array.isArray(signatures) ? signatures.map((one) => at(one, 'sig')) : [];
  const isWhole = [at(value, 'payload'), ...packed].every(isBase64) && typeof at(value, 'payloadType') === 'string';
  if (packed.length === 0 || !isWhole) throw wrong;
  return value as Envelope;
}

/** Whether any of its signatures is by this key. */
function isSignedBy({ payload, payloadType: type, signatures }: Envelope, key: KeyObject): boolean {
  const signed = preAuthentication(type, Buffer.from(payload, 'base64'));
  return signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, 'base64')));
}

/** The statement inside; undefined where it is not JSON. */
function statementIn({ payload }: Envelope): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}
