// The notes that are left when everything else has happened, as they come and in pages of two: the rules judge them.
import { type Api, identifierOf, itemsOf, listNotes, traverse } from '../../lib/index.ts';

/** In lists that are longer the rest is left. */
const pagesMax = 10;
/** Companies of others that are looked at. */
const othersMax = 3;

/** Whose identifiers are the beginning of ours: where notes are found by the text of a path, those of one are with the other. */
async function readBeside(api: Api, companies: readonly (number | string)[]): Promise<void> {
  const listed = itemsOf(await api.send('GET /companies', { query: { limit: 200 } }));
  const ids = listed.map((record) => String(identifierOf('company', record) ?? ''));
  const isBeginning = (id: string) => companies.some((own) => String(own) !== id && String(own).startsWith(id));
  for (const company_id of ids.filter((id) => id !== '' && isBeginning(id)).slice(0, othersMax))
    await api.send(listNotes, { path: { company_id } });
}

/** By the configured key itself, and by whichever is as good. */
export async function readAtEnd(api: Api, companies: readonly (number | string)[]): Promise<void> {
  for (const company_id of companies) {
    const path = { company_id };
    await api.send(listNotes, { path, exactly: true });
    await traverse(api, { operation: listNotes, path, limit: 2, mode: 'cursor', pagesMax });
  }
  await readBeside(api, companies);
}
