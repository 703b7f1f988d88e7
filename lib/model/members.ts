// Record members that are returned as sent, and the values that must come back unchanged.
import type { OperationId } from '../catalogue/operations.ts';
import type { RecordKind } from '../client/reply.ts';
import { instant } from '../schema/instant.ts';

/** Optional texts. */
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

/** Names that the `fields` parameter of a list may contain. */
export const fieldNames: { readonly [Id in OperationId]?: readonly string[] } = {
  'GET /companies': members.company,
  'GET /contacts': [...members.contact, 'phones', 'is_primary'],
};

const urls = ['website', 'linkedin_url', 'photo_url'];
const controls = /[\p{Cc}\p{Cs}\ufeff]/u;

/** Whether a value must come back unchanged, because it already is in its normal form. */
export function isFirm(name: string, value: unknown): boolean {
  if (name === 'company_id') return Number.isSafeInteger(value);
  if (typeof value !== 'string' || value === '') return false;
  // Other requirements judge the longest names and labels.
  if ((name === 'label' || name === 'name') && value.length > 200) return false;
  if (name === 'company_type') return /^(lender|sponsor)$/.test(value);
  if (name === 'contact_type') return /^(lender_contact|sponsor)$/.test(value);
  if (value !== value.trim() || value !== value.normalize('NFC') || controls.test(value.replace(/[\n\t]/g, '')))
    return false;
  if (name === 'email') return /^[a-z\d._+-]+@[a-z\d-]+(\.[a-z\d-]+)*\.[a-z]+$/.test(value);
  return !urls.includes(name) || /^https:\/\/[a-z\d.-]+(:\d+)?\/[!-~]*$/.test(value);
}

const nothing: readonly unknown[] = [null, undefined, ''];
/** A member without a value may be null, empty or absent. */
export const isNothing = (value: unknown): boolean => nothing.includes(value);

/** The same value, or for created_at the same time to within a second. */
export function areSame(name: string, one: unknown, other: unknown): boolean {
  if (name !== 'created_at' || typeof one !== 'string' || typeof other !== 'string') return one === other;
  return Math.abs((instant(one)?.ms ?? Number.NaN) - (instant(other)?.ms ?? Number.NaN)) < 1000;
}
