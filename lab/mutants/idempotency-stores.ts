// Stores of Idempotency-Keys that crash on what is still in progress, or take the key of one account for that of another.
import { apiPath } from '../../lib/catalogue/operations.ts';
import type { Handler } from '../reference/index.ts';
import { mutants, type Wrap } from './mutant.ts';
import { fillingLast, isOk, keyOf, storing, withKeys } from './wrappers/idempotency.ts';
import { isObject, refusal, type Seen } from './wrappers/mutator.ts';
import { createCompany, createContact, createNote, editNote } from './wrappers/operations.ts';
import { ask } from './wrappers/records.ts';
import { isSession, tokenOf } from './wrappers/tokens.ts';

/** Crashes on what comes under a key whose first request has not been answered yet. */
const crashingWhileBusy = (operation: string): Wrap =>
  fillingLast([operation], async () => refusal(500, 'INTERNAL_ERROR', 'An internal error occurred'));

const named = (seen: Seen): string => `${seen.request.method} ${seen.url.pathname} ${keyOf(seen)}`;

/** Whoever sends a used key is answered with the record of who sent it first, and nothing is made. */
const sharedByAccounts = (operation: string): Wrap =>
  storing([operation], { under: named, keeps: isOk, apart: tokenOf });

/** The account that a session acts on; keys have one only. */
const accountOf = async (seen: Seen, server: Handler): Promise<string> => {
  if (!isSession(seen)) return 'its own';
  const { data } = await ask(server, seen, 'GET', `${apiPath}/me`);
  return isObject(data) ? JSON.stringify(data.account) : 'none';
};

/** A used key is answered with the first record also where the user has gone to another account. */
const sharedByAccountsOfUser: Wrap = storing(withKeys, {
  under: (seen) => `${tokenOf(seen)} ${named(seen)}`,
  keeps: isOk,
  apart: accountOf,
});

/** High limits: the stores ask who sends a request. */
const reference = { tiers: { business: { read: 3000 } } };

export default mutants(
  {
    // API key, paragraph 1: a key reaches nothing of other accounts, whatever it sends.
    'authentication-foreign-read': {
      'idempotency-keys-of-companies-are-shared-by-accounts': sharedByAccounts(createCompany),
      'idempotency-keys-of-contacts-are-shared-by-accounts': {
        notFound: 'No contact is created under the key of another account: one more would stay behind.',
        wrap: sharedByAccounts(createContact),
      },
      'idempotency-keys-of-a-user-are-shared-by-its-accounts': {
        notFound: 'No session sends a key again in its other account.',
        wrap: sharedByAccountsOfUser,
      },
    },
    'idempotency-create-answer': {
      // Common request headers: "it should retry with the same Idempotency-Key to prevent a duplicate operation".
      'idempotency-repeat-of-a-creation-in-progress-crashes': crashingWhileBusy(createNote),
    },
    'idempotency-edit-answer': {
      'idempotency-repeat-of-an-edit-in-progress-crashes': crashingWhileBusy(editNote),
    },
  },
  { reference },
);
