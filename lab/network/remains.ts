// What stands on a target: every key, every note and the active accounts, as the interface itself reports them.

/** A request with one of the credentials, and `data` of its reply. */
export type Ask = (path: string, credential: string, account?: string) => Promise<readonly Record<string, unknown>[]>;

/** One line for each, sorted; `names` are the variables of the credentials to look with. */
export async function remains(names: readonly string[], ask: Ask): Promise<string[]> {
  const found: string[] = [];
  for (const name of names.filter((one) => /API_KEY|JWT$/.test(one))) {
    const session = name === 'COVENANT_JWT';
    const accounts = session ? await ask('/me/accounts', name) : [undefined];
    for (const account of accounts) {
      const slug = account && String(account.slug);
      const keys = await ask('/api-keys?limit=200', name, slug);
      found.push(...keys.map(({ id }) => `key ${id} of ${name} ${slug}`));
      found.push(`${name} ${slug} ${account?.is_active}`);
    }
    if (session) continue;
    for (const { id } of await ask('/companies?limit=200', name)) {
      const notes = await ask(`/companies/${id}/notes?limit=200`, name);
      found.push(...notes.map((note) => `note ${note.id} of company ${id}`));
    }
  }
  return found.sort();
}
