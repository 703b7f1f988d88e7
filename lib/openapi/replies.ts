// The replies of the OpenAPI description: the success of an operation with its envelope, and every error that it may answer.
import { type Listing, type Operation, type OperationId, operations } from '../catalogue/operations.ts';
import type { SchemaName } from '../schema/schema.ts';
import { takesFields } from './parameters.ts';
import { type Exchange, examplesOf, holdsTo, type Json, schemaRef } from './parts.ts';
import { partOf } from './schemas.ts';

const json = (schema: Json, exchanges: readonly Exchange[]): Json => ({
  content: { 'application/json': { schema, ...examplesOf(exchanges, ({ received }) => received) } },
});

/** A record in its envelope, or an array of it. */
const enveloped = (envelope: SchemaName, data: Json): Json => ({
  allOf: [schemaRef(envelope), { type: 'object', properties: { data } }],
});

const envelopesOf: Readonly<Record<Listing, readonly SchemaName[]>> = {
  cursor: ['cursor-list', 'offset-list'],
  offset: ['offset-list'],
  either: ['cursor-list', 'offset-list'],
  perhaps: ['plain-list', 'cursor-list', 'offset-list'],
};

function successSchema(id: OperationId, { list, record }: Operation): Json {
  if (list === undefined) return enveloped('success', schemaRef(record));
  const items = takesFields(id) ? { anyOf: [schemaRef(record), schemaRef(partOf(record))] } : schemaRef(record);
  const pages = envelopesOf[list].map((envelope) => enveloped(envelope, { type: 'array', items }));
  const forms = list === 'perhaps' ? [...pages, schemaRef('success')] : pages;
  const [only] = forms;
  return forms.length === 1 && only !== undefined ? only : { anyOf: forms };
}

/** What the document says of each status (Errors), and the requirements that stand behind it everywhere. */
const errors: Readonly<Record<number, Json>> = {
  400: { description: 'A malformed request', ...holdsTo('errors-body-codes') },
  401: {
    description: 'Missing, invalid, expired or revoked credentials',
    ...holdsTo('authentication-missing', 'authentication-refused-code', 'authentication-refused-effect'),
  },
  403: { description: 'Valid credentials that lack a permission or scope', ...holdsTo('errors-body-codes') },
  404: { description: 'There is no such record, or it is not the caller’s', ...holdsTo('errors-body-codes') },
  422: { description: 'A value that does not pass validation', ...holdsTo('errors-body-codes') },
  429: {
    description:
      'A rate limit is exceeded; the message says how many seconds to wait, and clients back off exponentially',
    ...holdsTo('rate-limits-refused-code', 'rate-limits-refused-seconds', 'rate-limits-refused-recovery'),
    headers: {
      'Retry-After': {
        description: 'The document does not name it; the seconds stand in the message.',
        schema: { type: 'string' },
        ...holdsTo('rate-limits-refused-retry-after'),
      },
    },
  },
};

const errorNames: Readonly<Record<number, string>> = { 401: 'error-unauthorized', 429: 'error-rate-limited' };

/** By status, with `default` for invalid input that the document does not name. */
export function repliesOf(id: OperationId, exchanges: readonly Exchange[]): Json {
  const operation = operations[id];
  const answered = (status: number) => exchanges.filter((one) => one.status === status);
  const statuses = [...operation.errors, 429];
  const failures = statuses.map((status) => [
    status,
    { ...errors[status], ...json(schemaRef(errorNames[status] ?? 'error'), answered(status)) },
  ]);
  return {
    [operation.success]: {
      description: operation.success === 201 ? 'Created' : 'Done',
      ...json(successSchema(id, operation), answered(operation.success)),
    },
    ...Object.fromEntries(failures),
    default: {
      description: 'Input that is invalid in a way that the document does not name',
      ...json(schemaRef('error'), []),
      ...holdsTo('errors-strange-input-envelope', 'errors-strange-input-status'),
    },
  };
}
