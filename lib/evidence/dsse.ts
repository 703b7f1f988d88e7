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
  const texts = [at(value, 'payload'), at(value, 'payloadType'), at(value, 'signatures', 0, 'sig')];
  if (texts.some((one) => typeof one !== 'string')) throw wrong;
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
