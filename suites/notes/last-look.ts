// The notes that are left when everything else has happened, as they come and in pages of two: the look back judges them.
import { type Api, traverse } from '../../lib/index.ts';
import { listNotes } from '../shared/note-operations.ts';

/** In lists that are longer the rest is left. */
const pagesMax = 10;

/** By the configured key itself, and by whichever is as good. */
export async function lookLast(api: Api, companies: readonly (number | string)[]): Promise<void> {
  for (const company_id of companies) {
    const path = { company_id };
    await api.send(listNotes, { path, exactly: true });
    await traverse(api, { operation: listNotes, path, limit: 2, mode: 'cursor', pagesMax });
  }
}
