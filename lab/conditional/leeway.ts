// What the document leaves to a server: replies that differ from the honest one and are lawful.
import { isObject, parsed } from '../mutants/wrappers/mutator.ts';
import type { Kept } from './condition.ts';
import type { Exchange, Given, Translate } from './exchange.ts';

/** What is wrong, in words; undefined: nothing. */
export type Difference = string | undefined;

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};
export const differs = (place: string, honest: unknown, other: unknown): string =>
  `${place} is ${shown(other)} instead of ${shown(honest)}`;

const namedCodes: Readonly<Record<number, string>> = { 401: 'UNAUTHORIZED', 429: 'RATE_LIMITED' };
export const isNamedCode = (code: string): boolean => Object.values(namedCodes).includes(code);

export const isSuccess = ({ status }: Kept): boolean => status < 300;

/** What is wrong with a reply whose status the document leaves open. */
export function looseFault({ status, text }: Kept): Difference {
  const json = parsed(text);
  if (!isObject(json)) return 'the reply is not a JSON object';
  if (status < 400) return undefined;
  const { request_id, error } = json;
  if (typeof request_id !== 'string' || request_id === '') return differs('request_id', 'a text', request_id);
  if (!isObject(error)) return differs('error', 'an object', error);
  const wrong = ['code', 'message'].find((name) => typeof error[name] !== 'string' || error[name] === '');
  if (wrong !== undefined) return differs(`error.${wrong}`, 'a text', error[wrong]);
  const code = namedCodes[status] ?? error.code;
  return error.code === code ? undefined : differs('error.code', code, error.code);
}

const invalid = [400, 413, 422];

/** Other statuses that are lawful as well, by the ruling that is named. */
type Leeway = readonly [where: (exchange: Exchange) => boolean, statuses: readonly number[]];

const ofRefusals: readonly Leeway[] = [
  // refusal-status: what is invalid may be refused with either.
  [({ reply }) => invalid.includes(reply.status), invalid],
  // scope-evidence: whoever has no account stored may be refused for that first, wherever one is needed.
  [({ reply, sent }) => reply.status === 403 && sent.who === 'COVENANT_JWT_NO_ACCOUNT', invalid],
  // foreign-keys: a key of others is not there, or not theirs, or was not deleted.
  [({ reply, operation }) => reply.status === 404 && operation === 'DELETE /api-keys/{key_id}', [200, 403]],
  // otherwise-valid: what has a second defect may be refused for that.
  [({ reply, sent }) => reply.status === 404 && sent.body !== undefined, invalid],
];

const ofSuccesses: readonly Leeway[] = [
  // No ruling: a wrapper that limits the metered account asks who somebody is, which is a read or two.
  [({ sent }) => sent.method === 'GET' && sent.who.startsWith('COVENANT_RATE_API_KEY'), [429]],
  // idempotency-levels: what a repeat is answered is promised of notes only.
  [({ sent }) => sent.repeat, [409]],
  [({ sent, operation }) => sent.repeat && !operation.includes('/notes'), invalid],
  // key-creation-off: who has few rights may not make keys.
  [({ operation, sent }) => operation === 'POST /api-keys' && sent.who === 'COVENANT_API_KEY_RESTRICTED', [403]],
  // company-edit-body, sort-values: which body an edit takes, and which sorts there are, is not shown.
  [({ operation }) => operation === 'PATCH /companies/{company_id}', invalid],
  [({ sent }) => /[?&]sort=/.test(sent.path), invalid],
  // note-text-kept: texts of more than 1,000 characters may be refused.
  [({ sent, operation }) => operation.includes('/notes') && (sent.body?.length ?? 0) > 1_000, invalid],
];

// active-account-header: a key stays where it is, and may be refused with the header.
const ofBoth: Leeway = [
  ({ sent }) => 'x-active-account' in sent.headers && !sent.who.includes('JWT'),
  [400, 403, 404, 422],
];

export const alsoOf = (exchange: Exchange): readonly number[] =>
  [ofBoth, ...(isSuccess(exchange.reply) ? ofSuccesses : ofRefusals)].flatMap(([where, statuses]) =>
    where(exchange) ? statuses : [],
  );

/** idempotency-levels: that a repeat makes no second record is a must for notes only. */
const creations: Readonly<Record<string, Given>> = { 'POST /companies': 'company', 'POST /contacts': 'contact' };

const idIn = (json: unknown): unknown => (isObject(json) && isObject(json.data) ? json.data.id : undefined);

/** Whether the other server has lawfully gone another way, and now holds other records: nothing can be compared from here on. */
export function goesAnotherWay(exchange: Exchange, other: Kept, value: Translate): boolean {
  const { sent, operation, reply, json } = exchange;
  if (sent.method === 'GET') return false;
  if (!sent.repeat)
    return isSuccess(reply) !== isSuccess(other) && (sent.open || alsoOf(exchange).includes(other.status));
  const kind = creations[operation];
  return kind !== undefined && isSuccess(other) && value(kind, String(idIn(json))) !== String(idIn(parsed(other.text)));
}
