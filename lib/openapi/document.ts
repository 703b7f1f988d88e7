// OpenAPI 3.1 of the interface as this suite reads it: made of the table of operations, the schemas and the catalogue.
import { catalogue, type RequirementId, requirementIds } from '../catalogue/index.ts';
import {
  defaultLimits,
  type Listing,
  methodOf,
  type Operation,
  type OperationId,
  operationIds,
  operations,
  pathOf,
  type RateClass,
} from '../catalogue/operations.ts';
import type { SchemaName } from '../schema/schema.ts';
import {
  bodyOf,
  componentParameters,
  componentSchemas,
  holdsTo,
  type Json,
  operationName,
  parametersOf,
  partOf,
  schemaRef,
  serverOf,
  takesFields,
} from './parts.ts';

export interface Source {
  /** Of the server, without the interface's own path. */
  readonly baseUrl: string;
  /** The operations that the cases of a requirement are about. */
  readonly operationsOf: (requirement: RequirementId) => readonly string[];
}

/** A heading of the document, which ends with the name of a group of operations. */
const tagOf = ({ section }: Operation): string => section.split(' / ').at(-1) ?? section;

const rateIds: Readonly<Record<RateClass, Json>> = {
  read: holdsTo('rate-limits-read-allowed', 'rate-limits-read-enforced', 'rate-limits-keys-together'),
  write: holdsTo('rate-limits-write-allowed', 'rate-limits-write-enforced', 'rate-limits-keys-together'),
  validate: holdsTo('rate-limits-validate-allowed', 'rate-limits-validate-enforced', 'rate-limits-validate-charged'),
};

/** Limits are defaults: what is in force stands in GET /me under platform.rate_limits. */
const rateOf = (rate: RateClass): Json => ({
  'x-covenant-rate-limit': {
    class: rate,
    requests: defaultLimits[rate],
    per: 'minute',
    ...(rate !== 'validate' && { counted: 'per account' }),
    ...rateIds[rate],
  },
});

const pages = {
  cursor: { mode: 'cursor, or offset where sort is given', ...holdsTo('pagination-traversal-complete') },
  offset: { mode: 'offset', ...holdsTo('api-keys-list-pagination', 'api-keys-list-offset-pages') },
  either: { mode: 'cursor or offset, which the document leaves open', ...holdsTo('pagination-team-mode') },
  perhaps: {
    mode: 'none, cursor or offset, which the document leaves open',
    ...holdsTo('account-accounts-pagination'),
  },
} as const;

/** A role beside a scheme is a scope that the token must have, as OpenAPI 3.1 allows for any scheme. */
function securityOf({ protected: isProtected, scope }: Operation): Json {
  const roles = scope === undefined ? [] : [scope];
  return { security: isProtected ? [{ apiKey: roles }, { session: roles }] : [] };
}

function operationOf(id: OperationId, { operationsOf }: Source): Json {
  const operation = operations[id];
  const requestBody = bodyOf(id);
  return {
    operationId: operationName(id),
    summary: summaries[id],
    tags: [tagOf(operation)],
    ...securityOf(operation),
    parameters: parametersOf(id),
    ...(requestBody && { requestBody }),
    responses: repliesOf(id),
    ...rateOf(operation.rate),
    ...(operation.list && { 'x-covenant-pagination': pages[operation.list] }),
    ...holdsTo(...requirementIds.filter((one) => operationsOf(one).includes(id))),
  };
}

function pathsOf(source: Source): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const id of operationIds) {
    const path = paths[pathOf(id)] ?? {};
    paths[pathOf(id)] = { ...path, [methodOf(id).toLowerCase()]: operationOf(id, source) };
  }
  return paths;
}

const bearer = (description: string, bearerFormat: string): Json => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat,
  description,
});

/** The whole description. Identifiers under `x-covenant-requirements` lead to `x-covenant-catalogue`. */
export const openapi = (source: Source): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'External REST Interface v2 of a lending-deal platform',
    version: '2026-03',
    description:
      'The interface as Covenant reads its document. What OpenAPI cannot express is in x-covenant-* extensions; the identifiers under x-covenant-requirements are those of x-covenant-catalogue, each with its level and statement.',
  },
  servers: [serverOf(source.baseUrl)],
  tags: [...new Set(operationIds.map((id) => tagOf(operations[id])))].map((name) => ({
    name,
    description: `Endpoints / ${name}`,
  })),
  paths: pathsOf(source),
  components: {
    securitySchemes: {
      apiKey: bearer('An API key: long-lived, of one user and one account', 'svc_sk_...'),
      session: bearer('A session of an identity provider: OAuth 2.1 with PKCE, short-lived', 'JWT'),
    },
    parameters: componentParameters(),
    schemas: componentSchemas(),
  },
  'x-covenant-catalogue': catalogue,
});

const summaries: Readonly<Record<OperationId, string>> = {
  'GET /me': 'The current user, account and platform, with scopes and rate limits',
  'GET /me/accounts': 'Every account of which the user is an active member',
  'GET /me/team-accounts': 'The accounts whose deals are shared with the active account',
  'PATCH /me/active-account': 'Changes the active account of a session',
  'GET /account/team': 'The team members of the active account',
  'POST /api-keys': 'Creates an API key, and shows it this once',
  'GET /api-keys': 'The API keys, without the keys themselves',
  'DELETE /api-keys/{key_id}': 'Revokes an API key at once and for good',
  'GET /health': 'Whether the service is alive',
  'POST /auth/validate-api-key': 'Whether an API key is valid, and whose it is',
  'GET /billing/summary': 'The subscription and credit balance of the active account',
  'GET /billing/credits/balance': 'The credit balance of the active account',
  'GET /companies': 'The companies of the active account',
  'POST /companies': 'Creates a company',
  'GET /companies/{company_id}': 'One company',
  'PATCH /companies/{company_id}': 'Edits a company',
  'GET /companies/{company_id}/notes': 'The notes on a company',
  'POST /companies/{company_id}/notes': 'Puts a note on a company',
  'PATCH /companies/{company_id}/notes/{note_id}': 'Replaces the text of a note',
  'DELETE /companies/{company_id}/notes/{note_id}': 'Deletes a note for good',
  'GET /contacts': 'The contacts of the active account',
  'POST /contacts': 'Creates a contact',
};

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

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
function repliesOf(id: OperationId): Json {
  const operation = operations[id];
  const statuses = [...operation.errors, 429];
  const failures = statuses.map((status) => [
    status,
    { ...errors[status], ...json(schemaRef(errorNames[status] ?? 'error')) },
  ]);
  return {
    [operation.success]: {
      description: operation.success === 201 ? 'Created' : 'Done',
      ...json(successSchema(id, operation)),
    },
    ...Object.fromEntries(failures),
    default: {
      description: 'Input that is invalid in a way that the document does not name',
      ...json(schemaRef('error')),
      ...holdsTo('errors-strange-input-envelope', 'errors-strange-input-status'),
    },
  };
}
