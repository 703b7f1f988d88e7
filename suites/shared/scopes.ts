// The scopes that the document names, and whether a credential has been seen to have them.
import type { Api, Call, Reply } from '../../lib/index.ts';
import { wasAccepted } from './answer.ts';

const probes = { 'billing:read': 'GET /billing/summary', 'account:read': 'GET /me/team-accounts' } as const;

export interface ScopeProbe {
  readonly scope: keyof typeof probes;
  /** Of the operation that the scope opens. */
  readonly reply: Reply;
  readonly opened: boolean;
  /** Refused with 403; neither opened nor closed: nothing is known. */
  readonly closed: boolean;
}

/** Probes each operation that needs a scope, with what the call says. */
export async function probeScopes(api: Api, call: Call = {}): Promise<ScopeProbe[]> {
  const found: ScopeProbe[] = [];
  for (const scope of ['billing:read', 'account:read'] as const) {
    const reply = await api.send(probes[scope], call);
    found.push({ scope, reply, opened: wasAccepted(reply), closed: reply.status === 403 });
  }
  return found;
}
