// Every value of every choice of the reference, one at a time, and what cannot be tested where the interface does not create keys.

import type { RequirementId } from '../../lib/catalogue/index.ts';
import { badCredentials } from '../mutants/mutant.ts';
import { type Choices, choiceValues } from '../reference/index.ts';
import type { Exceptions, Variant } from './variant.ts';

const reason = 'it takes a key that was made for it, or an operation on one';
const ids: readonly RequirementId[] = [
  ...badCredentials,
  'envelope-success-object',
  'envelope-request-id-present',
  'envelope-request-id-unique',
  'envelope-timestamp-format',
  'envelope-timestamp-clock',
  'envelope-data-present',
  'envelope-data-kind',
  'envelope-pagination-absent',
  'envelope-status-ok',
  'envelope-status-created',
  'authentication-refused-code',
  'account-accounts-complete',
  'account-active-missing-slug',
  'account-active-switch-effect',
  'account-active-key-unmoved',
  'account-header-selects',
  'account-header-wins',
  'account-header-temporary',
  'account-header-key-unmoved',
  'api-keys-create-id',
  'api-keys-create-label',
  'api-keys-create-secret',
  'api-keys-create-key-prefix',
  'api-keys-create-created-at',
  'api-keys-create-works',
  'api-keys-list-record',
  'api-keys-list-last-used-moves',
  'api-keys-made-identity',
  'api-keys-made-scopes',
  'api-keys-made-rights',
  'api-keys-label-lengths',
  'api-keys-label-missing',
  'api-keys-label-out-of-bounds',
  'api-keys-create-refused-effect',
  'api-keys-list-contains',
  'api-keys-delete-result',
  'api-keys-revoked-for-good',
  'api-keys-revoked-validate',
  'api-keys-revoked-unlisted',
  'api-keys-revoked-siblings',
  'api-keys-revoke-foreign-account',
  'api-keys-revoke-foreign-user',
];

const withoutKeyCreation: Exceptions = Object.fromEntries(ids.map((id) => [id, reason]));

interface Excepted {
  readonly untested?: Exceptions;
  readonly warned?: Exceptions;
}

/** The optional or recommended parts of the interface that a value leaves out. */
export const exceptionsOf: { readonly [Choice in `${keyof Choices}=${string}`]?: Excepted } = {
  'lastUsedAt=never': { warned: { 'api-keys-list-last-used-moves': 'last_used_at is never filled in' } },
  'idempotentCreates=false': {
    warned: {
      'idempotency-company-create': 'the document lists the header on notes only',
      'idempotency-contact-create': 'the document lists the header on notes only',
    },
  },
  'keyCreation=false': { untested: withoutKeyCreation },
};

/** Every value other than the default, as `name=value`. */
const choices: readonly Variant[] = Object.entries(choiceValues).flatMap(([name, [, ...others]]) =>
  others.map((value): Variant => {
    const choice = `${name as keyof Choices}=${value}` as const;
    return {
      id: `choice-${choice}`,
      why: `${name} may be ${value}`,
      reference: { choices: { [name]: value } },
      ...exceptionsOf[choice],
    };
  }),
);

export default choices;
