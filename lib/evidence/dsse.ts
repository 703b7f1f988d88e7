// A DSSE envelope (Dead Simple Signing Envelope, version 1) round an in-toto Statement, signed with Ed25519.
import { type KeyObject, sign, verify } from 'node:crypto';
import { at } from '../client/reply.ts';
import { UsageError } from '../configuration/settings.ts';
import { fingerprintOf } from './keys.ts';

export const payloadType = 'application/vnd.in-toto+json';

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
export function isSignedBy({ payload, payloadType: type, signatures }: Envelope, key: KeyObject): boolean {
  const signed = preAuthentication(type, Buffer.from(payload, 'base64'));
  return signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, 'base64')));
}

/** The statement inside; undefined where it is not JSON. */
export function statementIn({ payload }: Envelope): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}
