// Requirements that mutants make red in addition, because rules judge every reply of a run.
import type { RequirementId } from '../../lib/catalogue/index.ts';
import type { Mutant } from './mutant.ts';

type Of<T> = Readonly<Record<string, T>>;

/** It shows there as well: each reply is judged, whatever it was asked for. */
const besides: Of<readonly RequirementId[]> = {
  'account-header-loses-to-a-fresh-switch': ['authentication-foreign-list'],
  'account-header-becomes-the-preference': ['notes-others-untouched'],
  'api-keys-lets-revoked-keys-in-once-more': ['api-keys-revoked-for-good'],
  'authentication-lets-unknown-algorithms-pass': ['account-header-temporary', 'pagination-stable-inserts'],
  'authentication-remembers-what-was-signed': ['account-header-temporary', 'pagination-stable-inserts'],
  'authentication-decodes-only-where-the-account-is-named': [
    'account-header-temporary',
    'account-active-switch-effect',
  ],
  'authentication-switches-for-an-expired-session': ['account-header-temporary'],
  'callers-see-edits-of-others-half-a-minute-late': ['notes-list-record'],
  'companies-edit-stores-nothing': ['companies-edit-reply'],
  'companies-second-of-two-quick-edits-is-undone-later': ['companies-edit-effect'],
  'errors-empty-contact-crashes': ['envelope-valid-served'],
  'idempotency-repeat-is-refused-as-invalid': ['envelope-valid-served'],
  'member-get-companies-id-notes-id-retyped': ['rate-limits-refused-effect'],
  'notes-edit-is-lost': ['idempotency-create-late'],
  'notes-edit-of-deleted-answers-410': ['notes-unknown-company'],
  'notes-list-shows-deleted': ['notes-delete-lasting', 'pagination-limit-respected'],
  'notes-list-shows-deleted-later': ['pagination-limit-respected'],
  'notes-second-deletion-answers-410': ['notes-unknown-company'],
  'notes-second-deletion-is-done': ['notes-unknown-company'],
  'rate-limits-refused-edits-are-carried-out': ['notes-edit-reply'],
  'authentication-revoked-key-writes-notes': ['rate-limits-write-allowed'],
  'billing-shows-credits-without-scope': ['envelope-origin-app-text'],
  'billing-shows-summary-without-scope': ['envelope-origin-app-text'],
  'companies-edit-shows-late': ['companies-read-record'],
  'contacts-lose-their-title-when-their-company-is-edited': ['pagination-fields-kept'],
  'reported-unchanged-edit-is-not-found': ['notes-edit-reply', 'idempotency-create-late'],
  'notes-list-leaks-of-another-company': ['pagination-limit-respected'],
  'reported-algorithm-none-is-believed': [
    'account-active-switch-effect',
    'account-header-temporary',
    'pagination-stable-inserts',
  ],
  'idempotency-keys-of-companies-are-shared-by-accounts': ['envelope-valid-served'],
  'reported-idempotency-keys-are-shared-by-accounts': ['envelope-valid-served'],
  'reported-idempotency-keys-are-shared-by-everything': ['envelope-valid-served'],
  'reported-proxy-sends-a-creation-twice': ['contacts-create-once'],
};

/** The place where it is seen first, which is blamed. */
const instead: Of<RequirementId> = {
  'callers-see-edits-of-others-half-a-minute-late': 'notes-edit-effect',
  'companies-second-of-two-quick-edits-is-undone-later': 'companies-read-record',
  'notes-list-lacks-the-newest': 'pagination-traversal-complete',
  'pagination-notes-end-with-the-border': 'pagination-traversal-complete',
  'reported-proxy-sends-a-creation-twice': 'companies-create-once',
  'reported-replica-does-not-have-it-yet': 'envelope-valid-served',
  'valid-keys-refuse-a-limit-of-200': 'pagination-limit-bounds',
  'valid-sessions-cannot-list-contacts': 'pagination-limit-bounds',
};

const reason = 'it shows there as well, in a reply that was asked for otherwise';

export function declared(mutant: Mutant): Mutant {
  const { id, collateral } = mutant;
  const [more = [], first] = [besides[id], instead[id]];
  return {
    ...mutant,
    ...(first && { breaks: [first] }),
    ...(more.length > 0 && { collateral: { ...collateral, ...Object.fromEntries(more.map((one) => [one, reason])) } }),
  };
}
