// The interface's 22 operations, one row each: what the document's tables say of them, as data.

import type { RecordName } from './records.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** The classes in which requests are counted (Limits / Rate limits). */
export type RateClass = 'read' | 'write' | 'validate';
/** The defaults of Limits / Rate limits, requests a minute. */
export const defaultLimits: Readonly<Record<RateClass, number>> = { read: 200, write: 30, validate: 10 };
/** The minute in which limits count (Limits / Rate limits), in milliseconds; a sandbox may have another. */
export const documentedMinuteMs = 60_000;
/** `cursor` and `offset`: the mode of the list's pagination; `either`: the document leaves the mode open; `perhaps`: even whether it is a list. */
export type Listing = 'cursor' | 'offset' | 'either' | 'perhaps';

export interface Operation {
  readonly section: string;
  /** False on the two operations that need no credentials. */
  readonly protected: boolean;
  readonly rate: RateClass;
  readonly success: 200 | 201;
  /** The file in `schemas/` that describes `data`, or one item of it on a list. */
  readonly record: RecordName;
  readonly list?: Listing;
  /** Takes a JSON body. */
  readonly body?: true;
  /** The statuses that the operation's own row names. */
  readonly errors: readonly number[];
  /** The scope without which it answers 403. */
  readonly scope?: 'account:read' | 'billing:read';
}

const read = { protected: true, rate: 'read', success: 200 } as const;
const create = { protected: true, rate: 'write', success: 201, body: true } as const;
const edit = { protected: true, rate: 'write', success: 200, body: true } as const;
const remove = { protected: true, rate: 'write', success: 200, record: 'deletion' } as const;

const account = { section: 'Endpoints / Account and team' } as const;
const keys = { section: 'Endpoints / API keys' } as const;
const open = { section: 'Endpoints / Public operations' } as const;
const billing = { section: 'Endpoints / Billing' } as const;
const companies = { section: 'Endpoints / Companies' } as const;
const contacts = { section: 'Endpoints / Contacts' } as const;

const rows = {
  'GET /me': { ...account, ...read, record: 'me', errors: [401, 403] },
  'GET /me/accounts': { ...account, ...read, record: 'account', list: 'perhaps', errors: [401, 403] },
  'GET /me/team-accounts': {
    ...account,
    ...read,
    record: 'account',
    list: 'perhaps',
    errors: [400, 401, 403],
    scope: 'account:read',
  },
  'PATCH /me/active-account': { ...account, ...edit, record: 'active-account', errors: [400, 401, 403, 404] },
  'GET /account/team': { ...account, ...read, record: 'team-member', list: 'either', errors: [401, 403] },
  'POST /api-keys': { ...keys, ...create, record: 'api-key-created', errors: [401, 403] },
  'GET /api-keys': { ...keys, ...read, record: 'api-key', list: 'offset', errors: [401, 403] },
  'DELETE /api-keys/{key_id}': { ...keys, ...remove, errors: [401, 403] },
  'GET /health': { ...open, ...read, protected: false, record: 'health', errors: [] },
  'POST /auth/validate-api-key': {
    ...open,
    protected: false,
    rate: 'validate',
    success: 200,
    record: 'validation',
    body: true,
    errors: [],
  },
  'GET /billing/summary': { ...billing, ...read, record: 'billing-summary', errors: [401, 403], scope: 'billing:read' },
  'GET /billing/credits/balance': {
    ...billing,
    ...read,
    record: 'credits',
    errors: [401, 403],
    scope: 'billing:read',
  },
  'GET /companies': { ...companies, ...read, record: 'company', list: 'cursor', errors: [400, 401, 403] },
  'POST /companies': { ...companies, ...create, record: 'company', errors: [401, 403, 422] },
  'GET /companies/{company_id}': { ...companies, ...read, record: 'company', errors: [401, 403, 404] },
  'PATCH /companies/{company_id}': { ...companies, ...edit, record: 'company', errors: [401, 403, 404] },
  'GET /companies/{company_id}/notes': {
    ...companies,
    ...read,
    record: 'note',
    list: 'cursor',
    errors: [401, 403, 404],
  },
  'POST /companies/{company_id}/notes': { ...companies, ...create, record: 'note', errors: [401, 403, 404, 422] },
  'PATCH /companies/{company_id}/notes/{note_id}': {
    ...companies,
    ...edit,
    record: 'note',
    errors: [400, 401, 403, 404, 422],
  },
  'DELETE /companies/{company_id}/notes/{note_id}': { ...companies, ...remove, errors: [401, 403, 404] },
  'GET /contacts': { ...contacts, ...read, record: 'contact', list: 'cursor', errors: [400, 401, 403] },
  'POST /contacts': { ...contacts, ...create, record: 'contact', errors: [401, 403, 422] },
} as const satisfies Record<`${Method} /${string}`, Operation>;

/** An operation is named by its method and path, as the document writes them. */
export type OperationId = keyof typeof rows;
export const operations: { readonly [Id in OperationId]: Operation } = rows;
export const operationIds = Object.keys(rows) as OperationId[];
/** Those with credentials that may be served to a session that is on no account (Endpoints / Account and team). */
export const withoutAccount: readonly OperationId[] = ['GET /me', 'GET /me/accounts', 'PATCH /me/active-account'];

export const methodOf = (id: OperationId): Method => id.slice(0, id.indexOf(' ')) as Method;
export const pathOf = (id: OperationId): string => id.slice(id.indexOf(' ') + 1);
/** The part of every path that names the version (Versioning). */
export const apiPath = '/api/external/v2';
