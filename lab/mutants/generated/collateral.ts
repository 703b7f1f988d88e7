// What cannot but fail beside the duty that a systematic mutant breaks: rules over the names of the mutants, with the reason.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import { type Mutant, mutant, type Wrap } from '../mutant.ts';

interface Rule {
  readonly mutants: RegExp;
  readonly red: readonly RequirementId[];
  readonly why: string;
}

const compared = 'it compares with this reply';
const readThrough = 'what was made or kept is looked at through this reply';
const noData = 'there is no data in which it could hold';

const ofErrors: readonly Rule[] = [
  {
    mutants: /^errors-of-(?!get-me|get-billing)/,
    red: ['errors-strange-input-envelope'],
    why: 'the operation answers undocumented input with the same body',
  },
  {
    mutants: /^errors-of-(post|patch)-/,
    red: ['errors-malformed-json-envelope'],
    why: 'the operation answers malformed JSON with the same body',
  },
  {
    mutants: /^errors-of-.*-code-dropped$/,
    red: ['authentication-refused-code'],
    why: 'without a code a 401 does not carry UNAUTHORIZED either',
  },
];

const ofStatuses: readonly Rule[] = [
  {
    mutants: /^status-of-(get-me|get-companies|post-companies-id-notes)-401-as/,
    red: ['api-keys-revoked-for-good'],
    why: 'at the end of the run revoked keys are tried on this operation',
  },
  { mutants: /^status-of-get-health-200-as/, red: ['public-health-open'], why: 'its statement names the status' },
  {
    mutants: /^status-of-post-auth-validate-api-key-200-as/,
    red: ['public-validate-open', 'public-validate-invalid'],
    why: 'their statements name the status',
  },
  {
    mutants: /^status-of-get-companies-id(-notes)?-404-as/,
    red: ['authentication-foreign-read'],
    why: 'a record of another account is answered as one that does not exist',
  },
  {
    mutants: /^status-of-(patch|post|delete)-companies-id.*-404-as/,
    red: ['authentication-foreign-write'],
    why: 'a record of another account is answered as one that does not exist',
  },
  {
    mutants: /^status-of-get-(companies|contacts)-400-as-404$/,
    red: ['pagination-limit-above', 'pagination-limit-below'],
    why: 'the operation refuses a limit out of range with the same status',
  },
  {
    mutants: /^status-of-post-companies-422-as-409$/,
    red: ['companies-name-out-of-bounds', 'companies-type-unknown', 'companies-required-wrong-type'],
    why: 'the operation refuses all invalid input with the same status',
  },
  {
    mutants: /^status-of-post-companies-id-notes-422-as-409$/,
    red: ['notes-text-long', 'notes-create-missing-text', 'notes-create-empty'],
    why: 'the operation refuses all invalid input with the same status',
  },
  {
    mutants: /^status-of-patch-companies-id-notes-id-422-as-409$/,
    red: ['notes-edit-missing-text'],
    why: 'the operation refuses all invalid input with the same status',
  },
  {
    mutants: /^status-of-post-contacts-422-as-409$/,
    red: [
      ...(['contacts-type-unknown', 'contacts-required-wrong-type', 'contacts-create-missing-company'] as const),
      ...(['contacts-phone-type-unknown', 'contacts-phone-raw-missing', 'contacts-phone-odd'] as const),
    ],
    why: 'the operation refuses all invalid input with the same status',
  },
];

const ofPages: readonly Rule[] = [
  {
    mutants: /^page-of-get-companies-id-notes-(missing|total|has-more)/,
    red: ['pagination-list-empty'],
    why: 'its statement names total and has_more',
  },
  {
    mutants: /^page-of-get-api-keys-missing/,
    red: ['api-keys-list-pagination'],
    why: 'what is not there has no members',
  },
  {
    mutants: /^page-of-get-api-keys-(missing|total)/,
    red: ['api-keys-list-total', 'api-keys-revoked-unlisted'],
    why: 'both are about the total',
  },
  { mutants: /^page-of-get-api-keys-(missing|has-more)/, red: ['api-keys-list-has-more'], why: 'it is about has_more' },
];

const data = (operation: string, ...red: readonly RequirementId[]): Rule => ({
  mutants: new RegExp(`^envelope-of-${operation}-data-`),
  red,
  why: noData,
});

const ofData: readonly Rule[] = [
  data('get-me', 'account-me-rate-limits'),
  {
    mutants: /^envelope-of-get-me-data-dropped$/,
    red: ['account-me-scopes', 'account-me-caller', 'account-me-slug'],
    why: noData,
  },
  data('get-me-accounts', 'account-accounts-complete'),
  data('post-api-keys', 'api-keys-label-lengths'),
  data('get-api-keys', 'api-keys-list-contains', 'api-keys-revoked-unlisted'),
  data('delete-api-keys-id', 'api-keys-delete-result'),
  data('post-auth-validate-api-key', 'api-keys-revoked-validate', 'public-validate-valid'),
  data('get-companies', 'companies-list-contains'),
  data('get-contacts', 'contacts-list-contains'),
  data('get-(companies|contacts)', 'pagination-traversal-ends', 'pagination-sort-pages'),
  data('get-(companies|contacts|companies-id)', 'errors-malformed-json-effect', 'authentication-refused-effect'),
  data('post-companies', 'companies-create-id', 'companies-create-name'),
  data('post-companies', 'companies-create-type', 'companies-create-fields'),
  data('get-companies-id', 'authentication-foreign-write', 'companies-name-lengths'),
  data('get-companies-id', 'companies-read-record', 'companies-edit-effect'),
  data('patch-companies-id', 'companies-edit-reply'),
  data('get-companies-id-notes', 'notes-list-contains', 'pagination-traversal-complete'),
  data('post-companies-id-notes', 'notes-create-id', 'notes-create-text', 'notes-text-long'),
  data('patch-companies-id-notes-id', 'notes-text-characters', 'notes-edit-reply', 'idempotency-edit-answer'),
  data('delete-companies-id-notes-id', 'notes-delete-result'),
  data('post-contacts', 'contacts-create-type', 'contacts-create-company', 'contacts-create-fields'),
  data('post-contacts', 'contacts-create-unicode', 'contacts-create-primary', 'contacts-list-record'),
  data('post-contacts', 'contacts-phone-national', 'contacts-phone-international'),
  data('post-contacts', 'contacts-phone-country', 'contacts-phone-several'),
];

const member = (mutants: RegExp, why: string, ...red: readonly RequirementId[]): Rule => ({ mutants, red, why });

const ofMembers: readonly Rule[] = [
  member(/^member-post-api-keys-(label|key-prefix|created-at)-/, compared, 'api-keys-list-record'),
  member(/^member-post-api-keys-label-/, readThrough, 'api-keys-label-lengths'),
  member(/^member-post-api-keys-id-retyped$/, compared, 'api-keys-list-contains'),
  member(/^member-get-api-keys-id-(dropped|nulled)$/, readThrough, 'api-keys-list-offset-pages'),
  member(/^member-get-api-keys-label-(dropped|nulled)$/, readThrough, 'api-keys-create-refused-effect'),
  member(/^member-post-auth-validate-api-key-valid-/, readThrough, 'api-keys-revoked-validate'),
  member(/^member-post-companies-(?!id-)/, compared, 'companies-read-record'),
  member(/^member-post-companies-(id-retyped|name-)/, readThrough, 'companies-name-lengths'),
  member(/^member-get-companies-id-(?!notes|id-|dropped|nulled|retyped)/, readThrough, 'companies-edit-effect'),
  member(/^member-get-companies-id-(name|company-type)-/, readThrough, 'errors-malformed-json-effect'),
  member(/^member-get-companies-id-(name|company-type)-/, readThrough, 'authentication-refused-effect'),
  member(/^member-get-companies-id-(name|company-type)-/, readThrough, 'authentication-foreign-write'),
  member(/^member-get-companies-id-name-/, readThrough, 'companies-name-lengths'),
  member(/^member-get-companies-id-nulled$/, readThrough, 'pagination-traversal-once', 'pagination-has-more-last'),
  member(/^member-get-companies-id-nulled$/, readThrough, 'pagination-sort-pages'),
  member(/^member-get-companies-name-(dropped|nulled)$/, readThrough, 'companies-create-once'),
  member(/^member-get-(companies|contacts-last)-name-(dropped|nulled)$/, readThrough, 'errors-malformed-json-effect'),
  member(/^member-get-(companies|contacts-last)-name-(dropped|nulled)$/, readThrough, 'authentication-refused-effect'),
  member(/^member-post-companies-id-notes-text-/, readThrough, 'notes-text-characters', 'notes-text-long'),
  member(/^member-patch-companies-id-notes-id-id-/, compared, 'idempotency-edit-answer'),
  member(/^member-patch-companies-id-notes-id-text-/, readThrough, 'notes-text-characters'),
  member(/^member-get-companies-id-notes-id-/, readThrough, 'pagination-traversal-complete'),
  member(/^member-get-companies-id-notes-id-nulled$/, readThrough, 'pagination-traversal-once'),
  member(/^member-get-companies-id-notes-id-(dropped|nulled)$/, readThrough, 'idempotency-create-simultaneous'),
  member(/^member-get-companies-id-notes-text-/, readThrough, 'notes-text-characters', 'notes-text-long'),
  member(/^member-get-companies-id-notes-text-/, readThrough, 'notes-other-company', 'idempotency-create-simultaneous'),
  member(/^member-get-companies-id-notes-text-(dropped|nulled)$/, readThrough, 'notes-create-once'),
  member(/^member-post-contacts-/, compared, 'contacts-list-record'),
  member(
    /^member-post-contacts-(first-name|last-name|title|department|address2?)-/,
    readThrough,
    'contacts-create-unicode',
  ),
  member(/^member-post-contacts-phones-/, readThrough, 'contacts-phone-national', 'contacts-phone-international'),
  member(/^member-post-contacts-phones-/, readThrough, 'contacts-phone-country'),
];

const rules = [...ofErrors, ...ofStatuses, ...ofPages, ...ofData, ...ofMembers];

/** A mutant that was generated: its collateral follows from its name. */
export function generated(id: string, breaks: readonly RequirementId[], wrap: Wrap): Mutant {
  const fitting = rules.filter(({ mutants }) => mutants.test(id));
  const pairs = fitting.flatMap(({ red, why }) => red.map((one) => [one, why] as const));
  const collateral = Object.fromEntries(pairs.filter(([one]) => !breaks.includes(one)));
  return mutant(id, { breaks, ...(pairs.length > 0 ? { collateral } : {}) }, wrap);
}
