// All hand-written mutants, in the order of the document.
import account from './account/account.ts';
import accountActive from './account/active.ts';
import accountCallers from './account/callers.ts';
import apiKeys from './api-keys/api-keys.ts';
import apiKeysMakers from './api-keys/makers.ts';
import apiKeysPages from './api-keys/pages.ts';
import apiKeysRevocation from './api-keys/revocation.ts';
import authenticationAttacks from './authentication/attacks.ts';
import authentication from './authentication/authentication.ts';
import authenticationIsolation from './authentication/isolation.ts';
import authenticationTokens from './authentication/tokens.ts';
import authenticationVerification from './authentication/verification.ts';
import billing from './billing.ts';
import callers from './callers.ts';
import companies from './companies/companies.ts';
import companiesEdits from './companies/edits.ts';
import companiesMakers from './companies/makers.ts';
import contacts from './contacts/contacts.ts';
import contactsPhones from './contacts/phones.ts';
import { declared } from './declared.ts';
import envelope from './envelope.ts';
import errors from './errors.ts';
import idempotency from './idempotency.ts';
import longBodies from './long-bodies.ts';
import type { Mutant } from './mutant.ts';
import negotiation from './negotiation.ts';
import notesChanges from './notes/changes.ts';
import notesRefusals from './notes/refusals.ts';
import notesTexts from './notes/texts.ts';
import numbersAsTexts from './numbers-as-texts.ts';
import paginationChoices from './pagination/choices.ts';
import pagination from './pagination/pagination.ts';
import paginationTraversal from './pagination/traversal.ts';
import publicOperations from './public.ts';
import rateLimits from './rate-limits.ts';
import validRequests from './valid-requests.ts';

const written: readonly Mutant[] = [
  envelope,
  errors,
  negotiation,
  authentication,
  authenticationTokens,
  authenticationAttacks,
  authenticationVerification,
  authenticationIsolation,
  account,
  accountActive,
  accountCallers,
  apiKeys,
  apiKeysPages,
  apiKeysRevocation,
  apiKeysMakers,
  publicOperations,
  billing,
  companies,
  companiesEdits,
  companiesMakers,
  notesTexts,
  notesRefusals,
  notesChanges,
  contacts,
  contactsPhones,
  longBodies,
  pagination,
  paginationTraversal,
  paginationChoices,
  idempotency,
  rateLimits,
  validRequests,
  callers,
  numbersAsTexts,
]
  .flat()
  .map(declared);

export const mutants: readonly Mutant[] = written.filter(({ notFound }) => notFound === undefined);

/** Mutants that no run finds yet. */
export const survivors: readonly Mutant[] = written.filter(({ notFound }) => notFound !== undefined);
