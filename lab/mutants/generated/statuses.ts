// Every documented status exchanged for a neighbour, on each operation singly.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import { type OperationId, operationIds, operations } from '../../../lib/catalogue/operations.ts';
import type { Mutant } from '../mutant.ts';
import { slugOf } from '../wrappers/members.ts';
import { onStatus } from '../wrappers/mutator.ts';
import { generated } from './collateral.ts';

/** Every kind of bad credential; each is tried on every protected operation. */
const badCredentials: readonly RequirementId[] = [
  'authentication-missing',
  'authentication-key-unknown',
  'authentication-key-altered',
  'authentication-malformed',
  'authentication-tampered-signature',
  'authentication-tampered-payload',
  'authentication-alg-none',
  'authentication-expired',
  'authentication-revoked',
  'api-keys-revoked-at-once',
];

type Named = { readonly [Id in OperationId]?: { readonly [status: number]: readonly RequirementId[] } };

const note = 'PATCH /companies/{company_id}/notes/{note_id}';
const unknownNote = [
  'notes-unknown-company',
  'notes-unknown-note',
  'notes-other-company',
  'notes-deleted-unknown',
] as const;

/** What each documented error of an operation is the answer to. */
const named: Named = {
  'GET /me/team-accounts': { 400: ['account-team-accounts-undetermined'], 403: ['account-team-accounts-scope'] },
  'PATCH /me/active-account': {
    400: ['account-active-missing-slug'],
    404: ['account-active-unknown-slug', 'account-active-foreign-slug'],
  },
  'GET /billing/summary': { 403: ['billing-summary-scope'] },
  'GET /billing/credits/balance': { 403: ['billing-credits-scope'] },
  'GET /companies': { 400: ['pagination-cursor-with-sort'] },
  'POST /companies': {
    403: ['companies-create-forbidden'],
    422: ['companies-create-missing-name', 'companies-create-missing-type'],
  },
  'GET /companies/{company_id}': { 404: ['companies-read-unknown'] },
  'PATCH /companies/{company_id}': { 404: ['companies-edit-unknown'] },
  'GET /companies/{company_id}/notes': { 404: ['notes-unknown-company'] },
  'POST /companies/{company_id}/notes': { 404: ['notes-unknown-company'], 422: ['notes-create-blank'] },
  [note]: { 400: ['notes-edit-empty'], 404: unknownNote, 422: ['notes-edit-blank'] },
  'DELETE /companies/{company_id}/notes/{note_id}': { 404: unknownNote },
  'GET /contacts': { 400: ['pagination-cursor-with-sort'] },
  'POST /contacts': {
    403: ['contacts-create-forbidden'],
    422: ['contacts-create-missing-type', 'contacts-phone-unparseable', 'contacts-phone-any-unparseable'],
  },
};

/** The neighbours that are lawful for no named case. */
const neighbours: { readonly [status: number]: readonly number[] } = {
  400: [404, 422],
  401: [403],
  403: [400, 404],
  404: [400, 410],
  422: [400, 409],
};

export const statusMutants: readonly Mutant[] = operationIds.flatMap((operation) => {
  const { success, protected: guarded } = operations[operation];
  const slug = slugOf(operation);
  const swapped = success === 200 ? 201 : 200;
  const errors: [number, readonly RequirementId[]][] = [
    ...(guarded ? [[401, badCredentials] as [number, readonly RequirementId[]]] : []),
    ...Object.entries(named[operation] ?? {}).map(
      ([status, breaks]) => [Number(status), breaks] as [number, readonly RequirementId[]],
    ),
  ];
  return [
    generated(
      `status-of-${slug}-${success}-as-${swapped}`,
      [success === 200 ? 'envelope-status-ok' : 'envelope-status-created'],
      onStatus(operation, success, swapped),
    ),
    ...errors.flatMap(([status, breaks]) =>
      (neighbours[status] ?? []).map((other) =>
        generated(`status-of-${slug}-${status}-as-${other}`, breaks, onStatus(operation, status, other)),
      ),
    ),
  ];
});
