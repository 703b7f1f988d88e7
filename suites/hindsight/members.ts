// The members of records that come back as they were given, and which requirement it breaks where one does not.
import { instant, type JudgedId, type OperationId, type RecordKind } from '../../lib/index.ts';

const urls = ['website', 'linkedin_url', 'photo_url'];
const ofCompany = ['website', 'address', 'city', 'state', 'zip', 'linkedin_url'] as const;
const ofContact = [
  ...(['first_name', 'last_name', 'email', 'title', 'department'] as const),
  ...(['address', 'address2', 'city', 'state', 'zip', 'linkedin_url', 'photo_url'] as const),
];

export const members: Readonly<Record<RecordKind, readonly string[]>> = {
  company: ['name', 'company_type', ...ofCompany],
  contact: ['contact_type', 'company_id', ...ofContact],
  note: ['text'],
  key: ['label', 'key_prefix', 'created_at'],
};

/** Whether a value comes back unchanged: one in its own normal form does, by every reading of the document. */
export function isFirm(name: string, value: unknown): boolean {
  if (name === 'company_id') return Number.isSafeInteger(value);
  if (typeof value !== 'string' || value === '') return false;
  // The longest names and labels are requirements of their own.
  if ((name === 'label' || name === 'name') && value.length > 200) return false;
  if (name === 'company_type') return /^(lender|sponsor)$/.test(value);
  if (name === 'contact_type') return /^(lender_contact|sponsor)$/.test(value);
  if (
    value !== value.trim() ||
    value !== value.normalize('NFC') ||
    /[\p{Cc}\p{Cs}\ufeff]/u.test(value.replace(/[\n\t]/g, ''))
  )
    return false;
  if (name === 'email') return /^[a-z\d._+-]+@[a-z\d-]+(\.[a-z\d-]+)*\.[a-z]+$/.test(value);
  return !urls.includes(name) || /^https:\/\/[a-z\d.-]+(:\d+)?\/[!-~]*$/.test(value);
}

/** The same value, or the same moment in a spelling that may cut something off. */
export function areSame(name: string, one: unknown, other: unknown): boolean {
  if (name !== 'created_at' || typeof one !== 'string' || typeof other !== 'string') return one === other;
  return Math.abs((instant(one)?.ms ?? Number.NaN) - (instant(other)?.ms ?? Number.NaN)) < 1000;
}

const creation: Readonly<Record<string, JudgedId>> = {
  'company name': 'companies-create-name',
  'company company_type': 'companies-create-type',
  'contact contact_type': 'contacts-create-type',
  'contact company_id': 'contacts-create-company',
  'note text': 'notes-create-text',
  'company identifier': 'companies-create-id',
  'note identifier': 'notes-create-id',
  'key label': 'api-keys-create-label',
};
const others: Readonly<Record<'company' | 'contact', JudgedId>> = {
  company: 'companies-create-fields',
  contact: 'contacts-create-fields',
};

const reading: { readonly [Id in OperationId]?: JudgedId } = {
  'GET /companies/{company_id}': 'companies-read-record',
  'GET /companies': 'companies-list-record',
  'PATCH /companies/{company_id}': 'companies-edit-reply',
  'GET /contacts': 'contacts-list-record',
  'GET /companies/{company_id}/notes': 'notes-list-record',
  'PATCH /companies/{company_id}/notes/{note_id}': 'notes-edit-reply',
  'GET /api-keys': 'api-keys-list-record',
};
const edited: Partial<Record<RecordKind, JudgedId>> = { company: 'companies-edit-effect', note: 'notes-edit-effect' };

/** Whatever may be broken where a record is shown. */
export const breakable: readonly JudgedId[] = [
  ...[creation, others, reading, edited].flatMap((table) => Object.values(table)),
  ...(['companies-edit-bounds', 'companies-edit-others', 'companies-list-contains', 'notes-list-contains'] as const),
];

/** `outdated`: it shows what stood there before an edit. */
export function broken(
  kind: RecordKind,
  operation: OperationId,
  name: string,
  outdated: boolean,
): JudgedId | undefined {
  if (operation.startsWith('POST '))
    return creation[`${kind} ${name}`] ?? (kind === 'company' || kind === 'contact' ? others[kind] : undefined);
  // A company is also read by its identifier: where only the list is behind, that is to blame.
  const isRead = operation.startsWith('GET ') && operation !== 'GET /companies';
  return (outdated && isRead ? edited[kind] : undefined) ?? reading[operation];
}
