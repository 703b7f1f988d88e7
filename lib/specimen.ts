// For every operation one call that is valid in everything, on records kept for such calls.

import type { OperationId } from './catalogue/operations.ts';
import type { Api } from './client/client.ts';
import { Mismatch, NotTested } from './client/errors.ts';
import type { Call } from './client/request.ts';
import type { Company, MadeKey, Maker } from './maker.ts';
import { slugsIn } from './memberships.ts';

export interface Kit {
  readonly api: Api;
  readonly make: Maker;
  readonly company: Company;
  readonly foreignSlug: string | undefined;
}

/** Key creation may be switched off; then only the calls about keys cannot be had. */
async function keyOf({ api, make }: Kit): Promise<() => MadeKey> {
  try {
    const key = await make.key(api);
    return () => key;
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    return () => {
      throw new NotTested(`no key could be made: ${error.message}`);
    };
  }
}

/** Makes the records, a note and a key, and returns the table. */
export async function callFor(kit: Kit): Promise<(operation: OperationId) => Call> {
  const { api, make, company, foreignSlug } = kit;
  const note = await make.note(api, company.id);
  const key = await keyOf(kit);
  const [own] = slugsIn(await api.send('GET /me'));
  const onCompany = { path: { company_id: company.id } };
  const onNote = { path: { company_id: company.id, note_id: note.id } };
  const calls: Partial<Record<OperationId, () => Call>> = {
    'PATCH /me/active-account': () => ({ body: { slug: own?.slug ?? foreignSlug ?? 'covenant' } }),
    'POST /api-keys': () => key() && { body: { label: make.name('key') } },
    'DELETE /api-keys/{key_id}': () => ({ path: { key_id: key().id } }),
    'POST /auth/validate-api-key': () => ({ body: { api_key: key().credential.token } }),
    'POST /companies': () => ({ body: { name: make.name('company'), company_type: 'lender' } }),
    'GET /companies/{company_id}': () => onCompany,
    'PATCH /companies/{company_id}': () => ({ ...onCompany, body: company.sent }),
    'GET /companies/{company_id}/notes': () => onCompany,
    'POST /companies/{company_id}/notes': () => ({ ...onCompany, body: { text: make.name('note') } }),
    'PATCH /companies/{company_id}/notes/{note_id}': () => ({ ...onNote, body: { text: make.name('note') } }),
    'DELETE /companies/{company_id}/notes/{note_id}': () => onNote,
    'POST /contacts': () => ({
      body: { contact_type: 'lender_contact', company_id: company.id, last_name: make.name('contact') },
    }),
  };
  return (operation) => calls[operation]?.() ?? {};
}
