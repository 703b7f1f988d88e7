// Who signed a piece of evidence, and whether that signature is about this very piece.
import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { at } from '../client/reply.ts';
import type { Report } from '../result.ts';
import { type Envelope, isSignedBy, payloadType, statementIn } from './dsse.ts';
import { fingerprintOf, publicKeyFrom } from './keys.ts';
import { listsOf, predicateType, statementType } from './statement.ts';

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
