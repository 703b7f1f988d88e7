// Every documented status replaced by a similar one, one operation at a time.

import type { RequirementId } from '../../../lib/catalogue/index.ts';
import { type OperationId, operationIds, operations } from '../../../lib/catalogue/operations.ts';
import { badCredentials, type Mutant } from '../mutant.ts';
import { onStatus } from '../wrappers/mutator.ts';
import { createNote, deleteNote, editCompany, editNote, notes, readCompany } from '../wrappers/operations.ts';
import { generated, type Row, row, slugOf } from './collateral.ts';

type Named = { readonly [Id in OperationId]?: { readonly [status: number]: readonly RequirementId[] } };

const unknownNote = [
  'notes-unknown-company',
  'notes-unknown-note',
  'notes-other-company',
  'notes-deleted-unknown',
] as const;

/** The requirements that each documented error of an operation answers. */
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
  [readCompany]: { 404: ['companies-read-unknown'] },
  [editCompany]: { 404: ['companies-edit-unknown'] },
  [notes]: { 404: ['notes-unknown-company'] },
  [createNote]: { 404: ['notes-unknown-company'], 422: ['notes-create-blank'] },
  [editNote]: { 400: ['notes-edit-empty'], 404: unknownNote, 422: ['notes-edit-blank'] },
  [deleteNote]: { 404: unknownNote },
  'GET /contacts': { 400: ['pagination-cursor-with-sort'] },
  'POST /contacts': {
    403: ['contacts-create-forbidden'],
    422: ['contacts-create-missing-type', 'contacts-phone-unparseable', 'contacts-phone-any-unparseable'],
  },
};

/** Similar statuses that are lawful for none of the cases above. */
const neighbours: { readonly [status: number]: readonly number[] } = {
  400: [404, 422],
  401: [403],
  403: [400, 404],
  404: [400, 410],
  422: [400, 409],
};

const sameStatus = 'the operation refuses all invalid input with the same status';

/** By the documented status, and by the one that is sent in its place. */
const collateral: readonly Row<number, number>[] = [
  row(
    operationIds,
    ['api-keys-revoked-for-good'],
    'at the end of the run revoked keys are tried on some operations',
    [401],
  ),
  row(['GET /health'], ['public-health-open'], 'its statement names the status', [200]),
  row(
    ['POST /auth/validate-api-key'],
    ['public-validate-open', 'public-validate-invalid'],
    'their statements name the status',
    [200],
  ),
  row(
    ['GET /companies', 'GET /contacts'],
    ['pagination-limit-above', 'pagination-limit-below'],
    'the operation refuses a limit out of range with the same status',
    [400],
    [404],
  ),
  row(
    ['POST /companies'],
    ['companies-name-out-of-bounds', 'companies-type-unknown', 'companies-required-wrong-type'],
    sameStatus,
    [422],
    [409],
  ),
  row([createNote], ['notes-create-missing-text', 'notes-create-empty'], sameStatus, [422], [409]),
  row([editNote], ['notes-edit-missing-text'], sameStatus, [422], [409]),
  row(
    ['POST /contacts'],
    [
      ...(['contacts-type-unknown', 'contacts-required-wrong-type', 'contacts-create-missing-company'] as const),
      ...(['contacts-phone-type-unknown', 'contacts-phone-raw-missing', 'contacts-phone-odd'] as const),
    ],
    sameStatus,
    [422],
    [409],
  ),
];

const swapped = (operation: OperationId, status: number, other: number, breaks: readonly RequirementId[]): Mutant =>
  generated(
    {
      id: `status-of-${slugOf(operation)}-${status}-as-${other}`,
      breaks,
      wrap: onStatus(operation, status, other),
    },
    { operation, member: status, way: other },
    collateral,
  );

export const statusMutants: readonly Mutant[] = operationIds.flatMap((operation) => {
  const { success, protected: guarded } = operations[operation];
  const errors: [number, readonly RequirementId[]][] = [
    ...(guarded ? [[401, badCredentials] as [number, readonly RequirementId[]]] : []),
    ...Object.entries(named[operation] ?? {}).map(
      ([status, breaks]) => [Number(status), breaks] as [number, readonly RequirementId[]],
    ),
  ];
  return [
    success === 200
      ? swapped(operation, 200, 201, ['envelope-status-ok'])
      : swapped(operation, 201, 200, ['envelope-status-created']),
    ...errors.flatMap(([status, breaks]) =>
      (neighbours[status] ?? []).map((other) => swapped(operation, status, other, breaks)),
    ),
  ];
});
