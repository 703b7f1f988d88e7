// Every member of the envelope of successes broken in every way, one operation at a time.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import { type OperationId, operationIds, operations } from '../../../lib/catalogue/operations.ts';
import type { Mutant, Wrap } from '../mutant.ts';
import { type Json, onSuccess, without } from '../wrappers/mutator.ts';
import { generated, type Row, row, slugOf } from './collateral.ts';

type Member = 'request_id' | 'timestamp' | 'data' | 'pagination';

interface Break {
  readonly member: Member;
  readonly way: string;
  readonly breaks: readonly RequirementId[];
  readonly change: (json: Json) => Json;
  readonly fits?: (operation: OperationId) => boolean;
}

const hourMs = 3_600_000;
const later = (timestamp: unknown, ms: number): string => new Date(Date.parse(String(timestamp)) + ms).toISOString();
const isList = (operation: OperationId): boolean => operations[operation].list !== undefined;

const successes: readonly Break[] = [
  {
    member: 'request_id',
    way: 'dropped',
    breaks: ['envelope-request-id-present'],
    change: (json) => without(json, 'request_id'),
  },
  {
    member: 'request_id',
    way: 'empty',
    breaks: ['envelope-request-id-present'],
    change: (json) => ({ ...json, request_id: '' }),
  },
  {
    member: 'request_id',
    way: 'number',
    breaks: ['envelope-request-id-present'],
    change: (json) => ({ ...json, request_id: 7 }),
  },
  {
    member: 'request_id',
    way: 'constant',
    breaks: ['envelope-request-id-unique'],
    change: (json) => ({ ...json, request_id: 'req_always_the_same' }),
  },
  {
    member: 'timestamp',
    way: 'dropped',
    breaks: ['envelope-timestamp-format'],
    change: (json) => without(json, 'timestamp'),
  },
  {
    member: 'timestamp',
    way: 'in-words',
    breaks: ['envelope-timestamp-format'],
    change: (json) => ({ ...json, timestamp: new Date(String(json.timestamp)).toUTCString() }),
  },
  {
    member: 'timestamp',
    way: 'hour-ahead',
    breaks: ['envelope-timestamp-clock'],
    change: (json) => ({ ...json, timestamp: later(json.timestamp, hourMs) }),
  },
  { member: 'data', way: 'dropped', breaks: ['envelope-data-present'], change: (json) => without(json, 'data') },
  {
    member: 'data',
    way: 'wrapped',
    breaks: ['envelope-data-kind'],
    change: (json) => ({ ...json, data: Array.isArray(json.data) ? { items: json.data } : [json.data] }),
    // Of the account lists the document does not say that they are arrays, of billing not that it is an object.
    fits: (operation) => operations[operation].list !== 'perhaps' && !operation.startsWith('GET /billing/'),
  },
  {
    member: 'pagination',
    way: 'added',
    breaks: ['envelope-pagination-absent'],
    change: (json) => ({ ...json, pagination: { total: 1, limit: 50, offset: 0, has_more: false } }),
    fits: (operation) => !isList(operation),
  },
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

const broken = (operation: OperationId, { member, way, breaks }: Omit<Break, 'change'>, wrap: Wrap): Mutant => {
  const id = `envelope-of-${slugOf(operation)}-${member.replaceAll('_', '-')}-${way}`;
  return generated({ id, breaks, wrap }, { operation, member, way }, collateral);
};

export const envelopeMutants: readonly Mutant[] = operationIds.flatMap((operation) =>
  successes
    .filter(({ fits = () => true }) => fits(operation))
    .map((one) => broken(operation, one, onSuccess(operation, one.change))),
);

const moves = { member: 'timestamp', way: 'frozen', breaks: ['envelope-timestamp-moves'] } as const;

export const frozenMutants: readonly Mutant[] = operationIds
  .filter((operation) => !seldom.includes(operation))
  .map((operation) => broken(operation, moves, frozen(operation)));
