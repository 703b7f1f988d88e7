// Every member of the envelope of successes, and every part of that of errors, broken in every way, one operation at a time.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import { type OperationId, operationIds, operations } from '../../../lib/catalogue/operations.ts';
import type { Mutant, Wrap } from '../mutant.ts';
import { isObject, type Json, onReply, onSuccess, without } from '../wrappers/mutator.ts';
import { generated, type Row, row, slugOf } from './collateral.ts';

type Member = 'request_id' | 'timestamp' | 'data' | 'pagination' | 'error' | 'code' | 'message';

interface Break {
  readonly member: Member;
  readonly way: string;
  readonly breaks: readonly RequirementId[];
  readonly change: (json: Json) => Json;
  readonly fits: (operation: OperationId) => boolean;
}

const broken = (
  member: Member,
  way: string,
  requirement: RequirementId,
  change: Break['change'],
  fits: Break['fits'] = () => true,
): Break => ({ member, way, breaks: [requirement], change, fits });

const dropped = (member: Member) => (json: Json) => without(json, member);
const set = (member: Member, to: (value: unknown) => unknown) => (json: Json) => ({
  ...json,
  [member]: to(json[member]),
});

const hourMs = 3_600_000;
const later = (timestamp: unknown, ms: number): string => new Date(Date.parse(String(timestamp)) + ms).toISOString();
const isList = (operation: OperationId): boolean => operations[operation].list !== undefined;
/** Of the account lists the document does not say that they are arrays, of billing not that it is an object. */
const hasKind = (operation: OperationId): boolean =>
  operations[operation].list !== 'perhaps' && !operation.startsWith('GET /billing/');
const wrapped = (data: unknown): unknown => (Array.isArray(data) ? { items: data } : [data]);

const successes: readonly Break[] = [
  broken('request_id', 'dropped', 'envelope-request-id-present', dropped('request_id')),
  broken(
    'request_id',
    'empty',
    'envelope-request-id-present',
    set('request_id', () => ''),
  ),
  broken(
    'request_id',
    'number',
    'envelope-request-id-present',
    set('request_id', () => 7),
  ),
  broken(
    'request_id',
    'constant',
    'envelope-request-id-unique',
    set('request_id', () => 'req_always_the_same'),
  ),
  broken('timestamp', 'dropped', 'envelope-timestamp-format', dropped('timestamp')),
  broken(
    'timestamp',
    'in-words',
    'envelope-timestamp-format',
    set('timestamp', (time) => new Date(String(time)).toUTCString()),
  ),
  broken(
    'timestamp',
    'hour-ahead',
    'envelope-timestamp-clock',
    set('timestamp', (time) => later(time, hourMs)),
  ),
  broken('data', 'dropped', 'envelope-data-present', dropped('data')),
  broken('data', 'wrapped', 'envelope-data-kind', set('data', wrapped), hasKind),
  broken(
    'pagination',
    'added',
    'envelope-pagination-absent',
    set('pagination', () => ({ total: 1, limit: 50, offset: 0, has_more: false })),
    (operation) => !isList(operation),
  ),
];

const noData = 'without data it cannot be met';
const data = (operation: OperationId, ...red: readonly RequirementId[]): Row<Member, string> => ({
  on: [operation],
  members: ['data'],
  red,
  why: noData,
});

const effects = ['errors-malformed-json-effect', 'authentication-refused-effect'] as const;

const collateral: readonly Row<Member, string>[] = [
  data('GET /me', 'account-me-rate-limits'),
  row(['GET /me'], ['account-me-scopes', 'account-me-caller', 'account-me-slug'], noData, ['data'], ['dropped']),
  data('GET /me/accounts', 'account-accounts-complete'),
  data('POST /api-keys', 'api-keys-label-lengths'),
  data('GET /api-keys', 'api-keys-list-contains', 'api-keys-revoked-unlisted'),
  row(['GET /api-keys'], ['api-keys-list-total'], 'no key is counted', ['data'], ['dropped', 'wrapped']),
  data('DELETE /api-keys/{key_id}', 'api-keys-delete-result'),
  data('POST /auth/validate-api-key', 'api-keys-revoked-validate', 'public-validate-valid'),
  data('GET /companies', 'companies-list-contains', 'pagination-sort-pages', 'pagination-traversal-ends', ...effects),
  data('GET /contacts', 'contacts-list-contains', 'pagination-sort-pages', 'pagination-traversal-ends', ...effects),
  data('POST /companies', 'companies-create-id', 'companies-create-name'),
  data('POST /companies', 'companies-create-type', 'companies-create-fields'),
  data('GET /companies/{company_id}', 'authentication-foreign-write', 'companies-name-lengths', ...effects),
  data('GET /companies/{company_id}', 'companies-read-record', 'companies-edit-effect'),
  data('PATCH /companies/{company_id}', 'companies-edit-reply'),
  data('GET /companies/{company_id}/notes', 'notes-list-contains', 'pagination-traversal-complete'),
  data('POST /companies/{company_id}/notes', 'notes-create-id', 'notes-create-text', 'notes-text-long'),
  data(
    'PATCH /companies/{company_id}/notes/{note_id}',
    'notes-text-characters',
    'notes-edit-reply',
    'idempotency-edit-answer',
  ),
  data('DELETE /companies/{company_id}/notes/{note_id}', 'notes-delete-result'),
  data('POST /contacts', 'contacts-create-type', 'contacts-create-company', 'contacts-create-fields'),
  data('POST /contacts', 'contacts-create-unicode', 'contacts-create-primary', 'contacts-list-record'),
  row(
    ['POST /contacts'],
    ['contacts-phone-national', 'contacts-phone-international', 'contacts-phone-country', 'contacts-phone-several'],
    noData,
    ['data'],
    ['dropped'],
  ),
];

/** Less than the five minutes by which a clock may be wrong: only its standing still is a mistake. */
const standsMs = 299_000;
/** Called too rarely for a run to notice that its clock stands still. */
const seldom: readonly OperationId[] = ['PATCH /me/active-account', 'POST /contacts'];

/** The operation's clock stands still for nearly five minutes, and then jumps. */
const frozen =
  (operation: OperationId): Wrap =>
  (honest, clock) => {
    let shown = Number.NaN;
    return onSuccess(operation, (json) => {
      const now = Date.parse(String(json.timestamp));
      if (!(now - shown < standsMs)) shown = now;
      return { ...json, timestamp: new Date(shown).toISOString() };
    })(honest, clock);
  };

const mutant = (
  kind: 'envelope' | 'errors',
  operation: OperationId,
  one: Omit<Break, 'change' | 'fits'>,
  wrap: Wrap,
): Mutant => {
  const { member, way, breaks } = one;
  const id = `${kind}-of-${slugOf(operation)}-${member.replaceAll('_', '-')}-${way}`;
  return generated({ id, breaks, wrap }, { operation, member, way }, kind === 'errors' ? ofErrors : collateral);
};

export const envelopeMutants: readonly Mutant[] = operationIds.flatMap((operation) =>
  successes
    .filter(({ fits }) => fits(operation))
    .map((one) => mutant('envelope', operation, one, onSuccess(operation, one.change))),
);

const moves = { member: 'timestamp', way: 'frozen', breaks: ['envelope-timestamp-moves'] } as const;

export const frozenMutants: readonly Mutant[] = operationIds
  .filter((operation) => !seldom.includes(operation))
  .map((operation) => mutant('envelope', operation, moves, frozen(operation)));

const inError = (change: Break['change']) => (json: Json) =>
  isObject(json.error) ? { ...json, error: change(json.error) } : json;

const errors: readonly Break[] = [
  broken('request_id', 'dropped', 'errors-body-request-id', dropped('request_id')),
  broken(
    'error',
    'text',
    'errors-body-object',
    set('error', () => 'no'),
  ),
  broken('code', 'dropped', 'errors-body-code', inError(dropped('code'))),
  broken('message', 'dropped', 'errors-body-message', inError(dropped('message'))),
];

/** The statuses of the table of errors, except for 429, whose envelope has requirements of its own. */
const named = [400, 401, 403, 404, 422];

const onErrors = (operation: OperationId, change: Break['change']): Wrap =>
  onReply(operation, (json, _, status) => (named.includes(status) ? change(json) : json));

const guarded = operationIds.filter((operation) => operations[operation].protected);

const ofErrors: readonly Row<Member, string>[] = [
  row(
    guarded,
    ['errors-strange-input-envelope'],
    'the operation refuses undocumented input or a foreign X-Active-Account with the same body',
  ),
  row(
    guarded.filter((operation) => operations[operation].body === true),
    ['errors-malformed-json-envelope'],
    'the operation answers malformed JSON with the same body',
  ),
  row(guarded, ['authentication-refused-code'], 'without a code a 401 does not carry UNAUTHORIZED either', ['code']),
];

export const errorMutants: readonly Mutant[] = guarded.flatMap((operation) =>
  errors.map((one) => mutant('errors', operation, one, onErrors(operation, one.change))),
);
