// The whole interface document as data: every requirement under its identifier.
import { createHash } from 'node:crypto';
import { account } from './account.ts';
import { apiKeys } from './api-keys.ts';
import { authentication } from './authentication.ts';
import { billing } from './billing.ts';
import { companies } from './companies.ts';
import { contacts } from './contacts.ts';
import { envelope } from './envelope.ts';
import { errors } from './errors.ts';
import { idempotency } from './idempotency.ts';
import { notes } from './notes.ts';
import { pagination } from './pagination.ts';
import { publicOperations } from './public.ts';
import { rateLimits } from './rate-limits.ts';
import { listRulings } from './rulings-lists.ts';
import { recordRulings } from './rulings-records.ts';
import { requestRulings } from './rulings-requests.ts';

/** Every requirement, area by area in the document's order. */
export const catalogue = {
  ...envelope,
  ...errors,
  ...authentication,
  ...account,
  ...apiKeys,
  ...publicOperations,
  ...billing,
  ...companies,
  ...notes,
  ...contacts,
  ...pagination,
  ...idempotency,
  ...rateLimits,
};

type Catalogue = typeof catalogue;
type WithLevel<Level> = {
  [Id in keyof Catalogue]: Catalogue[Id]['level'] extends Level ? Id : never;
}[keyof Catalogue];

export type RequirementId = keyof Catalogue;
/** Identifiers of what passes or fails. */
export type JudgedId = WithLevel<'must' | 'should'>;
/** Identifiers of what is recorded and never judged. */
export type ObservedId = WithLevel<'observe'>;

/** All identifiers, in the catalogue's order. */
export const requirementIds = Object.keys(catalogue) as RequirementId[];

/** Identifiers of all that passes or fails. */
export const judgedIds = requirementIds.filter((id): id is JudgedId => /must|should/.test(catalogue[id].level));

type Statements = Readonly<Record<string, { readonly level: string; readonly statement: string }>>;

/** Sha256 (hex) over identifier, level and statement of every requirement, in whatever order they stand. */
export function catalogueDigest(rows: Statements = catalogue): string {
  const lines = Object.entries(rows).map(([id, { level, statement }]) => JSON.stringify([id, level, statement]));
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

/** All rulings by their slug; rows of the catalogue name the ones that they rest on. */
export const rulings = { ...requestRulings, ...recordRulings, ...listRulings };
