// What holds of a reply whose status the document leaves open: no outage, the error envelope, the codes that are named.
import { isObject, type Json } from '../../wrappers/json.ts';
import type { Kept } from '../condition.ts';
import type { Exchange } from './exchange.ts';

/** What is wrong, in words; undefined: nothing. */
export type Difference = string | undefined;

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};
export const differs = (place: string, honest: unknown, other: unknown): string =>
  `${place} is ${shown(other)} instead of ${shown(honest)}`;
export const statusDiffers = (honest: Kept, other: Kept): string =>
  `the status is ${other.status} instead of ${honest.status}`;

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The statuses that the catalogue names for input that is invalid, but not named with a status. */
const ofInvalid = [400, 422];
const namedCodes: Readonly<Record<number, string>> = { 401: 'UNAUTHORIZED', 429: 'RATE_LIMITED' };
export const isNamedCode = (code: string): boolean => Object.values(namedCodes).includes(code);

function errorFault({ request_id, error }: Json, status: number): Difference {
  if (typeof request_id !== 'string' || request_id === '') return differs('request_id', 'a text', request_id);
  if (!isObject(error)) return differs('error', 'an object', error);
  const wrong = ['code', 'message'].find((name) => typeof error[name] !== 'string' || error[name] === '');
  if (wrong !== undefined) return differs(`error.${wrong}`, 'a text', error[wrong]);
  const code = namedCodes[status] ?? error.code;
  return error.code === code ? undefined : differs('error.code', code, error.code);
}

/** What is wrong with a reply that is not compared with the honest one. */
export function looseFault({ reply, sent }: Exchange, other: Kept): Difference {
  const { status, text } = other;
  const { judged } = sent;
  // bad-json: only the envelope is a must.
  if (status >= 500 && judged !== 'rubbish') return statusDiffers(reply, other);
  if (status < 400 && judged !== 'open') return `it is accepted with ${status} instead of refused`;
  if (judged === 'invalid' && !ofInvalid.includes(status)) return statusDiffers(reply, other);
  const json = parsed(text);
  if (!isObject(json)) return 'the reply is not a JSON object';
  return status < 400 ? undefined : errorFault(json, status);
}
