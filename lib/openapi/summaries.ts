// What each operation is for, in a few words.
import type { OperationId } from '../catalogue/operations.ts';

export const summaries: Readonly<Record<OperationId, string>> = {
  'GET /me': 'The current user, account and platform, with scopes and rate limits',
  'GET /me/accounts': 'Every account of which the user is an active member',
  'GET /me/team-accounts': 'The accounts whose deals are shared with the active account',
  'PATCH /me/active-account': 'Changes the active account of a session',
  'GET /account/team': 'The team members of the active account',
  'POST /api-keys': 'Creates an API key, and shows it this once',
  'GET /api-keys': 'The API keys, without the keys themselves',
  'DELETE /api-keys/{key_id}': 'Revokes an API key at once and for good',
  'GET /health': 'Whether the service is alive',
  'POST /auth/validate-api-key': 'Whether an API key is valid, and whose it is',
  'GET /billing/summary': 'The subscription and credit balance of the active account',
  'GET /billing/credits/balance': 'The credit balance of the active account',
  'GET /companies': 'The companies of the active account',
  'POST /companies': 'Creates a company',
  'GET /companies/{company_id}': 'One company',
  'PATCH /companies/{company_id}': 'Edits a company',
  'GET /companies/{company_id}/notes': 'The notes on a company',
  'POST /companies/{company_id}/notes': 'Puts a note on a company',
  'PATCH /companies/{company_id}/notes/{note_id}': 'Replaces the text of a note',
  'DELETE /companies/{company_id}/notes/{note_id}': 'Deletes a note for good',
  'GET /contacts': 'The contacts of the active account',
  'POST /contacts': 'Creates a contact',
};
