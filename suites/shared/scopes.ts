// The scopes that the document names, and whether a credential has been seen to have them.
import type { Api, Reply } from '../../lib/index.ts';
import { wasAccepted } from './answer.ts';

const doors = { 'billing:read': 'GET /billing/summary', 'account:read': 'GET /me/team-accounts' } as const;

export interface Door {
  readonly scope: keyof typeof doors;
  /** Of the operation that the scope opens. */
  readonly reply: Reply;
  readonly opened: boolean;
  /** Refused with 403; where it is neither opened nor closed nothing is known. */
  readonly closed: boolean;
}

/** Knocks at each operation that needs a scope. */
export async function knock(api: Api): Promise<Door[]> {
  const found: Door[] = [];
  for (const scope of ['billing:read', 'account:read'] as const) {
    const reply = await api.send(doors[scope]);
    found.push({ scope, reply, opened: wasAccepted(reply), closed: reply.status === 403 });
  }
  return found;
}
