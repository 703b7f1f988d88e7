// The notes that are left when everything else has happened, as they come and in pages of two: the look back judges them.
import { type Api, traverse } from '../../lib/index.ts';

const list = 'GET /companies/{company_id}/notes';
/** In lists that are longer the rest is left. */
const pagesMax = 10;

/** By the configured key itself, and by whichever is as good. */
export async function lookLast(api: Api, companies: readonly (number | string)[]): Promise<void> {
  for (const company_id of companies) {
    const path = { company_id };
    await api.send(list, { path, exactly: true });
    await traverse(api, { operation: list, path, limit: 2, mode: 'cursor', pagesMax });
  }
}
