// Every member of the envelope broken in every way, on each operation singly: successes, and errors.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import { type OperationId, operationIds, operations } from '../../../lib/catalogue/operations.ts';
import type { Mutant, Wrap } from '../mutant.ts';
import { isObject, type Json, slugOf, without } from '../wrappers/members.ts';
import { onReply, onSuccess } from '../wrappers/mutator.ts';
import { generated } from './collateral.ts';

interface Break {
  readonly name: string;
  readonly breaks: readonly RequirementId[];
  readonly change: (json: Json) => Json;
  readonly fits?: (operation: OperationId) => boolean;
}

const hourMs = 3_600_000;
const later = (timestamp: unknown, ms: number): string => new Date(Date.parse(String(timestamp)) + ms).toISOString();
const isList = (operation: OperationId): boolean => operations[operation].list !== undefined;

const successes: readonly Break[] = [
  {
    name: 'request-id-dropped',
    breaks: ['envelope-request-id-present'],
    change: (json) => without(json, 'request_id'),
  },
  {
    name: 'request-id-empty',
    breaks: ['envelope-request-id-present'],
    change: (json) => ({ ...json, request_id: '' }),
  },
  {
    name: 'request-id-number',
    breaks: ['envelope-request-id-present'],
    change: (json) => ({ ...json, request_id: 7 }),
  },
  {
    name: 'request-id-constant',
    breaks: ['envelope-request-id-unique'],
    change: (json) => ({ ...json, request_id: 'req_always_the_same' }),
  },
  { name: 'timestamp-dropped', breaks: ['envelope-timestamp-format'], change: (json) => without(json, 'timestamp') },
  {
    name: 'timestamp-in-words',
    breaks: ['envelope-timestamp-format'],
    change: (json) => ({ ...json, timestamp: new Date(String(json.timestamp)).toUTCString() }),
  },
  {
    name: 'timestamp-hour-ahead',
    breaks: ['envelope-timestamp-clock'],
    change: (json) => ({ ...json, timestamp: later(json.timestamp, hourMs) }),
  },
  { name: 'data-dropped', breaks: ['envelope-data-present'], change: (json) => without(json, 'data') },
  {
    name: 'data-wrapped',
    breaks: ['envelope-data-kind'],
    change: (json) => ({ ...json, data: Array.isArray(json.data) ? { items: json.data } : [json.data] }),
    // Of these two the document does not say that they answer with an array.
    fits: (operation) => operations[operation].list !== 'perhaps',
  },
  {
    name: 'pagination-added',
    breaks: ['envelope-pagination-absent'],
    change: (json) => ({ ...json, pagination: { total: 1, limit: 50, offset: 0, has_more: false } }),
    fits: (operation) => !isList(operation),
  },
];

const inError = (change: (error: Json) => Json) => (json: Json) =>
  isObject(json.error) ? { ...json, error: change(json.error) } : json;

const errors: readonly Break[] = [
  { name: 'request-id-dropped', breaks: ['errors-body-request-id'], change: (json) => without(json, 'request_id') },
  { name: 'error-text', breaks: ['errors-body-object'], change: (json) => ({ ...json, error: 'no' }) },
  { name: 'code-dropped', breaks: ['errors-body-code'], change: inError((error) => without(error, 'code')) },
  { name: 'message-dropped', breaks: ['errors-body-message'], change: inError((error) => without(error, 'message')) },
];

/** The statuses of the table of errors, except for 429, whose envelope is a duty of its own. */
const named = [400, 401, 403, 404, 422];

const onErrors = (operation: OperationId, change: (json: Json) => Json): Wrap =>
  onReply(operation, (json, _seen, status) => (named.includes(status) ? change(json) : json));

/** Longer, and the standing clock would be as wrong as it is still. */
const standsMs = 299_000;
/** Asked too seldom: nobody sees that its clock stands. */
const seldom: readonly OperationId[] = ['PATCH /me/active-account'];

/** The operation's clock stands still for nearly five minutes, and then jumps. */
const frozen =
  (operation: OperationId): Wrap =>
  (honest, clock) => {
    let told = Number.NaN;
    return onSuccess(operation, (json) => {
      const now = Date.parse(String(json.timestamp));
      if (!(now - told < standsMs)) told = now;
      return { ...json, timestamp: new Date(told).toISOString() };
    })(honest, clock);
  };

export const envelopeMutants: readonly Mutant[] = operationIds.flatMap((operation) => [
  ...successes
    .filter(({ fits = () => true }) => fits(operation))
    .map(({ name, breaks, change }) =>
      generated(`envelope-of-${slugOf(operation)}-${name}`, breaks, onSuccess(operation, change)),
    ),
]);

export const frozenMutants: readonly Mutant[] = operationIds
  .filter((operation) => !seldom.includes(operation))
  .map((operation) =>
    generated(`envelope-of-${slugOf(operation)}-timestamp-frozen`, ['envelope-timestamp-moves'], frozen(operation)),
  );

export const errorMutants: readonly Mutant[] = operationIds
  .filter((operation) => operations[operation].protected)
  .flatMap((operation) =>
    errors.map(({ name, breaks, change }) =>
      generated(`errors-of-${slugOf(operation)}-${name}`, breaks, onErrors(operation, change)),
    ),
  );
