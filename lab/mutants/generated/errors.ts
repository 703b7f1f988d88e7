// Every part of the error envelope broken, one protected operation at a time.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import { type OperationId, operationIds, operations } from '../../../lib/catalogue/operations.ts';
import type { Mutant, Wrap } from '../mutant.ts';
import { isObject, type Json, onReply, without } from '../wrappers/mutator.ts';
import { generated, type Row, row, slugOf } from './collateral.ts';

type Member = 'request_id' | 'error' | 'code' | 'message';
type Way = 'dropped' | 'text';

interface Break {
  readonly member: Member;
  readonly way: Way;
  readonly breaks: readonly RequirementId[];
  readonly change: (json: Json) => Json;
}

const inError = (change: (error: Json) => Json) => (json: Json) =>
  isObject(json.error) ? { ...json, error: change(json.error) } : json;

const errors: readonly Break[] = [
  {
    member: 'request_id',
    way: 'dropped',
    breaks: ['errors-body-request-id'],
    change: (json) => without(json, 'request_id'),
  },
  { member: 'error', way: 'text', breaks: ['errors-body-object'], change: (json) => ({ ...json, error: 'no' }) },
  { member: 'code', way: 'dropped', breaks: ['errors-body-code'], change: inError((error) => without(error, 'code')) },
  {
    member: 'message',
    way: 'dropped',
    breaks: ['errors-body-message'],
    change: inError((error) => without(error, 'message')),
  },
];

/** The statuses of the table of errors, except for 429, whose envelope has requirements of its own. */
const named = [400, 401, 403, 404, 422];

const onErrors = (operation: OperationId, change: (json: Json) => Json): Wrap =>
  onReply(operation, (json, _seen, status) => (named.includes(status) ? change(json) : json));

const guarded = operationIds.filter((operation) => operations[operation].protected);

const collateral: readonly Row<Member, Way>[] = [
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
  errors.map(({ member, way, breaks, change }) =>
    generated(
      {
        id: `errors-of-${slugOf(operation)}-${member.replaceAll('_', '-')}-${way}`,
        breaks,
        wrap: onErrors(operation, change),
      },
      { operation, member, way },
      collateral,
    ),
  ),
);
