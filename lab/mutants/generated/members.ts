// Every stated member of every success, dropped, nulled and retyped, on each operation singly.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import type { OperationId } from '../../../lib/catalogue/operations.ts';
import type { Mutant } from '../mutant.ts';
import { eachRecord, everyWay, type Json, slugOf, type Way, ways } from '../wrappers/members.ts';
import { generated } from './collateral.ts';

interface Member {
  readonly name: string;
  /** What must notice. */
  readonly breaks: readonly RequirementId[];
  /** Ways that are lawful here, such as null for what was not given. */
  readonly lawful?: readonly Way[];
}

type Duty = RequirementId | readonly RequirementId[];
const members = (duty: Duty, ...names: readonly string[]): Member[] =>
  names.map((name) => ({ name, breaks: [duty].flat() as RequirementId[] }));

const companyTexts = ['website', 'address', 'city', 'state', 'zip', 'linkedin_url'];
const contactTexts = [
  ...['first_name', 'last_name', 'email', 'title', 'department', 'address', 'address2', 'city', 'state', 'zip'],
  ...['linkedin_url', 'photo_url'],
];
const company = ['id', 'name', 'company_type', ...companyTexts];
const contact = ['contact_type', 'company_id', ...contactTexts, 'is_primary', 'phones'];

/** The stated members of each operation's data, and the requirement that is about them. */
const stated: { readonly [Id in OperationId]?: readonly Member[] } = {
  'GET /me': members('account-me-rate-limits', 'platform'),
  'POST /api-keys': [
    ...members('api-keys-create-id', 'id'),
    ...members('api-keys-create-label', 'label'),
    ...members('api-keys-create-secret', 'api_key'),
    ...members('api-keys-create-key-prefix', 'key_prefix'),
    ...members('api-keys-create-created-at', 'created_at'),
  ],
  'GET /api-keys': [
    ...members('api-keys-list-contains', 'id'),
    ...members('api-keys-list-record', 'label', 'key_prefix', 'created_at'),
    { name: 'last_used_at', breaks: ['api-keys-list-last-used-moves'], lawful: ['retyped'] },
    { name: 'last_used_at', breaks: ['api-keys-list-record'], lawful: ['dropped', 'nulled'] },
  ],
  'DELETE /api-keys/{key_id}': members('api-keys-delete-result', 'deleted'),
  'POST /auth/validate-api-key': [
    ...members('public-validate-valid', 'valid'),
    // An identifier may be a number or a text.
    ...members('public-validate-facts', 'user_id', 'account_id').map(
      (one): Member => ({ ...one, lawful: ['retyped'] }),
    ),
    ...members('public-validate-facts', 'scopes', 'tier'),
  ],
  'POST /companies': [
    ...members('companies-create-id', 'id'),
    ...members('companies-create-name', 'name'),
    ...members('companies-create-type', 'company_type'),
    ...members('companies-create-fields', ...companyTexts),
  ],
  'GET /companies/{company_id}': members('companies-read-record', ...company),
  'PATCH /companies/{company_id}': members('companies-edit-reply', ...company),
  'GET /companies': [
    ...members('companies-list-contains', 'id'),
    ...members('companies-list-record', 'name', 'company_type', ...companyTexts),
  ],
  'POST /companies/{company_id}/notes': [...members('notes-create-id', 'id'), ...members('notes-create-text', 'text')],
  'PATCH /companies/{company_id}/notes/{note_id}': members('notes-edit-reply', 'id', 'text'),
  'GET /companies/{company_id}/notes': [
    ...members('notes-list-contains', 'id'),
    ...members('notes-list-record', 'text'),
  ],
  'DELETE /companies/{company_id}/notes/{note_id}': members('notes-delete-result', 'deleted'),
  'POST /contacts': [
    ...members('contacts-create-type', 'contact_type'),
    ...members('contacts-create-company', 'company_id'),
    ...members('contacts-create-fields', ...contactTexts),
    ...members('contacts-create-primary', 'is_primary'),
    ...members('contacts-phone-several', 'phones'),
  ],
  'GET /contacts': [
    ...members('contacts-list-record', ...contact.filter((name) => name !== 'last_name')),
    // By the last name the suite knows its own.
    { name: 'last_name', breaks: ['contacts-list-contains'], lawful: ['retyped'] },
    { name: 'last_name', breaks: ['contacts-list-record'], lawful: ['dropped', 'nulled'] },
  ],
};

const broken = (operation: OperationId, { name, breaks, lawful = [] }: Member): Mutant[] =>
  everyWay
    .filter((way) => !lawful.includes(way))
    .map((way) =>
      generated(
        `member-${slugOf(operation)}-${name.replaceAll('_', '-')}-${way}`,
        breaks,
        eachRecord(operation, (record: Json) => ways[way](record, name)),
      ),
    );

export const memberMutants: readonly Mutant[] = Object.entries(stated).flatMap(([operation, all]) =>
  all.flatMap((member) => broken(operation as OperationId, member)),
);
