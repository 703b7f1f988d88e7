// Takes back what a run made and changed, as far as the interface allows; what stays is told as residue.
import type { Api } from './client.ts';
import type { Credential } from './credential.ts';
import type { Ledger, Made } from './ledger.ts';
import type { Residue } from './report/model.ts';

/** A change of a setting that the run must take back. */
export interface Undo {
  readonly what: string;
  undone: boolean;
  readonly undo: (api: Api) => Promise<void>;
}

const account = (made: Made) => (made.account === undefined ? {} : { account: made.account });

async function takeBack(api: Api, made: Made): Promise<void> {
  if (made.kind === 'key') {
    await api.send('DELETE /api-keys/{key_id}', { path: { key_id: made.id }, ...account(made) });
  } else if (made.company !== undefined) {
    const path = { company_id: decodeURIComponent(made.company), note_id: made.id };
    await api.send('DELETE /companies/{company_id}/notes/{note_id}', { path, ...account(made) });
  }
}

/** Trouble with one record must not keep the others from being taken back; the ledger shows what stayed. */
const attempt = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Returns the residue. `apiOf` speaks for a credential, also when the run was interrupted. */
export async function cleanUp(
  ledger: Ledger,
  undos: readonly Undo[],
  apiOf: (credential?: Credential) => Api,
): Promise<Residue[]> {
  const settings: Residue[] = [];
  for (const one of [...undos].reverse()) {
    if (!one.undone && !(await attempt(one.undo(apiOf())))) settings.push({ kind: 'setting', id: '', name: one.what });
  }
  for (const made of ledger.deletable())
    if (made.id !== 'unknown') await attempt(takeBack(apiOf(made.credential), made));
  return [...settings, ...ledger.residue()];
}
