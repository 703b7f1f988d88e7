// The members of records that come back as they were given, and which values do so by every reading of the document.
import type { OperationId } from '../catalogue/operations.ts';
import type { RecordKind } from '../client/reply.ts';
import { instant } from '../schema/instant.ts';

/** Texts that a record need not have. */
export const companyTexts = ['website', 'address', 'city', 'state', 'zip', 'linkedin_url'] as const;
export const contactTexts = [
  ...(['first_name', 'last_name', 'email', 'title', 'department'] as const),
  ...(['address', 'address2', 'city', 'state', 'zip', 'linkedin_url', 'photo_url'] as const),
] as const;
export const members: Readonly<Record<RecordKind, readonly string[]>> = {
  company: ['name', 'company_type', ...companyTexts],
  contact: ['contact_type', 'company_id', ...contactTexts],
  note: ['text'],
  key: ['label', 'key_prefix', 'created_at'],
};

/** What a list of records may be asked for in `fields`. */
export const fieldNames: { readonly [Id in OperationId]?: readonly string[] } = {
  'GET /companies': members.company,
  'GET /contacts': [...members.contact, 'phones', 'is_primary'],
};

const urls = ['website', 'linkedin_url', 'photo_url'];
const controls = /[\p{Cc}\p{Cs}\ufeff]/u;

/** Whether a value comes back unchanged: one in its own normal form does. */
export function isFirm(name: string, value: unknown): boolean {
  if (name === 'company_id') return Number.isSafeInteger(value);
  if (typeof value !== 'string' || value === '') return false;
  // The longest names and labels are requirements of their own.
  if ((name === 'label' || name === 'name') && value.length > 200) return false;
  if (name === 'company_type') return /^(lender|sponsor)$/.test(value);
  if (name === 'contact_type') return /^(lender_contact|sponsor)$/.test(value);
  if (value !== value.trim() || value !== value.normalize('NFC') || controls.test(value.replace(/[\n\t]/g, '')))
    return false;
  if (name === 'email') return /^[a-z\d._+-]+@[a-z\d-]+(\.[a-z\d-]+)*\.[a-z]+$/.test(value);
  return !urls.includes(name) || /^https:\/\/[a-z\d.-]+(:\d+)?\/[!-~]*$/.test(value);
}

const nothing: readonly unknown[] = [null, undefined, ''];
/** What was not given may come back as null, as an empty text, or not at all. */
export const isNothing = (value: unknown): boolean => nothing.includes(value);

/** The same value, or the same moment in a spelling that may cut something off. */
export function areSame(name: string, one: unknown, other: unknown): boolean {
  if (name !== 'created_at' || typeof one !== 'string' || typeof other !== 'string') return one === other;
  return Math.abs((instant(one)?.ms ?? Number.NaN) - (instant(other)?.ms ?? Number.NaN)) < 1000;
}
