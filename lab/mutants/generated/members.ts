// Every stated member of every success, dropped, nulled and retyped, one operation at a time.

import type { RequirementId } from '../../../lib/catalogue/index.ts';
import type { OperationId } from '../../../lib/catalogue/operations.ts';
import type { Mutant } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { notes as list } from '../wrappers/operations.ts';
import { onRecords } from '../wrappers/records.ts';
import { everyWay, generated, type Row, row, slugOf, type Way, ways } from './collateral.ts';

const companyTexts = ['website', 'address', 'city', 'state', 'zip', 'linkedin_url'] as const;
const contactTexts = [
  ...(['first_name', 'last_name', 'email', 'title', 'department'] as const),
  ...(['address', 'address2', 'city', 'state', 'zip', 'linkedin_url', 'photo_url'] as const),
];
const company = ['id', 'name', 'company_type', ...companyTexts] as const;
const contact = ['contact_type', 'company_id', ...contactTexts, 'is_primary', 'phones'] as const;

type Name =
  | (typeof company | typeof contact)[number]
  | ('platform' | 'label' | 'api_key' | 'key_prefix' | 'created_at' | 'last_used_at')
  | ('valid' | 'user_id' | 'account_id' | 'scopes' | 'tier' | 'text' | 'deleted');

interface Member {
  readonly name: Name;
  /** The requirements that must fail. */
  readonly breaks: readonly RequirementId[];
  /** Ways that are lawful here, such as null for what was not given. */
  readonly lawful?: readonly Way[];
}

const members = (requirement: RequirementId, ...names: readonly Name[]): Member[] =>
  names.map((name) => ({ name, breaks: [requirement] }));

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
    // The suite recognises its own contacts by the last name.
    { name: 'last_name', breaks: ['contacts-list-contains'], lawful: ['retyped'] },
    { name: 'last_name', breaks: ['contacts-list-record'], lawful: ['dropped', 'nulled'] },
  ],
};

const compared = 'it compares with this reply';
const readBack = 'it reads what was made or kept back through this reply';
const cut = ['dropped', 'nulled'] as const;
const allButId = company.filter((name) => name !== 'id');

const collateral: readonly Row<Name, Way>[] = [
  row(['POST /api-keys'], ['api-keys-list-record'], compared, ['label', 'key_prefix', 'created_at']),
  row(['POST /api-keys'], ['api-keys-label-lengths'], readBack, ['label']),
  row(['POST /api-keys'], ['api-keys-list-contains'], compared, ['id'], ['retyped']),
  row(['GET /api-keys'], ['api-keys-list-offset-pages'], readBack, ['id'], cut),
  row(['GET /api-keys'], ['api-keys-list-record'], readBack, ['id']),
  row(['POST /auth/validate-api-key'], ['api-keys-revoked-validate'], readBack, ['valid']),
  row(['POST /companies'], ['companies-read-record'], compared, allButId),
  row(['POST /companies'], ['companies-name-lengths', 'companies-list-contains'], readBack, ['id'], ['retyped']),
  row(['POST /companies'], ['companies-name-lengths'], readBack, ['name']),
  row(['GET /companies/{company_id}'], ['companies-edit-effect'], readBack, allButId),
  row(
    ['GET /companies/{company_id}'],
    ['errors-malformed-json-effect', 'authentication-refused-effect', 'authentication-foreign-write'],
    readBack,
    ['name', 'company_type'],
  ),
  row(['GET /companies/{company_id}'], ['companies-name-lengths'], readBack, ['name']),
  row(['GET /companies'], ['pagination-fields-restrict'], readBack, ['id'], ['nulled']),
  row(['POST /companies/{company_id}/notes'], ['envelope-valid-served'], readBack, ['id'], ['retyped']),
  row(['GET /companies'], ['companies-create-once'], readBack, ['name'], cut),
  row(
    ['GET /companies', 'GET /contacts'],
    ['errors-malformed-json-effect', 'authentication-refused-effect'],
    readBack,
    ['name', 'last_name'],
    cut,
  ),
  row(['POST /companies/{company_id}/notes'], ['notes-text-characters', 'notes-text-long'], readBack, ['text']),
  row(['PATCH /companies/{company_id}/notes/{note_id}'], ['idempotency-edit-answer'], compared, ['id']),
  row(['PATCH /companies/{company_id}/notes/{note_id}'], ['notes-text-characters'], readBack, ['text']),
  row([list], ['pagination-traversal-complete'], readBack, ['id']),
  row([list], ['idempotency-create-simultaneous'], readBack, ['id'], cut),
  row([list], ['notes-text-characters', 'notes-text-long', 'idempotency-create-simultaneous'], readBack, ['text']),
  row(['POST /contacts'], ['contacts-list-record'], compared),
  row(
    ['GET /contacts'],
    ['contacts-list-record'],
    'contacts that the suite does not look for are recognised by their identifier',
    ['last_name'],
    cut,
  ),
  row(['POST /contacts'], ['contacts-create-unicode'], readBack, [
    'first_name',
    'last_name',
    'title',
    'department',
    'address',
    'address2',
  ]),
  row(['GET /contacts'], ['contacts-list-contains'], readBack, ['first_name'], cut),
  row(
    ['POST /contacts'],
    ['contacts-phone-national', 'contacts-phone-international', 'contacts-phone-country'],
    readBack,
    ['phones'],
  ),
];

const broken = (operation: OperationId, { name, breaks, lawful = [] }: Member): Mutant[] =>
  everyWay
    .filter((way) => !lawful.includes(way))
    .map((way) => {
      const id = `member-${slugOf(operation)}-${name.replaceAll('_', '-')}-${way}`;
      const wrap = onRecords(operation, (record: Json) => ways[way](record, name));
      return generated({ id, breaks, wrap }, { operation, member: name, way }, collateral);
    });

export const memberMutants: readonly Mutant[] = Object.entries(stated).flatMap(([operation, all]) =>
  all.flatMap((member) => broken(operation as OperationId, member)),
);
